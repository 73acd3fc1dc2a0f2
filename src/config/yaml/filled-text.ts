import type { FilledText, FilledPiece, FilledVariable } from './yaml-document.ts';

/** Returns the stretch of the file's text that a stretch of the filled text comes from. */
export function stretchInFile(
  filled: FilledText,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  const first = pieceAt(filled, start);
  const last = end > start ? pieceAt(filled, end - 1) : first;
  const from = first === undefined ? 0 : first.same ? first.from + (start - first.start) : first.from;
  const to = last === undefined ? from : last.same ? last.from + (end - last.start) : last.to;
  return { start: from, end: Math.max(from, to) };
}

/** Returns the piece of the one variable that a stretch lies in; undefined where it lies in none. */
export function variableAround(
  filled: FilledText,
  { start, end }: { readonly start: number; readonly end: number },
): (FilledPiece & { readonly variable: FilledVariable }) | undefined {
  const piece = pieceAt(filled, start);
  return piece?.variable !== undefined && piece.start <= start && end <= piece.end
    ? { ...piece, variable: piece.variable }
    : undefined;
}

/** Returns the piece at an offset; behind the last piece, the last one. */
function pieceAt(filled: FilledText, offset: number): FilledPiece | undefined {
  return filled.find(({ end }) => offset < end) ?? filled.at(-1);
}
