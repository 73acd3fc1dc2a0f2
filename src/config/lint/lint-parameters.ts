import type { Diagnostic } from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { isJsonObject, listOf, objectOf } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { namedLists, parseExpression, implies, isAlwaysTrue } from '../../expression/index.ts';
import { lowLimit, phaseFacts, zoneName, stopsRequests, readCacheSettings } from '../../model/index.ts';
import { duration } from '../../text/index.ts';

/** Reports parameters that the service accepts but that cannot mean what they say (api.md 5.5, 5.11, 5.14, 5.15). */
export function lintParameters(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  const { document } = ruleset;
  const { action, action_parameters: parameters } = rule.value;
  if (!isJsonObject(parameters)) {
    return [];
  }
  switch (action) {
    case 'compress_response':
      return algorithms(document, rule, parameters);
    case 'set_cache_settings':
      return [...emptyRanges(document, rule, parameters), ...uncached(ruleset, rule, parameters)];
    case 'log_custom_field':
      return loggedNames(document, rule, parameters);
    default:
      return [];
  }
}

/** No algorithm behind one of these is ever chosen. */
const CLOSING: ReadonlySet<unknown> = new Set(['none', 'auto', 'default']);

function algorithms(
  document: YamlDocument,
  { path }: DeclaredRule,
  { algorithms: list }: JsonObject,
): readonly Diagnostic[] {
  const names = listOf(list).map((entry) => objectOf(entry)['name']);
  const at = names.findIndex((name) => CLOSING.has(name));
  return at < 0 || at === names.length - 1
    ? []
    : [
        finding('lint/compression-order', {
          message: `no algorithm after ${oneOfThese([names[at]])} is ever used`,
          hint: `put it last: ${oneOfThese([...CLOSING], 'and')} leave nothing to choose`,
          where: locateValue(document, [...path, 'action_parameters', 'algorithms', at, 'name']),
        }),
      ];
}

function emptyRanges(
  document: YamlDocument,
  { path }: DeclaredRule,
  { edge_ttl: edge }: JsonObject,
): readonly Diagnostic[] {
  const list = objectOf(edge)['status_code_ttl'];
  return listOf(list).flatMap((entry, index): readonly Diagnostic[] => {
    const { from, to } = objectOf(objectOf(entry)['status_code_range']);
    const place = [...path, 'action_parameters', 'edge_ttl', 'status_code_ttl', index, 'status_code_range'];
    return typeof from !== 'number' || typeof to !== 'number' || from <= to
      ? []
      : [
          finding('lint/status-range', {
            message: `the range of statuses from ${from} to ${to} is empty`,
            hint: `write the lower one first: from ${to} to ${from}`,
            where: locateKey(document, place),
          }),
        ];
  });
}

/** Parameters that only say how the edge caches. What the browser keeps is set apart from it. */
const OF_EDGE = ['edge_ttl', 'cache_key', 'cache_reserve', 'serve_stale'];

/** Reports how the edge is to cache beside `cache: false`. Settings add up, so a later rule could turn caching on again and keep them. */
function uncached(
  { document, rules }: DeclaredRuleset,
  { path, value: own }: DeclaredRule,
  { cache, ...others }: JsonObject,
): readonly Diagnostic[] {
  const later = rules.slice(rules.findIndex(({ value }) => value === own) + 1);
  const isOnAgain = later.some(({ value }) => readCacheSettings(value['action_parameters']).caches === true);
  return cache !== false || isOnAgain
    ? []
    : OF_EDGE.filter((name) => others[name] !== undefined).map((name) =>
        finding('lint/uncached', {
          message: `\`${name}\` has no effect beside \`cache: false\`: the edge keeps nothing`,
          hint: 'take one of the two out; to cache, write `cache: true`',
          where: locateKey(document, [...path, 'action_parameters', name]),
        }),
      );
}

const HEADER_LISTS = [
  'request_fields',
  'transformed_request_fields',
  'response_fields',
  'raw_response_fields',
] as const;

function loggedNames(
  document: YamlDocument,
  { path }: DeclaredRule,
  parameters: JsonObject,
): readonly Diagnostic[] {
  return HEADER_LISTS.flatMap((list) => {
    const fields = parameters[list];
    return listOf(fields).flatMap((field, index): readonly Diagnostic[] => {
      const { name } = objectOf(field);
      return typeof name !== 'string' || name === name.toLowerCase()
        ? []
        : [
            finding('lint/log-field-case', {
              message: `the name of a logged header has to be in lower case, not \`${name}\``,
              hint: `write \`${name.toLowerCase()}\``,
              where: locateValue(document, [...path, 'action_parameters', list, index, 'name']),
            }),
          ];
    });
  });
}

