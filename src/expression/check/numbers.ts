import type { IntLiteral, IntRangeItem } from '../ast.ts';
import { printIntRange } from '../print/literal.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Subject } from './subject.ts';
import { integersOf } from './tests.ts';

const OCTAL = /(?:^|\.\.)0[0-7]/u;

/** Numbers with a leading 0, which are read as octal ones (`rules-language.md` 1.3). */
export function* checkNumbers({ comparisons, calls }: Subject): Iterable<Finding> {
  const literals: (IntLiteral | IntRangeItem)[] = comparisons.flatMap((comparison) => [
    ...integersOf(comparison),
  ]);
  for (const { arguments: given } of calls) {
    literals.push(...given.filter((argument) => argument.kind === 'int'));
  }
  for (const literal of literals) {
    if (OCTAL.test(literal.text)) {
      const replacement = literal.kind === 'int' ? String(literal.value) : printIntRange(literal);
      const message = `${literal.text} is octal: ${replacement}`;
      yield finding('expression/octal', {
        message,
        span: literal.span,
        fix: { span: literal.span, replacement },
      });
    }
  }
}
