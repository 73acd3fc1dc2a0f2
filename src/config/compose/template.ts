import { isJsonArray, isJsonObject, mapTexts } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';

/** A piece of a text with variables; offsets count UTF-16 units of the text. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'variable'; readonly name: string; readonly start: number; readonly end: number }
  /** A `${` that begins neither a variable nor a replacement reference. */
  | { readonly kind: 'malformed'; readonly start: number; readonly end: number };

/** `$${`, `${1}`, the `${name}` of a variable or parameter, and any other `${`. */
const MARK = /\$\$\{|\$\{\d+\}|\$\{(?<name>[A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^}]*\}?/gu;

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
    if (name === undefined && /^\$\{\d+\}$/u.test(mark)) {
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