/** Reports custom log fields in any form other than one rule for all requests, which alone is supported (api.md 4.2). */
export function lintLogRules({ address, document, rules }: DeclaredRuleset): readonly Diagnostic[] {
  if (phaseFacts(address.phase)?.isOneRule !== true) {
    return [];
  }
  const odd = rules.find(({ value: { expression } }, index) => index > 0 || expression !== 'true');
  return odd === undefined
    ? []
    : [
        finding('lint/log-rule', {
          message: 'the service supports custom log fields as one rule with the expression `true`',
          hint: 'put all fields into one rule that matches every request',
          where: locateKey(document, odd.path),
        }),
      ];
}

/** Reports what does not go together in a rate limit, which the schema cannot express (api.md 8.3). */
export function lintRateLimit(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { ratelimit, expression } = value;
  if (!isJsonObject(ratelimit)) {
    return [];
  }
  const [list] = typeof expression === 'string' ? namedLists(expression, 'filter') : [];
  return list === undefined || ratelimit['requests_to_origin'] !== true
    ? []
    : [
        finding('lint/rate-limit-expression', {
          message: `a rate limit whose expression uses the list $${list.name} cannot count only what reaches the origin`,
          hint: 'remove `requests_to_origin`, or write the items of the list into the expression',
          where: locateValue(document, [...path, 'ratelimit', 'requests_to_origin']),
        }),
      ];
}

/** Reports a rate limit with which no ordinary visitor gets along. */
export function lintLowLimit(
  { document, scope, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action, enabled, expression, ratelimit } = value;
  if (
    typeof action !== 'string' ||
    !stopsRequests(action) ||
    enabled === false ||
    typeof expression !== 'string' ||
    !isJsonObject(ratelimit)
  ) {
    return [];
  }
  const { counting_expression: counted = '' } = ratelimit;
  const low = counted === '' ? lowLimit(ratelimit) : undefined;
  if (low === undefined) {
    return [];
  }
  const { requests, period, timeout, isShared } = low;
  const zone = scope.kind === 'zone' ? zoneName(scope).bare : undefined;
  // Which requests reach a custom ruleset is up to the rules that execute it.
  if (
    address.kind !== 'entrypoint' ||
    phaseFacts(address.phase)?.stage !== 'request' ||
    !isForAll(expression, zone)
  ) {
    return [];
  }
  const length = timeout > 0 ? ` for ${duration(timeout)}` : '';
  const who = isShared ? 'all visitors of a data centre together make' : 'an ordinary visitor makes';
  return [
    finding('lint/low-rate-limit', {
      message: `every ordinary request is counted, and ${who} more than ${requests} in ${duration(period)}: they get \`${action}\`${length}`,
      hint: 'raise `requests_per_period`, or let the expression match only what has so low a limit, such as a login',
      where: locateValue(document, [...path, 'ratelimit', 'requests_per_period']),
    }),
  ];
}

/**
 * Returns requests of two visitors, who differ in where they come from and what they look at, for pages and for parts of a page. A condition that
 * all of them meet, as far as that can be proven, is one for ordinary requests. Trying requests, as a plan does, would take the code that evaluates
 * conditions, which validate does not load.
 */
function visitors(zone: string | undefined): readonly string[] {
  const host = (name: string): string => (zone === undefined ? '' : ` and http.host eq "${name}"`);
  const get = 'ssl and http.request.method eq "GET"';
  const path = (text: string): string => `http.request.uri.path eq "${text}"`;
  return [
    `${get} and ip.src eq 91.64.12.7 and ${path('/products/chair')}${host(`www.${zone ?? ''}`)}`,
    `${get} and ip.src eq 2601:646:8a00::7 and ${path('/about')}${host(zone ?? '')}`,
    ...['/assets/site.css', '/js/site.js', '/images/chair.png'].map(
      (part) => `${get} and ip.src eq 91.64.12.7 and ${path(part)}${host(`www.${zone ?? ''}`)}`,
    ),
  ];
}

function isForAll(text: string, zone: string | undefined): boolean {
  const parsed = parseExpression(text);
  return (
    parsed.ok &&
    (isAlwaysTrue(parsed.tree) ||
      visitors(zone).every((visitor) => {
        const request = parseExpression(visitor);
        return request.ok && implies(request.tree, parsed.tree);
      }))
  );
}
