import type { Intervals } from './intervals.ts';

/** A place between bytes; words are runs of ASCII letters, digits and `_`. */
export type Assertion =
  | 'start'
  | 'end'
  | 'line-start'
  | 'line-end'
  | 'boundary'
  | 'no-boundary'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half';

/** The meaning of a pattern over bytes, with flags, case folding, classes and Unicode resolved. */
export type Meaning =
  | { readonly kind: 'bytes'; readonly text: string }
  /** One byte of a set; never matches when the set is empty. */
  | { readonly kind: 'set'; readonly bytes: Intervals }
  | { readonly kind: 'look'; readonly look: Assertion }
  | MeaningEncoded
  | MeaningRepeat
  | { readonly kind: 'capture'; readonly body: Meaning }
  | { readonly kind: 'sequence'; readonly parts: readonly Meaning[] }
  | { readonly kind: 'choice'; readonly parts: readonly Meaning[] };

/** The UTF-8 encodings of a set of code points, with the size of the smallest automaton that reads them. */
interface MeaningEncoded {
  readonly kind: 'encoded';
  readonly tree: Meaning;
  readonly automaton: { readonly states: number; readonly transitions: number };
}

/** A repetition; `max` is undefined when there is no bound. */
export interface MeaningRepeat {
  readonly kind: 'repeat';
  readonly body: Meaning;
  readonly min: number;
  readonly max: number | undefined;
  readonly greedy: boolean;
}

/** Matches the empty text. */
export const NOTHING: Meaning = { kind: 'sequence', parts: [] };

/** Whether a meaning can match the empty text, assuming that all assertions hold. */
export function isNullable(meaning: Meaning): boolean {
  switch (meaning.kind) {
    case 'bytes':
      return meaning.text === '';
    case 'set':
    case 'encoded':
      return false;
    case 'look':
      return true;
    case 'repeat':
      return meaning.min === 0 || isNullable(meaning.body);
    case 'capture':
      return isNullable(meaning.body);
    case 'sequence':
      return meaning.parts.every(isNullable);
    case 'choice':
      return meaning.parts.some(isNullable);
    default:
      return meaning satisfies never;
  }
}
