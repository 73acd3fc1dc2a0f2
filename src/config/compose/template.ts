import { isJsonArray, isJsonObject, mapTexts } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';

/** A piece of a text with variables; offsets count UTF-16 units of the text. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'variable'; readonly name: string; readonly start: number; readonly end: number }
  /** A `${` that begins neither a variable nor a replacement reference. */
  | { readonly kind: 'malformed'; readonly start: number; readonly end: number };

/** `$${`, `${1}`, the `${name}` of a variable or parameter, and any other `${`. */
const MARK = /\$\$\{|\$\{\d+\}|\$\{(?<name>[A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^}]*\}?/gu;

/** The match of an asterisk or group (`parseTemplate`). */
const REPLACEMENT = /^\$\{\d+\}$/u;

/** Whether a text, or any text or key in a value, has anything for `parseTemplate` to find. */
export function mayHaveVariables(value: JsonValue): boolean {
  if (typeof value === 'string') {
    return value.includes('${');
  }
  if (isJsonArray(value)) {
    return value.some(mayHaveVariables);
  }
  return (
    isJsonObject(value) &&
    Object.keys(value).some((key) => mayHaveVariables(key) || mayHaveVariables(value[key] ?? null))
  );
}

/**
 * Splits a text: `${name}` is a variable, `$${` the text `${`. `${1}`, which in the rules language stands for the match of an asterisk or group,
 * and `$name`, a list of the service, stay text.
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  const textUpTo = (end: number): void => {
    if (end > at) {
      parts.push({ kind: 'text', text: text.slice(at, end), start: at, end });
    }
  };
  for (const match of text.matchAll(MARK)) {
    const [mark] = match;
    const start = match.index;
    const end = start + mark.length;
    const name = match.groups?.['name'];
    if (REPLACEMENT.test(mark)) {
      continue;
    }
    textUpTo(start);
    parts.push(
      mark === '$${'
        ? { kind: 'text', text: '${', start, end }
        : name === undefined
          ? { kind: 'malformed', start, end }
          : { kind: 'variable', name, start, end },
    );
    at = end;
  }
  textUpTo(text.length);
  return parts;
}

/** Returns the name of each variable in the texts of a value, which may repeat; keys hold none. */
export function variablesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') {
    return mayHaveVariables(value)
      ? parseTemplate(value).flatMap((part) => (part.kind === 'variable' ? [part.name] : []))
      : [];
  }
  if (isJsonArray(value)) {
    return value.flatMap(variablesIn);
  }
  return isJsonObject(value) ? Object.values(value).flatMap(variablesIn) : [];
}

/** Returns the first `${…}` or `$${` in the texts of a value, as written; undefined if there is none. */
export function firstMark(value: JsonValue): string | undefined {
  const texts = isJsonArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? [...text.matchAll(MARK)] : []))
    .map(([mark]) => mark)
    .find((mark) => !REPLACEMENT.test(mark));
}

/**
 * Escapes a text so that it stands for itself where variables are looked for. `${1}` stays, unless a `$` before it would turn it into an escape.
 */
