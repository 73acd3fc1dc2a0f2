/** What JSON has to escape, and lone surrogates. */
const UNPLAIN = /[^\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]/;
/** Up to this length a look at each character is faster than the start of a search. */
const SHORT = 40;

/** A text as `JSON.stringify` writes it, which costs more than a look at the text. */
export function jsonString(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

/** Whether a text stands in JSON as it is. */
export function isPlain(text: string): boolean {
  if (text.length > SHORT) {
    return !UNPLAIN.test(text);
  }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd8_00 && code <= 0xdf_ff)) {
      return false;
    }
  }
  return true;
}

/** The keys of an object in code-unit order, and the text that stands before the value of each: from the brace or comma on. */
export interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** Whether they are in this order already. */
  readonly isSorted: boolean;
  readonly heads: readonly string[];
}

/** Objects with more keys than that are rare, and so are more kinds of objects with as many keys. */
const MAX_KEYS = 24;
const MAX_KINDS = 16;
const known: readonly KeyOrder[][] = Array.from({ length: MAX_KEYS + 1 }, () => []);

/** The order of some keys: worked out once for all objects of a kind, since the same few kinds come again and again. */
export function keyOrder(keys: readonly string[]): KeyOrder {
  const kinds = known[keys.length];
  if (kinds === undefined) {
    return workOut(keys);
  }
  for (const kind of kinds) {
    if (isSame(kind.keys, keys)) {
      return kind;
    }
  }
  const made = workOut(keys);
  if (kinds.length >= MAX_KINDS) {
    // Keys that are ids never come again.
    kinds.length = 0;
  }
  kinds.push(made);
  return made;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}

function workOut(keys: readonly string[]): KeyOrder {
  const sorted = [...keys].sort();
  const isSorted = isSame(keys, sorted);
  return {
    keys,
    sorted,
    isSorted,
    heads: sorted.map((key, index) => `${index === 0 ? '{' : ','}${jsonString(key)}:`),
  };
}
