import type { Comparison, SetItem, SetLiteral, Span } from '../language/ast.ts';
import { setItems } from '../print/print-expression.ts';
import { showBytes } from '../language/source-bytes.ts';
import { encodeBytes } from '../values/bytes.ts';
import { isWithinRange, mergeRanges } from '../values/ranges.ts';
import type { ValueRange } from '../values/ranges.ts';
import type { FindingText, Report, CheckSubject } from './check-finding.ts';

/** Reports sets that are empty, hold one value, or hold something twice (`rules-language.md` 8). All fixes keep the meaning. */
export function checkSets({ comparisons, text }: CheckSubject, report: Report): void {
  for (const comparison of comparisons) {
    const { operator, right: set } = comparison;
    if (operator !== 'in' || set.kind !== 'set') {
      continue;
    }
    const [first] = set.items;
    if (first === undefined) {
      report('expression/empty-set', { message: 'no value is in an empty set', span: set.span });
    } else if (set.items.length > 1) {
      checkRepeated(set, report);
    } else if (!isRange(first)) {
      report('expression/single-item-set', asEquation(comparison, set, text));
    }
  }
}

function asEquation({ token, span }: Comparison, set: SetLiteral, text: string): FindingText {
  const only = setItems(set).map(showBytes).join('');
  // A word may directly follow a brace, but not a number or an address.
  const gap = /\w/u.test(encodeBytes(text).charAt(span.end)) ? ' ' : '';
  return {
    message: `a set with one value is the same as eq ${only}`,
    span: set.span,
    fix: { span: { start: token.span.start, end: span.end }, replacement: `eq ${only}${gap}` },
  };
}

/** Whether an item may equal another or be covered by it. In most sets none is, and their items need not be printed. */
function mayRepeat(set: SetLiteral): boolean {
  switch (set.of) {
    case 'Bytes':
      return new Set(set.items.map(({ value }) => value)).size < set.items.length;
    case 'Int':
      return mergeRanges(set.items).length < set.items.length;
    case 'Ip':
      return mergeRanges(set.items.map(({ range }) => range)).length < set.items.length;
    default:
      return set satisfies never;
  }
}

function checkRepeated(set: SetLiteral, report: Report): void {
  if (!mayRepeat(set)) {
    return;
  }
  const items: readonly SetItem[] = set.items;
  const texts = setItems(set).map(showBytes);
  const seen = new Set<string>();
  const ranges = items.map(rangeOf);
  const compared = ranges.slice(0, MOST_COMPARED);
  for (const [index, item] of items.entries()) {
    const text = texts[index] ?? '';
    const fix = { span: withSpaceBefore(items, index), replacement: '' };
    const range = ranges[index];
    const outer = seen.has(text) || range === undefined ? undefined : coveredBy(compared, range);
    if (seen.has(text)) {
      report('expression/duplicate-item', {
        message: `${text} is in the set twice`,
        span: item.span,
        fix,
      });
    } else if (outer === undefined && range !== undefined) {
      checkOverlap(items, index, { compared, texts, report });
    } else if (outer !== undefined) {
      const message = `${text} is covered by ${texts[outer] ?? ''}`;
      report('expression/covered-item', { message, span: item.span, fix });
    }
    seen.add(text);
  }
}

function rangeOf(item: SetItem): ValueRange | undefined {
  if (item.kind === 'int-range') {
    return item;
  }
  return item.kind === 'ip-range' ? item.range : undefined;
}

/** The maximum number of items that are tried as covering another; of more, only the first are. */
const MOST_COMPARED = 1000;

/** Returns the index of a wider item that covers this one. */
function coveredBy(outers: readonly (ValueRange | undefined)[], inner: ValueRange): number | undefined {
  const found = outers.findIndex(
    (outer) =>
      outer !== undefined &&
      isWithinRange(inner, outer) &&
      (outer.first < inner.first || inner.last < outer.last),
  );
  return found === -1 ? undefined : found;
}

/** Returns the span of an item with the white space before it, or after it when it is the first. */
function withSpaceBefore(items: readonly SetItem[], index: number): Span {
  const { start, end } = items[index]?.span ?? { start: 0, end: 0 };
  const before = items[index - 1];
  const after = items[index + 1];
  if (before !== undefined) {
    return { start: before.span.end, end };
  }
  return { start, end: after === undefined ? end : after.span.start };
}

function isRange(item: SetItem): boolean {
  const range = rangeOf(item);
  return range !== undefined && range.first !== range.last;
}

/** Reports a range that overlaps with an earlier one, so that a part of it is in the set twice. */
function checkOverlap(
  items: readonly SetItem[],
  index: number,
  {
    compared,
    texts,
    report,
  }: {
    readonly compared: readonly (ValueRange | undefined)[];
    readonly texts: readonly string[];
    readonly report: Report;
  },
): void {
  const item = items[index];
  const range = compared[index];
  const other = compared
    .slice(0, index)
    .findIndex(
      (one) =>
        one !== undefined &&
        range !== undefined &&
        one.family === range.family &&
        one.first <= range.last &&
        range.first <= one.last &&
        !isWithinRange(one, range),
    );
  if (item !== undefined && other !== -1) {
    const message = `${texts[index] ?? ''} overlaps with ${texts[other] ?? ''}`;
    const hint = 'write one range in place of the two, or check their ends';
    report('expression/covered-item', { message, span: item.span, hint });
  }
}
