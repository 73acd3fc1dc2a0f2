import type { RuleContent } from '../../../src/model/rule.ts';
import { content } from '../build.ts';

/** A change of one rule: before and after; null where there is no rule. */
export type Case = readonly [name: string, before: RuleContent | null, after: RuleContent | null];

/** A change of one rule, and what it does to protection. */
type Told = readonly [...Case, 'neutral' | 'strengthening'];

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const SCORE = '6179ae15870a4bb7b2d480d4843b323c';
const RULE = '5de7edfa648c4d6891dc3e7f84534ffa';

const block = (expression = 'http.host eq "a.example"'): RuleContent => content({ expression });
const challenge = (action: string): RuleContent => content({ action });
const skip = (
  action_parameters: RuleContent['action_parameters'] = { ruleset: 'current' },
  over: Partial<RuleContent> = {},
): RuleContent =>
  content({
    action: 'skip',
    expression: 'cf.client.bot',
    ...(action_parameters === undefined ? {} : { action_parameters }),
    ...over,
  });
const run = (overrides?: RuleContent['action_parameters'], id = MANAGED): RuleContent =>
  content({
    action: 'execute',
    expression: 'true',
    action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  });
const newer = (over: Partial<RuleContent> = {}): RuleContent =>
  content({ action: 'future', action_parameters: { depth: 3 }, ...over });
const limit = (ratelimit: RuleContent['ratelimit'], action = 'block'): RuleContent =>
  content({
    action,
    expression: 'starts_with(http.request.uri.path, "/login")',
    ratelimit: {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 60,
      requests_per_period: 10,
      mitigation_timeout: 600,
      ...ratelimit,
    },
  });
const everyLogin = (): RuleContent => {
  const { ratelimit: _limit, ...rest } = limit({});
  return rest;
};
const config = (action_parameters: RuleContent['action_parameters']): RuleContent =>
  content({ action: 'set_config', ...(action_parameters === undefined ? {} : { action_parameters }) });
const unknown = (action_parameters: RuleContent['action_parameters'] = { link_maze: {} }): RuleContent =>
  content({ action: 'transform_response_html', action_parameters: action_parameters ?? {} });
const redirect = (): RuleContent =>
  content({ action: 'redirect', action_parameters: { from_value: { target_url: { value: '/x' } } } });
const armor = (cache_deception_armor: boolean): RuleContent =>
  content({ action: 'set_cache_settings', action_parameters: { cache_key: { cache_deception_armor } } });
const caching = (cache: boolean, expression = 'http.host eq "a.example"'): RuleContent =>
  content({ action: 'set_cache_settings', expression, action_parameters: { cache } });
const route = (action_parameters: RuleContent['action_parameters'] = {}): RuleContent =>
  content({ action: 'route', action_parameters });
const off = (rule: RuleContent): RuleContent => ({ ...rule, enabled: false });
const SWITCHES = [
  'bic',
  'hotlink_protection',
  'email_obfuscation',
  'automatic_https_rewrites',
  'opportunistic_encryption',
  'server_side_excludes',
];

