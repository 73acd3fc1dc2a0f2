/** Characters that JSON has to escape, and lone surrogates. */
const UNPLAIN = /[^\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]/;
/** Up to this length, checking each character is faster than starting a regular expression. */
const SHORT = 40;

/** Serialises a text as `JSON.stringify` does; for texts without escapes, checking is cheaper than calling it. */
export function jsonString(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

/** Whether a text needs no escaping in JSON. */
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

/** The keys of an object in code-unit order, and the text that precedes each value in JSON, including the brace or comma. */
export interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  /** Whether `keys` are sorted already. */
  readonly isSorted: boolean;
  readonly heads: readonly string[];
}

/** Limits of the cache: objects with more keys, or more distinct key lists of one length, are rare. */
const MAX_KEYS = 24;
const MAX_KINDS = 16;
const known: readonly KeyOrder[][] = Array.from({ length: MAX_KEYS + 1 }, () => []);

/** Returns the order of some keys, cached per key list, since the same few key lists recur again and again. */
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
    // Objects keyed by ids never recur, so they must not fill the cache for good.
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