export function escapeVariables(text: string): string {
  return text.replaceAll(/(?<=\$)\$\{|\$\{(?!\d+\})/gu, () => '$${');
}

/** Escapes every text of an object, so that each stands for itself. */
export function escapedObject(value: JsonObject): JsonObject {
  return mapTexts(value, (text) => (mayHaveVariables(text) ? escapeVariables(text) : text));
}

/**
 * Where a variable stands in an expression, as far as that decides what may be put there (rules-language.md 2): outside of literals, in a quoted
 * literal, in a raw one, in a quoted regular expression, or where it would be part of an escape.
 */
export type LiteralPlace =
  | {
      readonly kind: 'code';
      /** The text before the variable, or before the set that the variable stands in. */
      readonly before: string;
      readonly inSet: boolean;
      /** Whether the variable is the whole expression. */
      readonly whole: boolean;
    }
  | { readonly kind: 'quoted' }
  | { readonly kind: 'raw'; readonly hashes: number }
  | { readonly kind: 'regex' }
  | { readonly kind: 'escape' };

/** Most characters that are looked at before a place. */
const LOOK_BACK = 300;

/** The start of a raw literal. It may follow a keyword without a blank (`eqr"a"`), and no other word stands right before a quotation mark. */
const RAW_BEGIN = /r(#*)"$/u;

/** Whether what follows a text is read as a regular expression. */
export function expectsPattern(before: string): boolean {
  return /(?:\bmatches|~)\s*$/u.test(before);
}

/** Returns the place of each variable of an expression, by its offset, in one pass. A value put in neither opens nor closes a literal. */
export function literalPlaces(
  template: string,
  parts: readonly TemplatePart[],
): ReadonlyMap<number, LiteralPlace> {
  const places = new Map<number, LiteralPlace>();
  let state: State = CODE;
  const sets: string[] = [];
  for (const part of parts) {
    if (part.kind !== 'text') {
      const place = placeIn(state, sets, before(template, part.start));
      places.set(part.start, place.kind === 'code' ? { ...place, whole: parts.length === 1 } : place);
      state = 'escape' in state ? { ...state, escape: undefined } : state;
      continue;
    }
    for (let at = part.start; at < part.end; at += 1) {
      if (state.kind === 'code' && template[at] === '{') {
        sets.push(before(template, at));
      } else if (state.kind === 'code' && template[at] === '}') {
        sets.pop();
      }
      state = next(state, template, at);
    }
  }
  return places;
}

type State =
  | { readonly kind: 'code' }
  | {
      readonly kind: 'quoted' | 'regex';
      /** The characters so far behind the backslash of an unfinished escape; undefined outside of one. */
      readonly escape: string | undefined;
      readonly inClass: boolean;
    }
  | { readonly kind: 'raw'; readonly hashes: number };

const CODE: State = { kind: 'code' };

function placeIn(state: State, sets: readonly string[], text: string): LiteralPlace {
  if (state.kind === 'code') {
    const set = sets.at(-1);
    return { kind: 'code', before: set ?? text, inSet: set !== undefined, whole: false };
  }
  if (state.kind === 'raw') {
    return { kind: 'raw', hashes: state.hashes };
  }
  return { kind: state.escape === undefined ? state.kind : 'escape' };
}

function next(state: State, text: string, at: number): State {
  const char = text[at];
  switch (state.kind) {
    case 'code':
      return char === '"' ? literalAt(text, at) : state;
    case 'raw':
      return char === '"' && text.startsWith('#'.repeat(state.hashes), at + 1) ? CODE : state;
    default:
      return nextQuoted(state, char);
  }
}

/** An unfinished `\xHH` or `\OOO`, without its backslash. */
const HALF_ESCAPE = /^(?:x[0-9a-f]?|[0-7]{1,2})$/iu;

/**
 * Advances inside a quoted literal. In a character class of a regular expression a quotation mark does not end the literal, and `[` does not
 * nest.
 */
function nextQuoted(state: Exclude<State, { kind: 'code' | 'raw' }>, char: string | undefined): State {
  if (state.escape !== undefined) {
    const escape = state.escape + (char ?? '');
    return { ...state, escape: state.kind === 'quoted' && HALF_ESCAPE.test(escape) ? escape : undefined };
  }
  if (char === '\\') {
    return { ...state, escape: '' };
  }
  if (state.kind === 'regex' && (char === '[' || char === ']')) {
    return { ...state, inClass: char === '[' };
  }
  return char === '"' && !state.inClass ? CODE : state;
}

function literalAt(text: string, at: number): State {
  const hashes = RAW_BEGIN.exec(before(text, at + 1))?.[1];
  if (hashes !== undefined) {
    return { kind: 'raw', hashes: hashes.length };
  }
  const kind = expectsPattern(before(text, at)) ? 'regex' : 'quoted';
  return { kind, escape: undefined, inClass: false };
}

function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - LOOK_BACK), at);
}
