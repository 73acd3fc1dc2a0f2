import type { Scheme } from '../language/scheme.ts';
import { nearestName } from './near-name.ts';

/** Names from other dialects and old samples, with the names used here. */
const KNOWN_AS: ReadonlyMap<string, string> = new Map([
  ['http.request.host', 'http.host'],
  ['http.request.path', 'http.request.uri.path'],
  ['http.path', 'http.request.uri.path'],
  ['http.method', 'http.request.method'],
  ['http.cookies', 'http.request.cookies'],
  ['http.headers', 'http.request.headers'],
  ['http.request.user_agent', 'http.user_agent'],
  ['tcp.port', 'cf.edge.server_port'],
  ['lowercase', 'lower'],
  ['uppercase', 'upper'],
  ['tolower', 'lower'],
  ['toupper', 'upper'],
  ['length', 'len'],
  ['startswith', 'starts_with'],
  ['endswith', 'ends_with'],
  // Words of the language itself, which are lower case.
  ['not', 'not'],
  ['any', 'any'],
  ['all', 'all'],
]);

/** Returns a hint at the field that an unknown name most likely means. */
export function nameHint(name: string, { fields }: Scheme): string | undefined {
  const parts = name.split('.').slice(0, MOST_PARTS);
  const map = parts
    .map((_part, index) => parts.slice(0, index).join('.'))
    .find((front) => fields.get(front)?.kind === 'Map');
  return map === undefined
    ? (didYouMean(name, fields.keys()) ?? endingIn(name, fields.keys()))
    : `write the name in brackets: ${map}["${name.slice(map.length + 1)}"]`;
}

/** Returns a hint at the function that an unknown name most likely means, or at the operator of that name. */
export function functionHint(name: string, { functions }: Scheme): string | undefined {
  const [, left = 'http.host', last = ''] = /^(?:(.*)\.)?([^.]*)$/u.exec(name) ?? [];
  if (OPERATOR.test(last)) {
    return `${last} is an operator, as in ${left} ${last} "…"`;
  }
  return last !== name && functions.has(last)
    ? `a function takes its field in parentheses: ${last}(${left}, …)`
    : didYouMean(name, functions.keys());
}

const MOST_PARTS = 20;
const OPERATOR = /^(?:eq|ne|contains|matches|wildcard)$/u;

/** Returns a hint at the shortest field that ends in a name whose beginning is missing. */
function endingIn(name: string, known: Iterable<string>): string | undefined {
  const [shortest] = [...known]
    .filter((field) => field.endsWith(`.${name}`) && !field.startsWith('raw.'))
    .sort((one, other) => one.length - other.length);
  return shortest === undefined ? undefined : `did you mean ${shortest}?`;
}

function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const meant = KNOWN_AS.get(name.toLowerCase()) ?? nearestName(name, known);
  return meant === undefined || meant === name ? undefined : `did you mean ${meant}?`;
}
