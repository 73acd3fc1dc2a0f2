import type { Operand } from '../language/ast.ts';
import { FIELDS } from '../language/catalogue.ts';
import type { Place } from '../language/place.ts';
import { parseExpression } from '../parse/parse.ts';
import { unfold } from './claim.ts';
import type { Claim } from './claim.ts';

/** How the values of a field begin. */
const STARTS: ReadonlyMap<string, string> = new Map(
  [
    // rules-language.md 5; what follows in the whole URI is the query (fields.json).
    ['http.request.uri.path', '/'],
    ['http.request.uri', '/'],
    // The scheme comes first (fields.json).
    ['http.request.full_uri', 'http'],
  ].flatMap(([name = '', start = '']) => [
    [name, start],
    [`raw.${name}`, start],
  ]),
);

/** A host name and a method (fields.json) have a character at least: a request without either is refused (RFC 9110 4.2.1, 9.1). */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['http.host', 'http.request.method', ...STARTS.keys()]);

/** The only value of what the service no longer works out (rules-language.md 4.2). */
const ALWAYS: ReadonlyMap<string, number> = new Map([['cf.threat_score', 0]]);

const known = new Map<string, readonly Claim[]>();

/** What no request is, as far as it is about one field; proofs that every request meets a condition may add it to the condition. */
export function neverOf(field: string): readonly Claim[] {
  const before = known.get(field);
  if (before !== undefined) {
    return before;
  }
  const claims = impossible(field).flatMap(claimed);
  known.set(field, claims);
  return claims;
}

/** What a request over IPv6 is: whoever asks about the others may add it to a condition. */
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

/** Packets have the fields of their own protocol alone, and errors and responses are not always there. */
const SOMETIMES: ReadonlySet<Place | undefined> = new Set(['packet', 'response', 'response-error']);
const SCALAR: ReadonlySet<string> = new Set(['Bool', 'Int', 'Bytes', 'Ip']);
/** Functions that have a value wherever their first argument has one. */
const TOTAL: ReadonlySet<string> = new Set(['len', 'lower', 'upper']);

/** Whether every request has a value there: scalar fields of requests always have (rules-language.md 2.3). */
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
