import { assertNever } from '../../model/assert-never.ts';
import type { Argument, Operand } from '../../expression/language/ast.ts';
import { parseExpression } from '../../expression/parse/parse.ts';
import type { JsonValue } from '../../model/json.ts';
import { objectOf, textOf } from '../../model/json.ts';
import { quoted } from '../../model/quoted.ts';
import { zoneName } from '../../model/scope.ts';
import type { Reading, Trait } from './trait.ts';

/** Where a redirect leads: to the requested host, to a named host, to a URL without TLS, or to an unknown host. */
type Destination =
  | { readonly kind: 'same' | 'unencrypted' | 'unknown' }
  | { readonly kind: 'host'; readonly host: string };

const SAME_HOST: Destination = { kind: 'same' };
const UNKNOWN_HOST: Destination = { kind: 'unknown' };

/**
 * Reads a redirect target. Leading out of the zone, or to an unknown host, counts as permitting: whoever receives the visitors of a login page
 * gets their passwords.
 */
export const redirectTarget: Reading = (target, { path, stand: { scope } }) => {
  const destination = destinationOf(target);
  const zone = scope.kind === 'zone' ? zoneName(scope).bare.toLowerCase() : undefined;
  switch (destination.kind) {
    case 'same':
      return [];
    case 'unencrypted':
      return [[path, away('an address without TLS', target)]];
    case 'unknown':
      return [[path, away('a host that is not known', target)]];
    case 'host': {
      const { host } = destination;
      const isInside = zone !== undefined && (host === zone || host.endsWith(`.${zone}`));
      return isInside ? [] : [[path, away(host, host)]];
    }
    default:
      return assertNever(destination);
  }
};

/** Reads a redirect by list, whose items no plan knows. */
export const redirectList: Reading = (list, { path }) => [
  [path, away(`where the list ${quoted(textOf(objectOf(list)['name']))} says`, list)],
];

function away(where: string, value: JsonValue): Trait {
  return { role: 'permits', label: `a redirect to ${where}`, value, changed: `sends visitors to ${where}` };
}

function destinationOf(target: JsonValue): Destination {
  const { value, expression } = objectOf(target);
  if (typeof expression !== 'string') {
    return leadsTo(textOf(value), 'whole');
  }
  const parsed = parseExpression(expression, { mode: 'value' });
  return parsed.ok && parsed.tree.mode === 'value' ? computed(parsed.tree.root) : UNKNOWN_HOST;
}

/** Fields whose value begins with the slash that ends a host name. */
const PATHS: ReadonlySet<string> = new Set([
  'http.request.uri',
  'http.request.uri.path',
  'raw.http.request.uri',
  'raw.http.request.uri.path',
]);
/** Stands for the requested host, or for the beginning of its name. */
const ASKED = 'asked.invalid';

/** Returns where a computed target leads, as far as its fixed beginning tells. */
function computed({ source }: Operand): Destination {
  if (source.kind !== 'call') {
    return UNKNOWN_HOST;
  }
  if (source.name === 'concat') {
    return joined(source.arguments);
  }
  const [given, pattern, replacement] = source.arguments;
  return source.name === 'wildcard_replace' && fieldOf(given) === 'http.request.full_uri'
    ? rewritten(literalOf(pattern), literalOf(replacement))
    : UNKNOWN_HOST;
}

function joined(parts: readonly Argument[]): Destination {
  let known = '';
  for (const part of parts) {
    const field = fieldOf(part);
    const text = field === 'http.host' ? ASKED : literalOf(part);
    if (text === undefined) {
      return leadsTo(`${known}${field !== undefined && PATHS.has(field) ? '/' : ''}`, 'beginning');
    }
    known += text;
  }
  return leadsTo(known, 'whole');
}

/** Handles `wildcard_replace` of the full URI; a URL that does not match the pattern stays as it is. */
function rewritten(pattern = '', replacement = ''): Destination {
  const isAskedFirst = /^https?:\/\/\*/u.test(pattern) && replacement.startsWith('https://${1}');
  const [fixed = '', ...more] = (isAskedFirst ? replacement.replace('${1}', ASKED) : replacement).split('${');
  return leadsTo(fixed, more.length === 0 ? 'whole' : 'beginning');
}

function fieldOf(part: Argument | undefined): string | undefined {
  return part?.kind === 'operand' && part.source.kind === 'field' && part.indexes.length === 0
    ? part.source.name
    : undefined;
}

function literalOf(part: Argument | undefined): string | undefined {
  return part?.kind === 'bytes' ? part.value : undefined;
}

/** Returns where a URL leads, given all of it or its beginning. Browsers read a backslash as a slash, and ignore white space. */
function leadsTo(known: string, extent: 'whole' | 'beginning'): Destination {
  const text = extent === 'whole' ? known.replace(/^[^?#]*$/u, '$&#') : known;
  if (/^\/[^/\\\s]/u.test(text)) {
    return SAME_HOST;
  }
  const [, scheme, authority = ''] = /^(https?):\/\/([^/\\?#]+)[/\\?#]/iu.exec(text) ?? [];
  const host = authority.toLowerCase().replace(/:\d*$/u, '');
  if (scheme === undefined || !/^[a-z0-9.-]+$/u.test(host)) {
    return UNKNOWN_HOST;
  }
  if (scheme.toLowerCase() === 'http') {
    return { kind: 'unencrypted' };
  }
  return `.${host}`.endsWith(`.${ASKED}`) ? SAME_HOST : { kind: 'host', host: host.replace(ASKED, '*') };
}
