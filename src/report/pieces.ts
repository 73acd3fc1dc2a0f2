/** A rendering: whole, or in pieces that are made when they are asked for. */
export type Pieces = string | Iterable<string>;

/** Whether a value is a rendering. */
export function isPieces(value: unknown): value is Pieces {
  return (
    typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value)
  );
}

/** A rendering as one text. */
export function wholeText(pieces: Pieces): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

/** Pieces of several renderings, one after the other. */
export function* inTurn<Piece>(...parts: readonly Iterable<Piece>[]): Iterable<Piece> {
  for (const part of parts) {
    yield* part;
  }
}

/** Each write costs, so pieces are at least so many characters long. */
const LEAST = 65_536;

/** The same text in fewer pieces; only the last may be short. */
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
