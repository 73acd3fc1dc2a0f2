import type { Scalar } from 'yaml';

import type { TextEdit } from '../text-edit.ts';
import type { ExpressionFix } from '../checks/expression-checker.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';

/** How a text is written inside of a scalar of each style; what cannot hold it is seen when the file is read again. */
const WRITE: ReadonlyMap<string, (text: string) => string> = new Map([
  ['QUOTE_SINGLE', (text) => text.replaceAll("'", "''")],
  ['QUOTE_DOUBLE', (text) => JSON.stringify(text).slice(1, -1)],
]);

/** The edit of a file that changes a stretch of a scalar's value and nothing else; undefined where that cannot be placed. */
export function editStretch(source: string, scalar: Scalar, fix: ExpressionFix): TextEdit | undefined {
  const offsets = scalarOffsets(source, scalar);
  if (offsets === undefined) {
    return undefined;
  }
  const write = WRITE.get(scalar.type ?? '') ?? ((text: string) => text);
  const start = offsets.start(fix.start);
  const end = offsets.end(fix.start, fix.end);
  // A line break that goes takes the indentation behind it with it, which stands for nothing by itself.
  const endsLine = end > start && source[end - 1] === '\n';
  return { start, end: endsLine ? offsets.start(fix.end) : end, text: write(fix.replacement) };
}

/** The edit that writes a scalar anew in single quotes, for a value that its style cannot hold. */
export function rewriteScalar({ range, type }: Scalar, value: string): TextEdit | undefined {
  // A block scalar holds any line of text; what is left are plain and quoted ones, whose range is their own.
  if (range === null || range === undefined || type?.startsWith('BLOCK') !== false || /[\n\r]/u.test(value)) {
    return undefined;
  }
  return { start: range[0], end: range[1], text: `'${value.replaceAll("'", "''")}'` };
}
