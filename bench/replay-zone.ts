import type { SimulatedRule, SimulatedScope } from '../src/simulate/index.ts';
import type { ReplayZone } from '../src/traffic/index.ts';

const HOST = 'shop.example';

type Content = Partial<SimulatedRule['content']>;

function rule(id: number, expression: string, over: Content): SimulatedRule {
  const text = id.toString(16).padStart(32, '0');
  return {
    id: text,
    ref: `rule-${id}`,
    content: { action: 'block', description: '', enabled: true, expression, ...over },
  };
}

/** Conditions of a hundred rules such as a shop has: few match, and most ask for two things. */
const CONDITIONS: readonly ((index: number) => string)[] = [
  (index) => `http.request.uri.path eq "/admin/${index}" and not ip.src in {203.0.113.0/24 198.51.100.0/24}`,
  (index) =>
    `starts_with(http.request.uri.path, "/api/v${index}/") and http.request.method in {"PUT" "DELETE"}`,
  (index) => `http.user_agent contains "bot-${index}" or lower(http.user_agent) contains "crawler-${index}"`,
  (index) => `ip.src in {10.${index}.0.0/16 172.16.${index}.0/24} and cf.bot_management.score lt 30`,
  (index) =>
    `ip.src.country in {"KP" "AQ" "X${index % 10}"} and not http.request.uri.path contains "/public/${index}"`,
  (index) => `http.host eq "old-${index}.${HOST}" and http.request.uri.query contains "id=${index}"`,
  (index) => `ip.src.asnum in {${64_000 + index} ${65_000 + index}} and cf.waf.score lt 20`,
  (index) => `http.request.uri.path matches "^/wp-(?:login|admin)-${index}\\\\.php$"`,
];

function conditionOf(index: number): string {
  return CONDITIONS[index % CONDITIONS.length]?.(index) ?? 'true';
}

const URI = { uri: { path: { expression: 'concat("/shop", http.request.uri.path)' } } };

/** The phases of the zone: how many rules, and what they do. */
const PHASES: readonly (readonly [phase: string, rules: number, content: Content])[] = [
  [
    'http_request_dynamic_redirect',
    5,
    {
      action: 'redirect',
      action_parameters: {
        from_value: { status_code: 301, target_url: { value: 'https://www.shop.example/' } },
      },
    },
  ],
  ['http_request_transform', 4, { action: 'rewrite', action_parameters: URI }],
  ['http_config_settings', 4, { action: 'set_config', action_parameters: { email_obfuscation: false } }],
  ['http_request_firewall_custom', 64, {}],
  [
    'http_request_late_transform',
    5,
    { action: 'rewrite', action_parameters: { headers: { 'x-a': { operation: 'set', value: 'b' } } } },
  ],
  ['http_request_cache_settings', 14, { action: 'set_cache_settings', action_parameters: { cache: true } }],
];

/** Returns a zone with a hundred rules, of which a plan changes three; with a rate limit for logins if that is wanted. */
export function hundredRules({ limits }: { readonly limits: boolean }): ReplayZone {
  let id = 0;
  const rulesets = PHASES.map(([phase, count, content]) => ({
    address: { kind: 'entrypoint' as const, phase },
    rules: Array.from({ length: count }, () => {
      id += 1;
      return rule(id, conditionOf(id), content);
    }),
  }));
  const managed = { action: 'execute', action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' } };
  const login = {
    ratelimit: {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 60,
      requests_per_period: 5,
      mitigation_timeout: 600,
    },
  };
  const live: SimulatedScope = {
    scope: { kind: 'zone', name: HOST },
    rulesets: [
      ...rulesets,
      {
        address: { kind: 'entrypoint', phase: 'http_request_firewall_managed' },
        rules: [rule(900, 'true', managed)],
      },
      ...(limits
        ? [
            {
              address: { kind: 'entrypoint' as const, phase: 'http_ratelimit' },
              rules: [rule(901, 'http.request.uri.path eq "/login"', login)],
            },
          ]
        : []),
    ],
  };
  const desired: SimulatedScope = {
    ...live,
    rulesets: live.rulesets.map((ruleset) =>
      ruleset.address.phase === 'http_request_firewall_custom'
        ? {
            ...ruleset,
            rules: [
              ...ruleset.rules.slice(1),
              rule(1000, 'cf.bot_management.score lt 10 and not cf.client.bot', {
                action: 'managed_challenge',
              }),
              rule(1001, 'http.request.uri.path in {"/.env" "/.git/config"}', {}),
            ],
          }
        : ruleset,
    ),
  };
  const account: SimulatedScope = { scope: { kind: 'account', name: 'Shop' }, rulesets: [] };
  return {
    zone: { name: HOST, plan: 'ENT' },
    live: [account, live],
    desired: [account, desired],
    lists: {},
    desiredLists: {},
    since: 0,
    earlier: [],
  };
}
