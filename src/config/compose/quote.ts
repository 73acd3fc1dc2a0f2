import { isCollection } from '../../expression/values/type.ts';
import { FIELDS, quoteText, rawText } from '../../expression/index.ts';
import type { Type } from '../../expression/index.ts';
import type { LiteralPlace } from './literal-places.ts';
import { expectsPattern } from './literal-places.ts';
import type { VariableValue } from './variable.ts';

/** A value as an expression spells it, or why the value cannot stand at its place. */
export type Quoted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'closes-quote' | 'in-escape' | 'list-in-text' | Misfit };

/** A value of another kind than its place in the code of an expression accepts. */
export type Misfit = 'list-as-value' | 'value-as-list' | 'text-as-number' | 'number-as-text';

/**
 * Spells a value for a place of an expression so that it is read as exactly that value: a text as a literal, or as part of the literal around it;
 * a list as a set, or as items of the set around it. Where an address is compared, a text that looks like an address is not quoted.
 */
export function quoteValue(value: VariableValue, place: LiteralPlace): Quoted {
  if (place.kind !== 'code') {
    return inLiteral(value, place);
  }
  const misfit = misfitOf(value, place);
  return misfit === undefined ? textOf(inCode(value, place)) : { kind: misfit };
}

/** Half of a surrogate pair, which no UTF-8 text can hold. */
const LONE_SURROGATE = /\p{Cs}/u;

type CodePlace = Extract<LiteralPlace, { kind: 'code' }>;

/** Returns how a value misfits its place, as far as the text before it tells; the parser would only say which character it expects. */
function misfitOf(value: VariableValue, { before, inSet }: CodePlace): Misfit | undefined {
  const isList = typeof value === 'object';
  if (!inSet && isList !== /\bin\s*$/u.test(before)) {
    return isList ? 'list-as-value' : 'value-as-list';
  }
  const items = isList ? value : [value];
  switch (comparedKind(before)) {
    case 'Int':
      return items.every((item) => typeof item === 'number') ? undefined : 'text-as-number';
    case 'Bytes':
      return items.every((item) => typeof item === 'string') ? undefined : 'number-as-text';
    default:
      return undefined;
  }
}

function inCode(value: VariableValue, { before, inSet }: CodePlace): string | undefined {
  // Determined once for all items, of which there may be many.
  const spell = spellingOf(before);
  if (typeof value === 'object') {
    const items = value.map((item) => scalarInCode(item, spell));
    const joined = items.includes(undefined) ? undefined : items.join(' ');
    return joined === undefined || inSet ? joined : `{${joined}}`;
  }
  return scalarInCode(value, spell);
}

type Spelling = (text: string) => string | undefined;

/** Returns how a text is spelled behind `before`. */
function spellingOf(before: string): Spelling {
  if (expectsPattern(before)) {
    return rawText;
  }
  return comparedKind(before) === 'Ip'
    ? (text) => (/^[0-9A-Fa-f:./]+$/u.test(text) ? text : quoteText(text))
    : quoteText;
}

function scalarInCode(value: string | number | boolean, spell: Spelling): string | undefined {
  if (typeof value !== 'string') {
    return String(value);
  }
  return LONE_SURROGATE.test(value) ? undefined : spell(value);
}

/** The last field before a comparison; keys in brackets behind the field are skipped. */
const COMPARED =
  /([a-z_][a-z0-9_.]*)(?:\[[^\]]*\])*\s*(?:\b(?:in|eq|ne|lt|le|gt|ge|contains|matches|wildcard|strict\s+wildcard)|[=!<>]=|[<>~])\s*$/iu;

/** Returns the type of value that is compared right before a place; undefined where no known field stands there. */
function comparedKind(before: string): Type['kind'] | undefined {
  const name = COMPARED.exec(before)?.[1];
  let type: Type | undefined = name === undefined ? undefined : FIELDS.get(name)?.type;
  while (type !== undefined && isCollection(type)) {
    type = type.of;
  }
  return type?.kind;
}

function inLiteral(value: VariableValue, place: Exclude<LiteralPlace, CodePlace>): Quoted {
  if (typeof value === 'object') {
    return { kind: 'list-in-text' };
  }
  const text = String(value);
  switch (place.kind) {
    case 'escape':
      return { kind: 'in-escape' };
    case 'quoted':
      return textOf(LONE_SURROGATE.test(text) ? undefined : quoteText(text).slice(1, -1));
    case 'raw':
      return textOf((place.hashes === 0 ? /["\p{Cs}]/u : /["#\p{Cs}]/u).test(text) ? undefined : text);
    default:
      return textOf(/["\\[\]\p{Cs}]/u.test(text) ? undefined : text);
  }
}

function textOf(text: string | undefined): Quoted {
  return text === undefined ? { kind: 'closes-quote' } : { kind: 'text', text };
}
