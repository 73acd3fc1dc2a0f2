import type { IntLiteral, IntRangeItem } from '../ast.ts';
import { printIntRange } from '../print/literal.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Subject } from './subject.ts';
import { integersOf } from './tests.ts';

const OCTAL = /(?:^|\.\.)0[0-7]/u;

/** Numbers with a leading 0, which are read as octal ones, and `1-2`, which is 1 and -2 (`rules-language.md` 1.3). */
export function* checkNumbers({ comparisons, calls }: Subject): Iterable<Finding> {
  for (const comparison of comparisons) {
    const integers = integersOf(comparison);
    yield* hyphenRanges(integers);
    yield* octals(integers);
  }
  for (const { arguments: given } of calls) {
    yield* octals(given.filter((argument) => argument.kind === 'int'));
  }
}

function octals(literals: readonly (IntLiteral | IntRangeItem)[]): readonly Finding[] {
  return literals
    .filter(({ text }) => OCTAL.test(text))
    .map((literal) => {
      const { span, text } = literal;
      const replacement = literal.kind === 'int' ? String(literal.value) : printIntRange(literal);
      const message = `${text} is octal: ${replacement}`;
      return finding('expression/octal', { message, span, fix: { span, replacement } });
    });
}

function hyphenRanges(items: readonly (IntLiteral | IntRangeItem)[]): readonly Finding[] {
  return items.flatMap((item, index) => {
    const before = items[index - 1];
    return before === undefined || before.span.end < item.span.start || !item.text.startsWith('-')
      ? []
      : [
          finding('expression/hyphen-range', {
            message: `${before.text}${item.text} is two numbers, ${before.text} and ${item.text}`,
            span: { start: before.span.start, end: item.span.end },
            hint: `ranges have two dots: ${before.text}..${item.text.slice(1)}`,
          }),
        ];
  });
}
