import { advance, advanceAndSkip, atEnd, current, isSpace, refuse, spanFrom } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { Syntax } from './syntax.ts';

const COUNTS: ReadonlyMap<string, { readonly min: number; readonly max: number | undefined }> = new Map([
  ['?', { min: 0, max: 1 }],
  ['*', { min: 0, max: undefined }],
  ['+', { min: 1, max: undefined }],
]);

/** Reads `?`, `*`, `+` or a count in braces, each with an optional `?`, after an expression. */
export function readRepeat(cursor: Cursor, body: Syntax | undefined): Syntax | undefined {
  if (body === undefined || body.kind === 'flags' || body.kind === 'empty') {
    return refuse(cursor, 'repetition operator missing expression', { span: spanFrom(cursor, cursor.at) });
  }
  const counts = COUNTS.get(current(cursor));
  if (counts === undefined) {
    return readCounted(cursor, body);
  }
  const lazy = advance(cursor) && current(cursor) === '?';
  if (lazy) {
    advance(cursor);
  }
  return { kind: 'repeat', body, ...counts, lazy, span: spanFrom(cursor, body.span.start) };
}

function readCounted(cursor: Cursor, body: Syntax): Syntax | undefined {
  const start = cursor.at;
  const unclosed = (): undefined =>
    refuse(cursor, 'unclosed counted repetition', { span: spanFrom(cursor, start) });
  if (!advanceAndSkip(cursor)) {
    return unclosed();
  }
  const min = readDecimal(cursor);
  if (min === undefined) {
    return undefined;
  }
  let max: number | undefined = min;
  if (current(cursor) === ',') {
    if (!advanceAndSkip(cursor)) {
      return unclosed();
    }
    max = current(cursor) === '}' ? undefined : readDecimal(cursor);
    if (cursor.problem !== undefined) {
      return undefined;
    }
  }
  if (current(cursor) !== '}') {
    return unclosed();
  }
  const lazy = advanceAndSkip(cursor) && current(cursor) === '?';
  if (lazy) {
    advance(cursor);
  }
  if (max !== undefined && min > max) {
    const message = 'invalid repetition count range, the start must be <= the end';
    return refuse(cursor, message, { span: spanFrom(cursor, start) });
  }
  return { kind: 'repeat', body, min, max, lazy, span: spanFrom(cursor, body.span.start) };
}

/** Reads a number; spaces around it are allowed even when the pattern is not verbose. */
function readDecimal(cursor: Cursor): number | undefined {
  while (isSpace(current(cursor))) {
    advance(cursor);
  }
  const start = cursor.at;
  let digits = '';
  while (/^[0-9]$/u.test(current(cursor))) {
    digits += current(cursor);
    advanceAndSkip(cursor);
  }
  const span = spanFrom(cursor, start);
  while (!atEnd(cursor) && isSpace(current(cursor))) {
    advanceAndSkip(cursor);
  }
  if (digits === '') {
    return refuse(cursor, 'repetition quantifier expects a valid decimal', { span });
  }
  return Number(digits) > 0xff_ff_ff_ff
    ? refuse(cursor, 'decimal literal invalid', { span })
    : Number(digits);
}
