/** A rendering: whole, or in pieces that are produced on demand. */
export type Pieces = string | Iterable<string>;

/** Whether a value is a rendering. */
export function isPieces(value: unknown): value is Pieces {
  return (
    typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value)
  );
}

/** Joins a rendering to one text. */
export function wholeText(pieces: Pieces): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

/** Yields the pieces of several renderings in sequence. */
export function* inTurn<Piece>(...parts: readonly Iterable<Piece>[]): Iterable<Piece> {
  for (const part of parts) {
    yield* part;
  }
}

/** The minimum length of a piece in UTF-16 units, because each write has a cost. */
const LEAST = 65_536;

/** Joins texts to larger pieces; only the last may be short. */
export function* inPieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length >= LEAST) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') {
    yield piece;
  }
}
