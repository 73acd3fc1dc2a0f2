import { parseExpression } from '../../../expression/index.ts';
import { implies, isAlwaysTrue } from '../../../expression/implies.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { isJsonObject, listOf } from '../../../model/json.ts';
import type { JsonObject } from '../../../model/json.ts';
import { phaseFacts } from '../../../model/phase.ts';
import { zoneName } from '../../../model/scope.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { finding } from '../../source/finding.ts';
import { locateValue } from '../../yaml/yaml-document.ts';

/** With its styles, scripts and images, a page takes more requests than this. */
const PAGE = 10;

const STOPPING: ReadonlySet<string> = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge']);

/** Characteristics that all requests for a page and its parts share. */
const SHARED = /^(?:cf\.|ip\.|http\.host$)/u;

/** Reports a rate limit that stops a visitor before the first page is complete. */
export function lintLowLimit(
  { document, scope, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action, enabled, expression, ratelimit } = value;
  if (
    typeof action !== 'string' ||
    !STOPPING.has(action) ||
    enabled === false ||
    typeof expression !== 'string' ||
    !isJsonObject(ratelimit)
  ) {
    return [];
  }
  const { requests_per_period: requests, period, mitigation_timeout: timeout } = ratelimit;
  if (
    typeof requests !== 'number' ||
    typeof period !== 'number' ||
    requests >= PAGE ||
    !countsPages(ratelimit)
  ) {
    return [];
  }
  const zone = scope.kind === 'zone' ? zoneName(scope).bare : undefined;
  // Which requests reach a custom ruleset is up to the rules that execute it.
  if (
    address.kind !== 'entrypoint' ||
    phaseFacts(address.phase)?.stage !== 'request' ||
    !isForAll(expression, zone)
  ) {
    return [];
  }
  const length = typeof timeout === 'number' && timeout > 0 ? ` for ${timeout} seconds` : '';
  return [
    finding('lint/low-rate-limit', {
      message: `every ordinary request is counted, and one page takes more than ${requests} in ${period} seconds: its visitor gets \`${action}\`${length}`,
      hint: 'raise `requests_per_period`, or let the expression match only what has so low a limit, such as a login',
      where: locateValue(document, [...path, 'ratelimit', 'requests_per_period']),
    }),
  ];
}

/** Whether all requests for a page and its parts are counted together. */
function countsPages({
  counting_expression: counted = '',
  requests_to_origin: atOrigin,
  characteristics,
}: JsonObject): boolean {
  return (
    counted === '' &&
    atOrigin !== true &&
    listOf(characteristics).every((name) => typeof name === 'string' && SHARED.test(name))
  );
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
