/**
 * What the text of an expression can be: pieces in a row, some known, of others only what may be in them. Everything here answers for every
 * request, so a piece may only be described too widely, never too narrowly.
 */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** The requested host, whole and without its port. */
  | { readonly kind: 'host' }
  /** The requested host without a known beginning, when all of the zone's name is in the rest; `after` is that beginning. */
  | { readonly kind: 'rest-of-host'; readonly after: string }
  | OpenText;

/** A part that requests decide; it may be empty. */
interface OpenText {
  readonly kind: 'part';
  /** Where it comes from, as the expression says it. */
  readonly from: string;
  readonly holds: Holds;
  /** Set for what precedes the zone's name in the requested host: empty, or ended by a dot. */
  readonly isBeforeZone?: true;
}

/** Letters, digits and hyphens; the same and dots; or any characters at all. */
export type Holds = 'label' | 'host' | 'any';

/** One of the texts that an expression can have. */
export interface PossibleText {
  readonly pieces: readonly TextPiece[];
  /** Whether only requests without TLS give this text. */
  readonly isOfPlainHttp: boolean;
}

export const HOST: TextPiece = { kind: 'host' };

export function text(value: string): TextPiece {
  return { kind: 'text', text: value };
}

export function part(from: string, holds: Holds = 'any'): TextPiece {
  return { kind: 'part', from, holds };
}

const IN_LABEL = /^[a-z0-9-]$/i;
const IN_HOST = /^[a-z0-9._-]$/i;

/** Whether a part may have this character. */
export function mayHold(holds: Holds, character: string): boolean {
  return holds === 'any' || (holds === 'host' ? IN_HOST : IN_LABEL).test(character);
}

/** Returns the narrowest description of parts that have these characters only. */
export function holdsOf(characters: Iterable<string>): Holds {
  const all = [...characters];
  const fits = (holds: Holds): boolean => all.every((one) => mayHold(holds, one));
  return fits('label') ? 'label' : fits('host') ? 'host' : 'any';
}

/** From the narrowest to the widest. */
export const KINDS: readonly Holds[] = ['label', 'host', 'any'];

/** Returns the narrower of two descriptions. */
export function narrower(one: Holds, other: Holds): Holds {
  return KINDS.indexOf(one) < KINDS.indexOf(other) ? one : other;
}

/** Joins neighbouring texts and drops empty ones. */
export function joinTexts(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const joined: TextPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = text(last.text + piece.text);
    } else if (piece.kind !== 'text' || piece.text !== '') {
      joined.push(piece);
    }
  }
  return joined;
}