export const WEAKENING: readonly Case[] = [
  ['a block removed', block(), null],
  ['a challenge removed', challenge('managed_challenge'), null],
  ['a managed ruleset not run any more', run(), null],
  ['a rate limit removed', limit({}), null],
  ['a block disabled', block(), off(block())],
  ['a managed ruleset disabled', run(), off(run())],
  ['a condition added with and', block(), block('http.host eq "a.example" and ssl')],
  [
    'a value taken from a set',
    block('ip.src in {192.0.2.0/24 198.51.100.7}'),
    block('ip.src in {192.0.2.0/24}'),
  ],
  ['a network made smaller', block('ip.src in {192.0.2.0/24}'), block('ip.src in {192.0.2.0/25}')],
  [
    'a threshold in the condition lowered',
    block('cf.bot_management.score lt 30'),
    block('cf.bot_management.score lt 20'),
  ],
  ['an alternative taken away', block('ssl or cf.client.bot'), block('ssl')],
  ['an exception added with and not', block('ssl'), block('ssl and not ip.src in {192.0.2.0/24}')],
  [
    'an exception widened',
    block('ssl and not ip.src in {192.0.2.0/25}'),
    block('ssl and not ip.src in {192.0.2.0/24}'),
  ],
  [
    'another condition of which nothing is known',
    block('http.host eq "a.example"'),
    block('http.host eq "b.example"'),
  ],
  ['ne in the place of not eq', block('not http.host eq "a"'), block('http.host ne "a"')],
  ['block to managed challenge', block(), challenge('managed_challenge')],
  ['block to log', block(), challenge('log')],
  ['managed challenge to JavaScript challenge', challenge('managed_challenge'), challenge('js_challenge')],
  ['block to skip', block(), { ...skip(), expression: block().expression }],
  ['a skip added', null, skip()],
  ['a skip enabled', off(skip()), skip()],
  ['a skip for more requests', skip(), skip({ ruleset: 'current' }, { expression: 'cf.client.bot or ssl' })],
  [
    'a skip of another phase as well',
    skip({ phases: ['http_ratelimit'] }),
    skip({ phases: ['http_ratelimit', 'http_request_firewall_managed'] }),
  ],
  ['a skip of a product as well', skip({ products: ['bic'] }), skip({ products: ['bic', 'hot'] })],
  [
    'a skip of a whole ruleset in the place of one rule',
    skip({ rules: { [MANAGED]: [RULE] } }),
    skip({ rulesets: [MANAGED] }),
  ],
  [
    'a skip of all managed rules, which no ids mean',
    skip({ rules: { [MANAGED]: [RULE] } }),
    skip({ rules: { [MANAGED]: [] } }),
  ],
  [
    'a skip of one more rule',
    skip({ rules: { [MANAGED]: [RULE] } }),
    skip({ rules: { [MANAGED]: [RULE, SCORE] } }),
  ],
  [
    'a skip that is not logged any more',
    skip({ ruleset: 'current' }, { logging: { enabled: true } }),
    skip({ ruleset: 'current' }, { logging: { enabled: false } }),
  ],
  ['more requests allowed', limit({}), limit({ requests_per_period: 20 })],
  ['a shorter period', limit({}), limit({ period: 10 })],
  ['a shorter time-out', limit({}), limit({ mitigation_timeout: 60 })],
  ['more requests in a longer period', limit({}), limit({ requests_per_period: 20, period: 300 })],
  [
    'counted by more characteristics',
    limit({}),
    limit({ characteristics: ['cf.colo.id', 'ip.src', 'http.host'] }),
  ],
  ['only requests to the origin counted', limit({}), limit({ requests_to_origin: true })],
  [
    'a narrower counting expression',
    limit({}),
    limit({ counting_expression: 'starts_with(http.request.uri.path, "/login") and ssl' }),
  ],
  ['a rate limit that only logs', limit({}), limit({}, 'log')],
  ['an old field by the name of another', block('ip.geoip.asnum eq 1'), block('ip.src.asnum eq 2')],
  ['all rules of a managed ruleset to log', run(), run({ action: 'log' })],
  ['one managed rule disabled', run(), run({ rules: [{ id: RULE, enabled: false }] })],
  ['one managed rule to log', run(), run({ rules: [{ id: RULE, action: 'log' }] })],
  ['a category disabled', run(), run({ categories: [{ category: 'wordpress', enabled: false }] })],
  ['a managed ruleset disabled by override', run(), run({ enabled: false })],
  ['an override to block taken away', run({ rules: [{ id: RULE, action: 'block' }] }), run()],
  ['an override that enabled a rule taken away', run({ rules: [{ id: RULE, enabled: true }] }), run()],
  [
    'categories in another order',
    run({
      categories: [
        { category: 'a', enabled: false },
        { category: 'b', enabled: true },
      ],
    }),
    run({
      categories: [
        { category: 'b', enabled: true },
        { category: 'a', enabled: false },
      ],
    }),
  ],
  [
    'paranoia level lowered',
    run({ categories: [{ category: 'paranoia-level-4', enabled: false }] }, OWASP),
    run(
      {
        categories: [
          { category: 'paranoia-level-3', enabled: false },
          { category: 'paranoia-level-4', enabled: false },
        ],
      },
      OWASP,
    ),
  ],
  [
    'score threshold raised',
    run({ rules: [{ id: SCORE, score_threshold: 25 }] }, OWASP),
    run({ rules: [{ id: SCORE, score_threshold: 60 }] }, OWASP),
  ],
  [
    'score threshold raised over the default',
    run(undefined, OWASP),
    run({ rules: [{ id: SCORE, score_threshold: 60 }] }, OWASP),
  ],
  ['a rate limit by what we do not know', limit({}), limit({ burst: 5 })],
  ['DDoS sensitivity lowered', run({ sensitivity_level: 'default' }), run({ sensitivity_level: 'low' })],
  ['another ruleset run', run(), run(undefined, OWASP)],
  [
    'security level lowered',
    config({ security_level: 'under_attack' }),
    config({ security_level: 'essentially_off' }),
  ],
  ['a rule that switches the browser check off', null, config({ bic: false })],
  ['TLS to the origin weakened', config({ ssl: 'strict' }), config({ ssl: 'flexible' })],
  ...SWITCHES.map((key): Case => [`${key} switched off`, config({ [key]: true }), config({ [key]: false })]),
  [
    'a setting that may be less than that of the zone',
    config({ polish: 'lossy' }),
    config({ polish: 'lossy', ssl: 'full' }),
  ],
  ['a setting not held up any more', config({ ssl: 'strict' }), config({ polish: 'lossy' })],
  [
    'an action that we do not know',
    null,
    content({ action: 'transform_response_html', action_parameters: { link_maze: {} } }),
  ],
  ['fields that we do not know', block(), { ...block(), extra: { mode: 'quiet' } }],
  ['an action that we do not know, for other requests', unknown(), { ...unknown(), expression: 'true' }],
  ['parameters of an action that we do not know', unknown(), unknown({ link_maze: { depth: 2 } })],
  ['an action newer than this version comes', null, newer()],
  ['an action newer than this version goes', newer(), null],
  ['an action newer than this version is switched on', newer({ enabled: false }), newer()],
  ['a block that becomes an action newer than this version', block(), newer()],
  ['an action newer than this version that becomes a block', newer(), block()],
  ['parameters of an action newer than this version', newer(), newer({ action_parameters: { depth: 4 } })],
  ['the log of an action newer than this version', newer(), newer({ logging: { enabled: false } })],
  [
    'a lower limit of an action newer than this version',
    limit({}, 'future'),
    limit({ requests_per_period: 5 }, 'future'),
  ],
  [
    'a check of exposed credentials taken away',
    { ...block(), exposed_credential_check: { username_expression: 'x', password_expression: 'y' } },
    block(),
  ],
  ['a block that becomes a redirect', block(), redirect()],
  ['a redirect that becomes a skip', redirect(), { ...skip(), expression: redirect().expression }],
  ['a block of every request that becomes a rate limit', everyLogin(), limit({})],
  ['a firmer action from more requests on', limit({}, 'log'), limit({ requests_per_period: 20 })],
  ['a higher score allowed', limit({ score_per_period: 10 }), limit({ score_per_period: 20 })],
  [
    'a ruleset skipped beside a product',
    skip({ products: ['bic'] }),
    skip({ products: ['bic'], ruleset: 'current' }),
  ],
  ['cache deception armor off', armor(true), armor(false)],
  ['a cache rule with armor removed', armor(true), null],
  ['what was kept out of the cache comes into it', caching(false), caching(true)],
  ['a rule that keeps pages out of the cache removed', caching(false), null],
  ['fewer pages kept out of the cache', caching(false, 'ssl'), caching(false, 'ssl and cf.client.bot')],
  [
    'requests sent to another host',
    route({ origin: { host: 'a.example' } }),
    route({ origin: { host: 'b.example' } }),
  ],
  ['another port of the origin', route({ origin: { port: 8443 } }), route({ origin: { port: 9443 } })],
  ['requests sent to a host', null, route({ host_header: 'b.example' })],
  ['requests no more sent to a host', route({ sni: { value: 'b.example' } }), null],
  [
    'more requests sent to a host',
    { ...route({ origin: { host: 'b.example' } }), expression: 'ssl' },
    { ...route({ origin: { host: 'b.example' } }), expression: 'true' },
  ],
  [
    'another version of a managed ruleset',
    run(),
    { ...run(), action_parameters: { id: MANAGED, version: '1' } },
  ],
  [
    'an override of an action that we do not know to block',
    run({ rules: [{ id: RULE, action: 'future' }] }),
    run({ rules: [{ id: RULE, action: 'block' }] }),
  ],
  [
    'an override to log that becomes one that we do not know',
    run({ rules: [{ id: RULE, action: 'log' }] }),
    run({ rules: [{ id: RULE, action: 'future' }] }),
  ],
  [
    'a score threshold of a rule of which no usual one is known',
    run({ rules: [{ id: RULE, score_threshold: 60 }] }, OWASP),
    run({ rules: [{ id: RULE }] }, OWASP),
  ],
  ['a level that we do not know to one that we know', config({ ssl: 'future' }), config({ ssl: 'strict' })],
];

