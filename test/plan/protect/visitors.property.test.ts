import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/data/json.ts';
import { isJsonObject, objectOf } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { judgeAdded, judgeChanged } from '../../../src/plan/impact/judge-content.ts';
import { propertyRuns } from '../../property-runs.ts';
import { content, SHOP } from '../build.ts';

/** Edits of one action: what harms visitors, what protects them, and what does neither. */
interface Edits {
  readonly phase: string;
  readonly action: string;
  readonly harmful: readonly JsonObject[];
  readonly protecting: readonly JsonObject[];
  readonly harmless: readonly JsonObject[];
}

const set = (name: string, value: string): JsonObject => ({
  headers: { [name]: { operation: 'set', value } },
});
const unset = (name: string): JsonObject => ({ headers: { [name]: { operation: 'remove' } } });
const to = (target_url: JsonObject): JsonObject => ({ from_value: { target_url } });
const computed = (expression: string): JsonObject => to({ expression });
const key = (custom_key: JsonObject): JsonObject => ({ cache_key: { custom_key } });
const page = (text: string): JsonObject => ({
  response: { status_code: 403, content_type: 'text/html', content: text },
});

const EDITS: readonly Edits[] = [
  {
    phase: 'http_request_dynamic_redirect',
    action: 'redirect',
    harmful: [
      to({ value: 'https://evil.test/' }),
      to({ value: 'https://shop.example.evil.test/' }),
      to({ value: '//evil.test' }),
      to({ value: 'https:/\\evil.test' }),
      computed('http.request.uri.query'),
      computed('concat("https://shop.example", http.request.uri.query)'),
      computed('concat("https://shop.example", url_decode(http.request.uri.query))'),
      computed('regex_replace(http.request.uri.path, "^/to", "")'),
      computed('wildcard_replace(http.request.full_uri, "https://*/to/*", "https://${2}")'),
      computed('http.request.headers["x-forwarded-host"][0]'),
    ],
    protecting: [],
    harmless: [
      to({ value: '/a' }),
      to({ value: 'https://www.shop.example' }),
      computed('concat("https://shop.example", http.request.uri.path)'),
      computed('wildcard_replace(http.request.full_uri, "http://*", "https://${1}")'),
      { from_value: { status_code: 302, preserve_query_string: true } },
    ],
  },
  {
    phase: 'http_request_origin',
    action: 'route',
    harmful: [
      { host_header: 'admin.shop.example' },
      { origin: { host: 'evil.test' } },
      { origin: { port: 9200 } },
      { sni: { value: 'evil.test' } },
    ],
    protecting: [],
    harmless: [],
  },
  {
    phase: 'http_request_late_transform',
    action: 'rewrite',
    harmful: [
      set('X-Original-URL', '/public'),
      set('x-rewrite-url', '/public'),
      set('X-HTTP-Method', 'DELETE'),
      set('X-Forwarded-Scheme', 'https'),
      set('Host', 'admin'),
      set('Authorization', 'Basic x'),
      set('X-Roles', 'admin'),
      unset('Sec-Fetch-Site'),
      unset('True-Client-IP'),
      set('Content-Type', 'text/plain'),
    ],
    protecting: [unset('X-Rewrite-Url'), unset('X-Remote-User')],
    harmless: [set('X-Country', 'DE'), set('X-Request-Id', '1'), set('Accept-Encoding', 'gzip')],
  },
  {
    phase: 'http_response_headers_transform',
    action: 'rewrite',
    harmful: [
      unset('Content-Security-Policy'),
      unset('X-FRAME-OPTIONS'),
      set('Strict-Transport-Security', 'max-age=0'),
      set('Access-Control-Allow-Origin', '*'),
      set('Content-Type', 'text/html'),
      set('Content-Disposition', 'inline'),
      set('X-Permitted-Cross-Domain-Policies', 'all'),
      set('Service-Worker-Allowed', '/'),
      set('Refresh', '0; url=https://evil.test/'),
      set('Link', '<https://evil.test/a.css>; rel="stylesheet"'),
      set('Set-Cookie', 'session=a'),
      set('SourceMap', 'https://evil.test/'),
      set('Cache-Control', 'public, s-maxage=60'),
      { headers: { 'X-A': { operation: 'set', expression: 'http.request.headers["Cookie"][0]' } } },
    ],
    protecting: [
      set('X-Content-Type-Options', 'nosniff'),
      set('Cross-Origin-Opener-Policy', 'same-origin'),
      unset('Timing-Allow-Origin'),
    ],
    harmless: [
      set('X-Robots-Tag', 'noindex'),
      unset('Server'),
      unset('X-Powered-By'),
      set('Server-Timing', 'a'),
    ],
  },
  {
    phase: 'http_request_cache_settings',
    action: 'set_cache_settings',
    harmful: [
      { edge_ttl: { mode: 'override_origin', default: 60 } },
      { edge_ttl: { status_code_ttl: [{ status_code: 200, value: 60 }] } },
      { edge_ttl: { status_code_ttl: [{ status_code_range: { from: 300 }, value: 60 }] } },
      { origin_cache_control: false },
      { strip_set_cookie: true },
    ].map((one) => ({ ...one, cache: true })),
    protecting: [key({ cookie: { include: ['session'] } }), key({ user: { lang: true } })],
    harmless: [
      { browser_ttl: { mode: 'override_origin', default: 60 } },
      { serve_stale: { disable_stale_while_updating: true } },
      { respect_strong_etags: true },
      key({ query_string: { include: { all: true } } }),
    ],
  },
  {
    phase: 'http_request_firewall_custom',
    action: 'block',
    harmful: [
      page('<script src="/a.js"></script>'),
      page('<form action="/login"><input></form>'),
      page('<body onload="a()">'),
      page('<meta http-equiv="Refresh" content="0;url=//evil.test">'),
      page('<p>a<iframe src="//evil.test"></iframe></p>'),
    ],
    protecting: [],
    harmless: [page('No'), page('<h1>No</h1><p>Ask <a href="/help">us</a>.</p>')],
  },
  {
    phase: 'http_log_custom_fields',
    action: 'log_custom_field',
    harmful: ['authorization', 'x-api-key', 'x-access-token', 'cf-access-client-secret', 'x-xsrf-token'].map(
      (name) => ({
        request_fields: [{ name }],
      }),
    ),
    protecting: [],
    harmless: ['user-agent', 'x-request-id', 'accept'].map((name) => ({ response_fields: [{ name }] })),
  },
];

