import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, objectOf } from '../../data/index.ts';
import { quoteText } from '../../expression/index.ts';
import type { PageRule, PageRuleAction } from './page-rule.ts';
import { wildcard } from './page-pattern.ts';

/** The phases that take over from page rules, in the order in which they run (api.md 4.3). */
export const PAGE_RULE_PHASES = {
  redirect: 'http_request_dynamic_redirect',
  config: 'http_config_settings',
  origin: 'http_request_origin',
  cache: 'http_request_cache_settings',
} as const;

/** A phase that takes over settings of page rules. */
export type SettingsPhase = Exclude<keyof typeof PAGE_RULE_PHASES, 'redirect'>;

/** The phases of settings, in the order in which they run. */
export const SETTINGS_PHASES = ['config', 'origin', 'cache'] as const satisfies readonly SettingsPhase[];

/** Where a page rule leads. */
export type PageRedirect =
  | { readonly kind: 'to-https' }
  | { readonly kind: 'forward'; readonly url: string; readonly status: number };

/** A rule on a cookie: whether requests that have it are served from cache. */
export interface CookieRule {
  readonly name: 'bypass-cookie' | 'cache-cookie';
  readonly condition: string;
  readonly cache: boolean;
}

/** A setting that no rule can take over, and why. */
export interface LostAction {
  readonly action: string;
  readonly reason: string;
}

/** What the actions of a page rule become. */
export interface CarriedActions {
  readonly redirect: PageRedirect | null;
  readonly settings: Readonly<Record<SettingsPhase, JsonObject>>;
  /** In the order in which they have to stand, behind the settings. */
  readonly cookies: readonly CookieRule[];
  readonly lost: readonly LostAction[];
  readonly notes: readonly string[];
}

