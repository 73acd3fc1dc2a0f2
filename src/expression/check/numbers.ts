import type { IntLiteral, IntRangeItem } from '../language/ast.ts';
import { printIntRange } from '../print/literal.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';
import { integersOf } from '../language/field-tests.ts';

type Integers = readonly (IntLiteral | IntRangeItem)[];

const OCTAL = /(?:^|\.\.)0[0-7]/u;

/** Reports numbers with a leading 0, which are read as octal, and `1-2`, which is 1 and -2 (`rules-language.md` 1.3). */
export function checkNumbers({ comparisons, calls }: Subject, report: Report): void {
  for (const comparison of comparisons) {
    const integers = integersOf(comparison);
    hyphenRanges(integers, report);
    octals(integers, report);
  }
  for (const { arguments: given } of calls) {
    octals(
      given.filter((argument) => argument.kind === 'int'),
      report,
    );
  }
}

function octals(literals: Integers, report: Report): void {
  for (const literal of literals) {
    const { text, span } = literal;
    if (OCTAL.test(text)) {
      const replacement = literal.kind === 'int' ? String(literal.value) : printIntRange(literal);
      report('expression/octal', {
        message: `${text} is octal: ${replacement}`,
        span,
        fix: { span, replacement },
      });
    }
  }
}

function hyphenRanges(items: Integers, report: Report): void {
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && before.span.end >= item.span.start && item.text.startsWith('-')) {
      report('expression/hyphen-range', {
        message: `${before.text}${item.text} is two numbers, ${before.text} and ${item.text}`,
        span: { start: before.span.start, end: item.span.end },
        hint: `ranges have two dots: ${before.text}..${item.text.slice(1)}`,
      });
    }
  }
}