/** Puts parameters over others, object by object. */
function merged(under: JsonObject, over: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys({ ...under, ...over }).map((name) => {
      const [low, high] = [under[name], over[name]];
      return [name, isJsonObject(low) && isJsonObject(high) ? merged(low, high) : (high ?? low ?? null)];
    }),
  );
}

/** A target is written or computed, and a part of the key is either taken in or left out: the later edit counts alone. */
function put(under: JsonObject, over: JsonObject): JsonObject {
  const all = merged(under, over);
  const target = objectOf(objectOf(over['from_value'])['target_url']);
  return Object.keys(target).length === 0
    ? all
    : { ...all, from_value: { ...objectOf(all['from_value']), target_url: target } };
}

const several = (edits: readonly JsonObject[]): fc.Arbitrary<readonly JsonObject[]> =>
  edits.length === 0 ? fc.constant([]) : fc.shuffledSubarray([...edits], { maxLength: 2 });

const edit = fc.constantFrom(...EDITS).chain((edits) => {
  const rule = (action_parameters: JsonObject): RuleContent =>
    content({
      action: edits.action,
      expression: 'http.request.uri.path.extension in {"css" "js"}',
      action_parameters,
    });
  const base = several(edits.harmless).map((some) => some.reduce(put, {}));
  return fc.record({
    context: fc.constant({ scope: SHOP, phase: edits.phase }),
    rule: fc.constant(rule),
    base,
    more: several([...edits.protecting, ...edits.harmless]),
    harmless: several(edits.harmless),
    harm: fc.constantFrom(...edits.harmful),
  });
});

test('an edit that harms visitors is called weaker, whatever protects or does nothing beside it', () => {
  fc.assert(
    fc.property(edit, ({ context, rule, base, more, harm }) => {
      const after = rule(put(more.reduce(put, base), harm));
      expect(judgeChanged(rule(base), after, context).kind).toBe('weaker');
      expect(judgeChanged({ ...rule(base), enabled: false }, after, context).kind).toBe('weaker');
      expect(judgeAdded(after, context).kind).toBe('weaker');
    }),
    { numRuns: propertyRuns() },
  );
});

test('edits that harm nobody raise nothing', () => {
  fc.assert(
    fc.property(edit, ({ context, rule, base, harmless }) => {
      expect(judgeChanged(rule(base), rule(harmless.reduce(put, base)), context).kind).toBe('same');
    }),
    { numRuns: propertyRuns() },
  );
});