/** What one action becomes. */
type CarriedSetting =
  | { readonly kind: 'redirect'; readonly redirect: PageRedirect }
  | {
      readonly kind: 'settings';
      readonly phase: SettingsPhase;
      readonly settings: JsonObject;
      readonly note?: string;
    }
  | { readonly kind: 'cookie'; readonly rule: CookieRule }
  /** The service does this anyway. */
  | { readonly kind: 'usual'; readonly note: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Facts of a zone on which the meaning of a page rule depends. */
export interface PageRuleZone {
  /** The zone's cache level; null where it is not known. */
  readonly cacheLevel: string | null;
}

/**
 * Returns what the actions of a page rule become, after the vendor's page "Page Rules migration guide" and the parameters of api.md 5.6, 5.7, 5.10 and
 * 5.11. Unlike that page, no cache setting makes a request eligible for cache by itself: only `cache_level: cache_everything` did.
 */
export function carryActions({ actions }: Pick<PageRule, 'actions'>, zone: PageRuleZone): CarriedActions {
  const made = actions.map((action) => ({ action, carried: carry(action, zone) }));
  const of = <Kind extends CarriedSetting['kind']>(kind: Kind) =>
    made.flatMap(({ carried }) => (isOf(carried, kind) ? [carried] : []));
  const settings = of('settings');
  return {
    redirect: of('redirect')[0]?.redirect ?? null,
    settings: {
      config: merged(settings, 'config'),
      origin: merged(settings, 'origin'),
      cache: withMode(merged(settings, 'cache')),
    },
    // The vendor: where both stand, the one that caches wins, so it comes last.
    cookies: of('cookie')
      .map(({ rule }) => rule)
      .toSorted((a, b) => Number(a.cache) - Number(b.cache)),
    lost: made.flatMap(({ action, carried }) =>
      carried.kind === 'lost' ? [{ action: action.id, reason: carried.reason }] : [],
    ),
    notes: [...settings.flatMap(({ note }) => note ?? []), ...of('usual').map(({ note }) => note)],
  };
}

function isOf<Kind extends CarriedSetting['kind']>(
  carried: CarriedSetting,
  kind: Kind,
): carried is Extract<CarriedSetting, { readonly kind: Kind }> {
  return carried.kind === kind;
}

/** Joins the settings of a phase; members of `cache_key` and `edge_ttl` that several actions give are joined too. */
function merged(
  all: readonly Extract<CarriedSetting, { readonly kind: 'settings' }>[],
  phase: SettingsPhase,
): JsonObject {
  return all
    .filter((one) => one.phase === phase)
    .reduce<JsonObject>((before, { settings }) => join(before, settings), {});
}

function join(before: JsonObject, settings: JsonObject): JsonObject {
  const both = Object.entries(settings).map(([key, value]) => {
    const known = before[key];
    return [key, isJsonObject(known) && isJsonObject(value) ? { ...known, ...value } : value] as const;
  });
  return { ...before, ...Object.fromEntries(both) };
}

/** Times by status alone leave all else to the headers of the origin, as the vendor's guide has it; `mode` is required. */
function withMode(cache: JsonObject): JsonObject {
  const { edge_ttl: edge } = cache;
  return isJsonObject(edge) ? { ...cache, edge_ttl: { mode: 'respect_origin', ...edge } } : cache;
}

function carry(action: PageRuleAction, zone: PageRuleZone): CarriedSetting {
  const row = Object.hasOwn(ACTIONS, action.id) ? ACTIONS[action.id] : undefined;
  return row === undefined ? lost('Rulewright does not know it') : row(action.value, zone);
}

function lost(reason: string): CarriedSetting {
  return { kind: 'lost', reason };
}

function invalid(value: JsonValue | undefined): CarriedSetting {
  return lost(`its value ${JSON.stringify(value ?? null)} is not one that it takes`);
}

type ConvertSetting = (value: JsonValue | undefined, zone: PageRuleZone) => CarriedSetting;

const gone =
  (reason: string): ConvertSetting =>
  () =>
    lost(reason);

/** A setting that is on or off. */
const flag =
  (phase: SettingsPhase, settings: (on: boolean) => JsonObject): ConvertSetting =>
  (value) =>
    value === 'on' || value === 'off'
      ? { kind: 'settings', phase, settings: settings(value === 'on') }
      : invalid(value);

/** A setting of words that both have. */
const word =
  (phase: SettingsPhase, name: string, words: readonly string[]): ConvertSetting =>
  (value) =>
    typeof value === 'string' && words.includes(value)
      ? { kind: 'settings', phase, settings: { [name]: value } }
      : invalid(value);

const always =
  (settings: JsonObject, note?: string): ConvertSetting =>
  () => ({ kind: 'settings', phase: 'config', settings, ...(note === undefined ? {} : { note }) });

/** A time to live in seconds; 0 respects the headers of the origin. */
const ttl =
  (name: 'browser_ttl' | 'edge_ttl'): ConvertSetting =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? {
          kind: 'settings',
          phase: 'cache',
          settings: {
            [name]: value === 0 ? { mode: 'respect_origin' } : { mode: 'override_origin', default: value },
          },
        }
      : invalid(value);

const text =
  (settings: (value: string) => JsonObject): ConvertSetting =>
  (value) =>
    typeof value === 'string' && value !== ''
      ? { kind: 'settings', phase: 'origin', settings: settings(value) }
      : invalid(value);

const MANAGED = (transform: string): ConvertSetting =>
  gone(
    `only a whole zone has it now: the managed transform ${transform}, which \`settings\` of the zone file can declare`,
  );

const NOT_CARRIED =
  'the vendor has no rule for it; Security > WAF and configuration rules can skip and switch off products one by one';

/** The actions by id (api.md 9.7); what a page rule can have and no rule takes over stands here with its reason. */
const ACTIONS: Readonly<Record<string, ConvertSetting>> = {
  always_use_https: () => ({ kind: 'redirect', redirect: { kind: 'to-https' } }),
  forwarding_url: forwarding,
  automatic_https_rewrites: flag('config', (on) => ({ automatic_https_rewrites: on })),
  browser_check: flag('config', (on) => ({ bic: on })),
  disable_apps: always({ disable_apps: true }),
  disable_performance: always(
    { polish: 'off', rocket_loader: false },
    'disable_performance also switched off Mirage, which is gone',
  ),
  disable_zaraz: always({ disable_zaraz: true }),
  email_obfuscation: flag('config', (on) => ({ email_obfuscation: on })),
  opportunistic_encryption: flag('config', (on) => ({ opportunistic_encryption: on })),
  polish: word('config', 'polish', ['off', 'lossless', 'lossy']),
  rocket_loader: flag('config', (on) => ({ rocket_loader: on })),
  security_level: securityLevel,
  ssl: word('config', 'ssl', ['off', 'flexible', 'full', 'strict', 'origin_pull']),
  host_header_override: text((value) => ({ host_header: value })),
  resolve_override: text((value) => ({ origin: { host: value } })),
  browser_cache_ttl: ttl('browser_ttl'),
  bypass_cache_on_cookie: cookie('bypass-cookie', false),
  cache_by_device_type: flag('cache', (on) => ({ cache_key: { cache_by_device_type: on } })),
  cache_deception_armor: flag('cache', (on) => ({ cache_key: { cache_deception_armor: on } })),
  cache_key_fields: cacheKey,
  cache_level: cacheLevel,
  cache_on_cookie: cookie('cache-cookie', true),
  cache_ttl_by_status: statusTtl,
  edge_cache_ttl: ttl('edge_ttl'),
  explicit_cache_control: flag('cache', (on) => ({ origin_cache_control: on })),
  origin_error_page_pass_thru: flag('cache', (on) => ({ origin_error_page_passthru: on })),
  respect_strong_etag: flag('cache', (on) => ({ respect_strong_etags: on })),
  sort_query_string_for_cache: flag('cache', (on) => ({ cache_key: { ignore_query_strings_order: on } })),
  always_online: gone('only a whole zone has Always Online'),
  disable_security: gone(NOT_CARRIED),
  ip_geolocation: MANAGED('add_visitor_location_headers'),
  minify: gone('the service has retired Auto Minify'),
  mirage: gone('the service has retired Mirage'),
  response_buffering: gone('the vendor retires it and names no replacement'),
  server_side_exclude: gone('the service has retired Server Side Excludes'),
  true_client_ip_header: MANAGED('add_true_client_ip_headers'),
  waf: gone('it switches the old managed rules only: rulewright waf migrates them'),
};

function forwarding(value: JsonValue | undefined): CarriedSetting {
  const { url, status_code: status, statusCode = status } = objectOf(value ?? null);
  const code = Number(statusCode);
  return typeof url === 'string' && url !== '' && [301, 302, 303, 307, 308].includes(code)
    ? { kind: 'redirect', redirect: { kind: 'forward', url, status: code } }
    : invalid(value);
}

/** Configuration rules take three of the six levels (api.md 5.10). */
function securityLevel(value: JsonValue | undefined): CarriedSetting {
  if (value === 'low' || value === 'medium' || value === 'high') {
    return lost(
      `configuration rules no longer take the level ${value}, only off, essentially_off and under_attack`,
    );
  }
  return word('config', 'security_level', ['off', 'essentially_off', 'under_attack'])(value, {
    cacheLevel: null,
  });
}

function cacheLevel(value: JsonValue | undefined, zone: PageRuleZone): CarriedSetting {
  switch (value) {
    case 'bypass':
    case 'cache_everything':
      return { kind: 'settings', phase: 'cache', settings: { cache: value !== 'bypass' } };
    case 'aggressive':
      return zone.cacheLevel === 'aggressive'
        ? { kind: 'usual', note: 'cache_level: aggressive is what the zone does anyway' }
        : lost(
            zone.cacheLevel === null
              ? 'whether the zone does the same is not known'
              : `no cache rule brings back the standard level in a zone whose level is ${zone.cacheLevel}`,
          );
    case 'simplified':
      return {
        kind: 'settings',
        phase: 'cache',
        settings: { cache_key: { custom_key: { query_string: { exclude: { all: true } } } } },
      };
    case 'basic':
      return lost('no cache setting caches only requests without a query and leaves the others as they are');
    default:
      return invalid(value);
  }
}

/** A time to live by status: seconds, `no-cache` or `no-store`, by a code or a range (api.md 5.11). */
function statusTtl(value: JsonValue | undefined): CarriedSetting {
  const entries = Object.entries(objectOf(value ?? null)).map(([codes, given]) => statusEntry(codes, given));
  const known = entries.filter((one) => one !== undefined);
  return known.length === 0 || known.length < entries.length
    ? invalid(value)
    : {
        kind: 'settings',
        phase: 'cache',
        settings: { edge_ttl: { status_code_ttl: known } },
      };
}

function statusEntry(codes: string, given: JsonValue): JsonObject | undefined {
  const [, from, to] = /^(\d{3})(?:-(\d{3}))?$/u.exec(codes) ?? [];
  const words: Readonly<Record<string, number>> = { 'no-cache': 0, 'no-store': -1 };
  const value = typeof given === 'string' ? (words[given] ?? Number(given || 'none')) : given;
  if (from === undefined || typeof value !== 'number' || !Number.isInteger(value) || value < -1) {
    return undefined;
  }
  return to === undefined
    ? { status_code: Number(from), value }
    : { status_code_range: { from: Number(from), to: Number(to) }, value };
}

/** Members of a custom cache key, and those of each of them, that a cache rule has too. */
const KEY_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  cookie: ['include', 'check_presence'],
  header: ['include', 'check_presence'],
  host: ['resolved'],
  query_string: ['include', 'exclude', 'ignore'],
  user: ['device_type', 'geo', 'lang'],
};

