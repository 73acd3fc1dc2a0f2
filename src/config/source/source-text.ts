import type { SourcePoint, SourceSpan } from '../../model/source.ts';

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
