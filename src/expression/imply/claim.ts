import type { Condition, Operand } from '../language/ast.ts';
import { constantOf, FIELDS } from '../language/catalogue.ts';
import type { Sense } from '../equal/normal-meaning.ts';
import { DUAL, OPPOSITE } from '../equal/normal-meaning.ts';
import { ungroup } from '../language/field-tests.ts';
import type { ExpressionPlace } from '../language/expression-place.ts';
import { parseExpression } from '../parse/parse-expression.ts';

/** A condition, asserted as it stands or negated. */
export interface Claim {
  readonly condition: Condition;
  readonly sense: Sense;
}

/** Strips parentheses and `not` from a claim. */
export function unfold({ condition, sense }: Claim): Claim {
  const inner = ungroup(condition);
  return inner.kind === 'not'
    ? unfold({ condition: inner.item, sense: OPPOSITE[sense] })
    : { condition: inner, sense };
}

/** Returns the operands of a claim that is an `and` or `or`, for a negated claim by De Morgan; undefined for any other claim. */
export function partsOf({ condition, sense }: Claim, kind: 'and' | 'or'): readonly Claim[] | undefined {
  const written = sense === 'as is' ? kind : DUAL[kind];
  return condition.kind === written ? condition.items.map((item) => ({ condition: item, sense })) : undefined;
}

/** Whether a claim is the constant `true` or `false`. */
export function isConstant({ condition, sense }: Claim, value: boolean): boolean {
  return constantOf(condition) === (sense === 'as is' ? value : !value);
}

/** The text with which every value of a field begins. */
const STARTS: ReadonlyMap<string, string> = new Map(
  [
    // rules-language.md 5; in http.request.uri the query follows the path (fields.json).
    ['http.request.uri.path', '/'],
    ['http.request.uri', '/'],
    // A full URI begins with the scheme (fields.json).
    ['http.request.full_uri', 'http'],
  ].flatMap(([name = '', start = '']) => [
    [name, start],
    [`raw.${name}`, start],
  ]),
);

/** Fields whose values have at least one character. A request without a host name or a method (fields.json) is refused (RFC 9110 4.2.1, 9.1). */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['http.host', 'http.request.method', ...STARTS.keys()]);

/** The constant value of fields that the service no longer computes (rules-language.md 4.2). */
const ALWAYS: ReadonlyMap<string, number> = new Map([['cf.threat_score', 0]]);

const known = new Map<string, readonly Claim[]>();

/** Returns claims about one field that no request satisfies. A proof that every request satisfies a condition may add them as alternatives. */
export function neverOf(field: string): readonly Claim[] {
  const before = known.get(field);
  if (before !== undefined) {
    return before;
  }
  const claims = impossible(field).flatMap(claimed);
  known.set(field, claims);
  return claims;
}

/** Returns the claim that a request came over IPv6. Added as an alternative, it limits a proof to requests over IPv4. */
export function overIpv6(): readonly Claim[] {
  return claimed('ip.src in {::/0}');
}

function claimed(text: string): readonly Claim[] {
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter'
    ? [unfold({ condition: parsed.tree.root, sense: 'as is' })]
    : [];
}

function impossible(field: string): readonly string[] {
  const start = STARTS.get(field);
  const only = ALWAYS.get(field);
  const between = only === undefined ? FIELDS.get(field)?.between : [only, only];
  return [
    ...(start === undefined ? [] : [`not starts_with(${field}, "${start}")`]),
    ...(NEVER_EMPTY.has(field) ? [`${field} eq ""`, `len(${field}) lt 1`] : []),
    ...(between === undefined ? [] : [`${field} lt ${between[0]}`, `${field} gt ${between[1]}`]),
  ];
}

/** Places whose fields not every request has: packets have only the fields of their protocol, and there is not always an error or a response. */
const SOMETIMES: ReadonlySet<ExpressionPlace | undefined> = new Set(['packet', 'response', 'response-error']);
const SCALAR: ReadonlySet<string> = new Set(['Bool', 'Int', 'Bytes', 'Ip']);
/** Functions that have a value whenever their first argument has one. */
const TOTAL: ReadonlySet<string> = new Set(['len', 'lower', 'upper']);

/** Whether every request has a value for the operand: scalar fields of requests always have one (rules-language.md 2.3). */
export function isNeverMissing({ source, indexes }: Operand): boolean {
  if (indexes.length > 0) {
    return false;
  }
  if (source.kind === 'call') {
    const [first] = source.arguments;
    return TOTAL.has(source.name) && first?.kind === 'operand' && isNeverMissing(first);
  }
  const field = FIELDS.get(source.name);
  return field !== undefined && SCALAR.has(field.type.kind) && !SOMETIMES.has(field.place);
}