function cacheKey(value: JsonValue | undefined): CarriedSetting {
  const custom: Record<string, JsonValue> = {};
  for (const [name, given] of Object.entries(objectOf(value ?? null))) {
    const part = keyPart(name, objectOf(given));
    if (part === undefined) {
      return lost(`a cache rule has no ${name} as this page rule has it: ${JSON.stringify(given)}`);
    }
    if (Object.keys(part).length > 0) {
      custom[name] = part;
    }
  }
  return Object.keys(custom).length === 0
    ? invalid(value)
    : { kind: 'settings', phase: 'cache', settings: { cache_key: { custom_key: custom } } };
}

function keyPart(name: string, given: JsonObject): JsonObject | undefined {
  const { exclude, ...rest } = given;
  const excludesOrigin =
    name === 'header' && Array.isArray(exclude) && exclude.every((one) => one === 'origin');
  const part = excludesOrigin ? rest : given;
  const allowed = KEY_MEMBERS[name] ?? [];
  if (!Object.keys(part).every((key) => allowed.includes(key))) {
    return undefined;
  }
  return {
    ...(name === 'query_string' ? queryPart(part) : withoutEmpty(part)),
    ...(excludesOrigin && exclude.length > 0 ? { exclude_origin: true } : {}),
  };
}

function withoutEmpty(part: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

/** `*` stands for all; the canonical form of api.md 5.11. */
function queryPart(part: JsonObject): JsonObject {
  const { ignore, ...lists } = withoutEmpty(part);
  if (ignore === true) {
    return { exclude: { all: true } };
  }
  return Object.fromEntries(
    Object.entries(lists).map(([key, value]) => [
      key,
      value === '*' || (Array.isArray(value) && value.includes('*')) ? { all: true } : { list: value },
    ]),
  );
}

/**
 * The value is alternatives with `.*` between literal text, looked for anywhere in the Cookie header (vendor's "Additional reference for Page
 * Rules"); plans without regular expressions have them as `contains` and `wildcard`.
 */
function cookie(name: CookieRule['name'], cache: boolean): ConvertSetting {
  return (value) => {
    if (typeof value !== 'string' || !/^[\w.*=|%~ -]+$/u.test(value) || /(?<!\.)\*|\.(?!\*)/u.test(value)) {
      return typeof value === 'string'
        ? lost(`its expression ${value} has more than names, | and .*`)
        : invalid(value);
    }
    const tests = value.split('|').map(cookieTest);
    const condition = tests.includes(null) ? null : tests.join(' or ');
    return condition === null
      ? lost(`its expression ${value} matches every request`)
      : { kind: 'cookie', rule: { name, condition: tests.length > 1 ? `(${condition})` : condition, cache } };
  };
}

function cookieTest(alternative: string): string | null {
  const parts = alternative.split('.*').filter((part) => part !== '');
  const [only] = parts;
  if (only === undefined) {
    return null;
  }
  return parts.length === 1
    ? `http.cookie contains ${quoteText(only)}`
    : `http.cookie strict wildcard ${wildcard(`*${parts.join('*')}*`)}`;
}
