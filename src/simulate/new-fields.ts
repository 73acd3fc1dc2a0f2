import {
  arrayOf,
  CATALOGUE,
  checkExpression,
  FIELDS,
  mapOf,
  parseExpression,
  encodeBytes,
} from '../expression/index.ts';
import type { ParseResult, Scheme, Type } from '../expression/index.ts';
import type { SimulatedScope } from './scope-rules.ts';

/** Fields that this version does not know, and a comment permits, with types under which the expressions parse. */
export type NewFields = ReadonlyMap<string, Type>;

export const NO_NEW_FIELDS: NewFields = new Map();

const PLAIN: readonly Type[] = [{ kind: 'Bool' }, { kind: 'Int' }, { kind: 'Bytes' }, { kind: 'Ip' }];

/** The types that fields have, the most usual first. */
const TYPES: readonly Type[] = [
  ...PLAIN,
  ...PLAIN.map(arrayOf),
  ...PLAIN.map(mapOf),
  mapOf(arrayOf({ kind: 'Bytes' })),
];

/** The most fields in one expression whose types are tried. */
const MOST = 3;

/** Returns the new fields in the conditions of rules, if some of the names are not of fields that this version knows. */
export function newFieldsFor(names: Iterable<string>, scopes: readonly SimulatedScope[]): NewFields {
  return [...names].every((name) => FIELDS.has(name)) ? NO_NEW_FIELDS : newFieldsIn(scopes);
}

function newFieldsIn(scopes: readonly SimulatedScope[]): NewFields {
  const texts = scopes.flatMap(({ rulesets }) =>
    rulesets.flatMap(({ rules }) => rules.map(({ content }) => content.expression)),
  );
  return [...new Set(texts)].reduce<NewFields>(
    (known, text) => (parseExpression(text).ok ? known : (newFieldsOf(text, known) ?? known)),
    NO_NEW_FIELDS,
  );
}

/** Parses the condition of a rule; one with fields that this version does not know parses too, and these are named. */
export function parseCondition(
  text: string,
  known: NewFields = NO_NEW_FIELDS,
): { readonly parsed: ParseResult; readonly newFields: ReadonlySet<string> } {
  const parsed = parseExpression(text);
  const solved = parsed.ok ? undefined : newFieldsOf(text, known);
  return solved === undefined
    ? { parsed, newFields: new Set() }
    : { parsed: parseExpression(text, { scheme: schemeWith(solved) }), newFields: new Set(solved.keys()) };
}

/** Adds to fields those that an expression needs to parse; undefined if no field makes it parse. */
function newFieldsOf(text: string, known: NewFields): NewFields | undefined {
  return solve(text, known, MOST);
}

function solve(text: string, known: NewFields, most: number): NewFields | undefined {
  const scheme = schemeWith(known);
  if (parseExpression(text, { scheme }).ok) {
    return known;
  }
  const name = most === 0 ? undefined : firstUnknown(text, scheme);
  for (const type of name === undefined ? [] : TYPES) {
    const solved = solve(text, new Map([...known, [name ?? '', type]]), most - 1);
    if (solved !== undefined) {
      return solved;
    }
  }
  return undefined;
}

/** Returns the field that is the first thing wrong with an expression; undefined if that is something else. */
function firstUnknown(text: string, scheme: Scheme): string | undefined {
  const [first] = checkExpression(text, { scheme }).findings;
  return first?.code === 'expression/unknown-field'
    ? encodeBytes(text).slice(first.span.start, first.span.end)
    : undefined;
}

/** Returns the rules language with more fields. */
function schemeWith(fields: NewFields): Scheme {
  return fields.size === 0 ? CATALOGUE : { ...CATALOGUE, fields: new Map([...CATALOGUE.fields, ...fields]) };
}
