import type { JsonObject } from '../../src/data/json.ts';

/** Parameters of an action that the service accepts in a phase, and parameters that it refuses (api.md 5). */
export interface AgreementCases {
  readonly phase: string;
  readonly action: string;
  /** Further members of the rule. */
  readonly more?: JsonObject;
  readonly taken: readonly JsonObject[];
  readonly refused: readonly JsonObject[];
}

const CMR = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const SCORE = '6179ae15870a4bb7b2d480d4843b323c';
const RULE = '5de7edfa648c4d6891dc3e7f84534ffa';
const DDOS = '4d21379b4f9f4bb088e0729962c8b3cf';
const SENSITIVE_DATA = 'e22d83c647c64a3eae91b71b499d988e';

const response = (said: JsonObject): JsonObject => ({
  response: { status_code: 403, content_type: 'text/html', content: 'x', ...said },
});
const overrides = (said: JsonObject, id = CMR): JsonObject => ({ id, overrides: said });
const header = (said: JsonObject, name = 'x-a'): JsonObject => ({ headers: { [name]: said } });
const uri = (said: JsonObject): JsonObject => ({ uri: said });
const target = (said: JsonObject): JsonObject => ({ from_value: { target_url: { value: '/a' }, ...said } });
const edge = (said: JsonObject): JsonObject => ({ edge_ttl: { mode: 'respect_origin', ...said } });
const key = (said: JsonObject): JsonObject => ({ cache_key: { custom_key: said } });
const vary = (headers: JsonObject): JsonObject => ({ vary: { default: { action: 'bypass' }, headers } });

