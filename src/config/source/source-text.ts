import type { SourcePoint, SourceSpan } from '../../model/index.ts';

/** The text of a project file, ready to turn offsets into lines and columns. */
export interface SourceText {
  /** Path relative to the project folder, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[];
}

/** Indexes the lines of a file's text; a line ends with LF or CR LF. */
export function sourceText(path: string, text: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lineStarts.push(at + 1);
  }
  return { path, text, lineStarts };
}

/** Returns line and column of an offset in UTF-16 units; an offset outside of the text counts as its nearest end. */
function pointAt(source: SourceText, offset: number): SourcePoint {
  const wanted = Math.max(0, Math.min(offset, source.text.length));
  let low = 0;
  let high = source.lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((source.lineStarts[middle] ?? 0) <= wanted) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return { line: low + 1, column: wanted - (source.lineStarts[low] ?? 0) + 1 };
}

/** Returns the span between two offsets; `end` is exclusive. */
export function spanAt(source: SourceText, start: number, end: number): SourceSpan {
  return { file: source.path, start: pointAt(source, start), end: pointAt(source, Math.max(start, end)) };
}

/** A stretch of a file, by offsets in UTF-16 units, and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits, none of which may touch another. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  let text = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    text += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.slice(at);
}

/** Returns all edits; undefined where one of them could not be placed. */
export function allPlaced(
  edits: readonly (TextEdit | readonly TextEdit[] | undefined)[],
): readonly TextEdit[] | undefined {
  return edits.includes(undefined) ? undefined : edits.flatMap((one) => one ?? []);
}

/** Gives a text CR LF at the end of each line, where every line of `before` ends so. */
export function withBreaksOf(before: string, text: string): string {
  return before.includes('\n') && !/(?<!\r)\n/u.test(before) ? text.replaceAll(/\r?\n/gu, '\r\n') : text;
}

/** Tokens: words, numbers, addresses and paths; runs of blanks; any other character. */
const TOKENS = /[\p{L}\p{N}_./:-]+|\s+|[^]/gu;

/** Above this many pairs of tokens, all that differs is one stretch. */
const MAX_PAIRS = 1_000_000;

/** Returns the edits, word by word, that turn one text into another; one edit where both are long and have little in common. */
export function textDifference(now: string, next: string): readonly TextEdit[] {
  const [left, right] = [now.match(TOKENS) ?? [], next.match(TOKENS) ?? []];
  let head = 0;
  while (head < left.length && left[head] === right[head]) {
    head += 1;
  }
  let tail = 0;
  while (
    tail < Math.min(left.length, right.length) - head &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  ) {
    tail += 1;
  }
  const [before, after] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)];
  const start = left.slice(0, head).join('').length;
  const pairs = before.length * after.length > MAX_PAIRS ? [] : commonTokens(before, after);
  return editsBetween(before, after, { start, pairs }).map((edit) => slidLeft(now, edit));
}

type TokenPair = readonly [before: number, after: number];

/** Returns the common subsequence with the most characters, as pairs of token indexes: long words say more than blanks. */
function commonTokens(before: readonly string[], after: readonly string[]): readonly TokenPair[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + (before[row]?.length ?? 0)
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: TokenPair[] = [];
  for (let row = 0, column = 0; row < before.length && column < after.length;) {
    if (before[row] === after[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      row += 1;
    } else {
      column += 1;
    }
  }
  return pairs;
}

function editsBetween(
  before: readonly string[],
  after: readonly string[],
  { start: from, pairs }: { readonly start: number; readonly pairs: readonly TokenPair[] },
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let [start, row, column] = [from, 0, 0];
  for (const [toRow, toColumn] of [...pairs, [before.length, after.length] as const]) {
    const end = start + before.slice(row, toRow).join('').length;
    const text = after.slice(column, toColumn).join('');
    if (end > start || text !== '') {
      edits.push({ start, end, text });
    }
    start = end + (before[toRow]?.length ?? 0);
    [row, column] = [toRow + 1, toColumn + 1];
  }
  return edits;
}

/**
 * Moves an insertion or deletion left, so that it takes along the blanks before it instead of equal blanks behind it: lines then come and go as a
 * whole.
 */
function slidLeft(now: string, { start, end, text }: TextEdit): TextEdit {
  const stretch = text === '' ? now.slice(start, end) : start === end ? text : '';
  const blanks = /\s+$/u.exec(stretch)?.[0] ?? '';
  if (blanks === '' || blanks === stretch || !now.slice(0, start).endsWith(blanks)) {
    return { start, end, text };
  }
  const shift = blanks.length;
  return {
    start: start - shift,
    end: end - shift,
    text: text === '' ? '' : blanks + text.slice(0, -shift),
  };
}