export const NOT_WEAKENING: readonly Told[] = [
  [
    'a skipped ruleset as the service returns it, and as files name it, with another description',
    skip({ rules: { [MANAGED]: [] } }),
    skip({ rulesets: [MANAGED] }, { description: 'Partners' }),
    'neutral',
  ],
  [
    'an old field by its new name',
    block('ip.geoip.asnum in {1 2}'),
    block('ip.src.asnum in {1 2}'),
    'neutral',
  ],
  [
    'an old field by its new name, and more',
    block('ip.geoip.asnum in {1 2}'),
    block('ip.src.asnum in {1 2 3}'),
    'strengthening',
  ],
  [
    'the old country by its new name',
    block('ip.geoip.country eq "DE"'),
    block('ip.src.country eq "DE"'),
    'neutral',
  ],
  [
    'a characteristic by its new name',
    limit({ characteristics: ['cf.colo.id', 'ip.geoip.country'] }),
    limit({ characteristics: ['cf.colo.id', 'ip.src.country'] }),
    'neutral',
  ],
  ['a block added', null, block(), 'strengthening'],
  ['pages kept out of the cache', null, caching(false), 'strengthening'],
  ['a disabled block added', null, off(block()), 'neutral'],
  ['a block enabled', off(block()), block(), 'strengthening'],
  ['a disabled block removed', off(block()), null, 'neutral'],
  ['a disabled block changed', off(block()), off(challenge('log')), 'neutral'],
  ['a log rule added', null, challenge('log'), 'neutral'],
  ['a log rule removed', challenge('log'), null, 'neutral'],
  ['log to block', challenge('log'), challenge('block'), 'strengthening'],
  ['challenge to block', challenge('managed_challenge'), challenge('block'), 'strengthening'],
  ['an alternative added', block('ssl'), block('ssl or cf.client.bot'), 'strengthening'],
  [
    'a value added to a set',
    block('ip.src in {192.0.2.0/24}'),
    block('ip.src in {192.0.2.0/24 198.51.100.7}'),
    'strengthening',
  ],
  [
    'a network made larger',
    block('ip.src in {192.0.2.0/25}'),
    block('ip.src in {192.0.2.0/24}'),
    'strengthening',
  ],
  [
    'a threshold in the condition raised',
    block('cf.bot_management.score lt 20'),
    block('cf.bot_management.score lt 30'),
    'strengthening',
  ],
  [
    'an exception narrowed',
    block('ssl and not ip.src in {192.0.2.0/24}'),
    block('ssl and not ip.src in {192.0.2.0/25}'),
    'strengthening',
  ],
  ['an exception taken away', block('ssl and not cf.client.bot'), block('ssl'), 'strengthening'],
  ['everything blocked', block('ssl'), block('true'), 'strengthening'],
  ['another spelling', block('ssl and http.host eq "a"'), block('http.host == "a" && ssl'), 'neutral'],
  ['another description', block(), { ...block(), description: 'new' }, 'neutral'],
  [
    'another block page',
    block(),
    {
      ...block(),
      action_parameters: { response: { status_code: 403, content: 'no', content_type: 'text/plain' } },
    },
    'neutral',
  ],
  ['a skip removed', skip(), null, 'strengthening'],
  ['a skip disabled', skip(), off(skip()), 'strengthening'],
  ['a disabled skip added', null, off(skip()), 'neutral'],
  [
    'a skip for fewer requests',
    skip(),
    skip({ ruleset: 'current' }, { expression: 'cf.client.bot and ssl' }),
    'strengthening',
  ],
  [
    'a skip of fewer phases',
    skip({ phases: ['http_ratelimit', 'http_request_sbfm'] }),
    skip({ phases: ['http_ratelimit'] }),
    'strengthening',
  ],
  [
    'a skip that is logged now',
    skip({ ruleset: 'current' }, { logging: { enabled: false } }),
    skip(),
    'strengthening',
  ],
  [
    'skipped phases in another order',
    skip({ phases: ['http_ratelimit', 'http_request_sbfm'] }),
    skip({ phases: ['http_request_sbfm', 'http_ratelimit'] }),
    'neutral',
  ],
  ['a rate limit added', null, limit({}), 'strengthening'],
  ['fewer requests allowed', limit({}), limit({ requests_per_period: 5 }), 'strengthening'],
  ['a longer period', limit({}), limit({ period: 300 }), 'strengthening'],
  ['a longer time-out', limit({}), limit({ mitigation_timeout: 3600 }), 'strengthening'],
  [
    'counted by fewer characteristics',
    limit({ characteristics: ['cf.colo.id', 'ip.src', 'http.host'] }),
    limit({}),
    'strengthening',
  ],
  ['a wider counting expression', limit({}), limit({ counting_expression: 'true' }), 'strengthening'],
  [
    'cached answers counted too',
    limit({ requests_to_origin: true }),
    limit({ requests_to_origin: false }),
    'strengthening',
  ],
  ['a managed ruleset run', null, run(), 'strengthening'],
  ['a managed ruleset run for more requests', { ...run(), expression: 'ssl' }, run(), 'strengthening'],
  ['one managed rule set to block', run(), run({ rules: [{ id: RULE, action: 'block' }] }), 'strengthening'],
  ['one managed rule enabled', run(), run({ rules: [{ id: RULE, enabled: true }] }), 'strengthening'],
  ['an override to log taken away', run({ rules: [{ id: RULE, action: 'log' }] }), run(), 'strengthening'],
  [
    'a disabled category back',
    run({ categories: [{ category: 'wordpress', enabled: false }] }),
    run(),
    'strengthening',
  ],
  [
    'paranoia level raised',
    run(
      {
        categories: [
          { category: 'paranoia-level-3', enabled: false },
          { category: 'paranoia-level-4', enabled: false },
        ],
      },
      OWASP,
    ),
    run({ categories: [{ category: 'paranoia-level-4', enabled: false }] }, OWASP),
    'strengthening',
  ],
  [
    'score threshold lowered',
    run(undefined, OWASP),
    run({ rules: [{ id: SCORE, score_threshold: 25 }] }, OWASP),
    'strengthening',
  ],
  [
    'DDoS sensitivity raised',
    run({ sensitivity_level: 'low' }),
    run({ sensitivity_level: 'medium' }),
    'strengthening',
  ],
  [
    'rule overrides in another order',
    run({
      rules: [
        { id: RULE, action: 'log' },
        { id: SCORE, enabled: true },
      ],
    }),
    run({
      rules: [
        { id: SCORE, enabled: true },
        { id: RULE, action: 'log' },
      ],
    }),
    'neutral',
  ],
  [
    'version latest spelled out',
    run(),
    content({ ...run(), action_parameters: { id: MANAGED, version: 'latest' } }),
    'neutral',
  ],
  [
    'security level raised',
    config({ security_level: 'low' }),
    config({ security_level: 'high' }),
    'strengthening',
  ],
  ['a rule that demands strict TLS', null, config({ ssl: 'strict' }), 'strengthening'],
  ...SWITCHES.map((key): Told => [
    `${key} switched on`,
    config({ [key]: false }),
    config({ [key]: true }),
    'strengthening',
  ]),
  [
    'a setting not lowered any more',
    config({ polish: 'lossy', ssl: 'off' }),
    config({ polish: 'lossy' }),
    'strengthening',
  ],
  ['a rule that lowers a setting removed', config({ ssl: 'off' }), null, 'strengthening'],
  [
    'a lower setting for fewer requests',
    { ...config({ ssl: 'off' }), expression: 'ssl' },
    { ...config({ ssl: 'off' }), expression: 'ssl and cf.client.bot' },
    'strengthening',
  ],
  ['pictures polished', null, config({ polish: 'lossy' }), 'neutral'],
  ...['compress_response', 'log_custom_field', 'serve_error', 'set_cache_control', 'set_cache_tags'].map(
    (action): Told => [`${action} added`, null, content({ action }), 'neutral'],
  ),
  [
    'a redirect added',
    null,
    content({ action: 'redirect', action_parameters: { from_value: { target_url: { value: '/x' } } } }),
    'neutral',
  ],
  [
    'only the description of a rule whose condition does not parse',
    content({ expression: 'new.field eq' }),
    content({ expression: 'new.field eq', description: 'New' }),
    'neutral',
  ],
  [
    'only the description of an action newer than this version',
    newer({ logging: { enabled: true } }),
    newer({ description: 'New' }),
    'neutral',
  ],
  [
    'a disabled action newer than this version, with other parameters',
    newer({ enabled: false }),
    newer({ enabled: false, action_parameters: { depth: 4 } }),
    'neutral',
  ],
  ['cache deception armor on', armor(false), armor(true), 'strengthening'],
  ['a cache rule without armor removed', armor(false), null, 'neutral'],
  ['a rate limit that becomes a block', limit({}), everyLogin(), 'strengthening'],
  [
    'an old field in a counting expression by its new name',
    limit({ counting_expression: 'ip.geoip.asnum in {1 2}' }),
    limit({ counting_expression: 'ip.src.asnum in {1 2}' }),
    'neutral',
  ],
  [
    'a skip that stays silent, with another description',
    skip({ ruleset: 'current' }, { logging: { enabled: false } }),
    skip({ ruleset: 'current' }, { logging: { enabled: false }, description: 'Partners' }),
    'neutral',
  ],
];