export const CASES: readonly AgreementCases[] = [
  {
    phase: 'http_request_firewall_custom',
    action: 'block',
    taken: [
      {},
      response({}),
      response({ status_code: 499, content_type: 'application/json' }),
      response({ content_type: 'image/svg+xml', content: 'é'.repeat(15_361) }),
    ],
    refused: [
      response({ status_code: 399 }),
      response({ status_code: 500 }),
      response({ content_type: '' }),
      response({ content: '' }),
      response({ more: 1 }),
    ],
  },
  {
    phase: 'http_ratelimit',
    action: 'block',
    more: {
      ratelimit: { characteristics: ['cf.colo.id', 'ip.src'], period: 10, requests_per_period: 5 },
    },
    taken: [response({ content: 'é'.repeat(15_360) })],
    refused: [response({ content: 'é'.repeat(15_361) })],
  },
  {
    phase: 'http_response_headers_transform',
    action: 'transform_response_html',
    taken: [{ link_maze: { anything: 1 } }],
    refused: [],
  },
  {
    phase: 'http_request_sbfm',
    action: 'block',
    taken: [],
    refused: [{}],
  },
  {
    phase: 'http_request_firewall_custom',
    action: 'managed_challenge',
    taken: [{}],
    refused: [response({})],
  },
  {
    phase: 'http_request_firewall_custom',
    action: 'skip',
    taken: [
      { ruleset: 'current', phases: ['http_ratelimit'], products: ['bic', 'waf'] },
      { phase: 'current' },
      { phase: 'current', products: ['waf'] },
      { rulesets: [CMR] },
      { rules: { [CMR]: [RULE] } },
    ],
    refused: [
      {},
      { ruleset: 'other' },
      { phases: [] },
      { phases: ['http_nothing'] },
      { products: ['BIC'] },
      { phase: 'current', ruleset: 'current' },
      { phase: 'current', phases: ['http_ratelimit'] },
      { ruleset: 'current', rulesets: [CMR] },
      { rulesets: [CMR], phases: ['http_ratelimit'] },
      { rules: {} },
    ],
  },
  {
    phase: 'http_request_firewall_managed',
    action: 'skip',
    taken: [{ ruleset: 'current' }, { rulesets: [CMR] }],
    refused: [{ phases: ['http_ratelimit'] }, { products: ['waf'] }],
  },
  {
    phase: 'http_request_firewall_managed',
    action: 'execute',
    taken: [
      overrides({ action: 'js_challenge', categories: [{ category: 'php', enabled: false }] }),
      overrides({ rules: [{ id: SCORE, score_threshold: 25, action: 'log' }] }, OWASP),
      { id: CMR, matched_data: { public_key: 'a' } },
      overrides({}),
    ],
    refused: [
      {},
      { id: 'short' },
      { id: CMR, matched_data: {} },
      overrides({ action: 'skip' }),
      overrides({ sensitivity_level: 'low' }),
      overrides({ categories: [] }),
      overrides({ categories: [{ category: 'php' }] }),
      overrides({ rules: [{ id: RULE }] }),
      overrides({ rules: [{ id: RULE, sensitivity_level: 'low' }] }),
      overrides({
        categories: [
          { category: 'php', action: 'block' },
          { category: 'php', enabled: false },
        ],
      }),
      overrides({
        rules: [
          { id: RULE, action: 'block' },
          { id: RULE, enabled: false },
        ],
      }),
    ],
  },
  {
    phase: 'ddos_l7',
    action: 'execute',
    taken: [overrides({ sensitivity_level: 'eoff', action: 'managed_challenge' }, DDOS)],
    refused: [
      overrides({ sensitivity_level: 'high' }, DDOS),
      overrides({ enabled: false }, DDOS),
      overrides({ categories: [{ category: 'generic', enabled: true }] }, DDOS),
      overrides({ rules: [{ id: RULE, enabled: false }] }, DDOS),
      overrides({ action: 'js_challenge' }, DDOS),
      { id: DDOS, matched_data: { public_key: 'a' } },
    ],
  },
  {
    phase: 'http_response_firewall_managed',
    action: 'execute',
    taken: [overrides({ action: 'log' }, SENSITIVE_DATA)],
    refused: [overrides({ action: 'managed_challenge' }, SENSITIVE_DATA)],
  },
  {
    phase: 'http_request_late_transform',
    action: 'rewrite',
    taken: [
      header({ operation: 'set', expression: 'http.host' }),
      header({ operation: 'remove' }, 'Cookie'),
      ...['cf-connecting-ip', 'X-Forwarded-For', 'x-real-ip', 'x-forwarded-proto', 'True-Client-IP'].map(
        (name) => header({ operation: 'remove' }, name),
      ),
    ],
    refused: [
      {},
      { headers: {} },
      header({ operation: 'set' }),
      header({ operation: 'set', value: 'a', expression: 'http.host' }),
      header({ operation: 'remove', value: 'a' }),
      header({ operation: 'append', value: 'a' }),
      header({ operation: 'add', value: 'a' }),
      header({ operation: 'set', value: 'a' }, 'a b'),
      header({ operation: 'set', value: 'a' }, 'Cookie'),
      header({ operation: 'remove' }, 'CF-Ray'),
      ...['CF-Connecting-IP', 'X-Forwarded-For', 'x-real-ip', 'x-forwarded-proto', 'True-Client-IP'].map(
        (name) => header({ operation: 'set', value: 'a' }, name),
      ),
      uri({ path: { value: '/a' } }),
    ],
  },
  {
    phase: 'http_request_transform',
    action: 'rewrite',
    taken: [
      uri({ path: { value: '/a' }, query: { value: '' } }),
      uri({ path: { expression: 'concat("/a", http.request.uri.path)' } }),
    ],
    refused: [
      uri({}),
      uri({ origin: false }),
      uri({ path: { value: 'a' } }),
      uri({ path: { value: '/a', expression: 'http.host' } }),
      uri({ path: { expression: 'regex_replace(regex_replace(http.host, "a", "b"), "c", "d")' } }),
      header({ operation: 'remove' }),
    ],
  },
  {
    phase: 'http_request_dynamic_redirect',
    action: 'redirect',
    taken: [target({}), target({ status_code: 308, preserve_query_string: true })],
    refused: [
      {},
      target({ status_code: 304 }),
      target({ target_url: {} }),
      target({ target_url: { value: 'a', expression: 'http.host' } }),
      { from_list: { name: 'a', key: 'http.request.full_uri' } },
    ],
  },
  {
    phase: 'http_request_origin',
    action: 'route',
    taken: [{ origin: { host: 'a', port: 65_535 } }, { sni: { value: 'a' }, host_header: 'a' }],
    refused: [{}, { origin: {} }, { origin: { port: 0 } }, { origin: { port: 65_536 } }, { sni: {} }],
  },
  {
    phase: 'http_custom_errors',
    action: 'serve_error',
    taken: [
      { content: 'a', status_code: 999 },
      { asset_name: 'a', content_type: 'text/xml' },
    ],
    refused: [
      {},
      { content: 'a', asset_name: 'a' },
      { content: 'a'.repeat(10_241) },
      { content: 'a', content_type: 'image/png' },
      { content: 'a', status_code: 399 },
    ],
  },
  {
    phase: 'http_config_settings',
    action: 'set_config',
    taken: [{ disable_rum: true, polish: 'webp', ssl: 'origin_pull' }, { request_body_buffering: 'full' }],
    refused: [
      {},
      { disable_rum: false },
      { bic: 'on' },
      { response_body_buffering: 'full' },
      { polish: 'on' },
    ],
  },
  {
    phase: 'http_request_cache_settings',
    action: 'set_cache_settings',
    taken: [
      edge({ mode: 'override_origin', default: 60 }),
      edge({ status_code_ttl: [{ value: -1, status_code_range: { from: 500 } }] }),
      { browser_ttl: { mode: 'bypass' } },
      key({ query_string: { include: { list: ['a'] } } }),
      key({ header: { contains: { a: ['b'] } }, user: { geo: true } }),
      vary({ accept: { action: 'normalize', media_types: ['text/html'] } }),
      { cache_key: {}, serve_stale: {}, origin_range_requests: { enabled: true } },
      key({}),
      key({ query_string: {}, header: {}, cookie: {}, user: {}, host: {} }),
    ],
    refused: [
      {},
      edge({ mode: 'override_origin' }),
      edge({ default: 60 }),
      edge({ mode: 'bypass' }),
      edge({ status_code_ttl: [] }),
      edge({ status_code_ttl: [{ value: -2, status_code: 200 }] }),
      edge({ status_code_ttl: [{ value: 1, status_code: 200, status_code_range: { from: 1 } }] }),
      { read_timeout: 99 },
      { strip_etags: true },
      { cache_reserve: {} },
      { origin_range_requests: {} },
      key({ query_string: { include: { list: [] } } }),
      key({ query_string: { include: { all: true }, exclude: { all: true } } }),
      vary({ Accept: { action: 'normalize' } }),
      vary({ accept: { action: 'normalize', languages: ['en'] } }),
      vary({ 'accept-language': { action: 'normalize', media_types: ['text/html'] } }),
      vary({ 'x-a': { action: 'normalize', media_types: [] } }),
    ],
  },
  {
    phase: 'http_response_cache_settings',
    action: 'set_cache_control',
    taken: [
      { 'max-age': { operation: 'set', value: 0 }, private: { operation: 'set', qualifiers: ['a'] } },
      { 'max-age': { operation: 'remove' } },
    ],
    refused: [
      {},
      { 'max-age': { operation: 'set' } },
      { 'max-age': { operation: 'remove', value: 1 } },
      { 'max-age': { operation: 'add', value: 1 } },
      { private: { operation: 'set', qualifiers: [] } },
      { 'no-cache': { operation: 'set', qualifiers: [''] } },
      { immutable: { operation: 'set', value: 1 } },
      { unknown: { operation: 'set' } },
    ],
  },
  {
    phase: 'http_response_cache_settings',
    action: 'set_cache_tags',
    taken: [
      { operation: 'add', values: ['a'] },
      { operation: 'set', expression: 'http.response.headers["x-tags"]' },
    ],
    refused: [
      { operation: 'add' },
      { operation: 'add', values: [] },
      { operation: 'add', values: [''] },
      { operation: 'set', expression: 'http.host' },
    ],
  },
  {
    phase: 'http_response_compression',
    action: 'compress_response',
    taken: [{ algorithms: [{ name: 'zstd' }, { name: 'auto' }] }],
    refused: [{}, { algorithms: [] }, { algorithms: [{}] }, { algorithms: [{ name: 'br' }] }],
  },
  {
    phase: 'http_log_custom_fields',
    action: 'log_custom_field',
    taken: [{ cookie_fields: [{ name: 'a' }], response_fields: [{ name: 'a', preserve_duplicates: true }] }],
    refused: [
      {},
      { request_fields: [] },
      { request_fields: [{ name: '' }] },
      { request_fields: [{ name: 'a', preserve_duplicates: true }] },
    ],
  },
];
