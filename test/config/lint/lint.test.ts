import { describe, expect, test } from 'vitest';

import { expectFindings } from '../marked-files.ts';
import type { Case } from '../marked-files.ts';

const CUSTOM = 'http_request_firewall_custom';

/** A zone file with rules in flow style. */
function zone(phase: string, ...rules: readonly string[]): string {
  return `zone: shop.example\nentrypoints:\n  ${phase}:\n    rules:\n${rules.map((rule) => `      - {${rule}}\n`).join('')}`;
}

/** An account file with rules in flow style. */
function account(phase: string, ...rules: readonly string[]): string {
  return zone(phase, ...rules).replace('zone: shop.example', 'account: Shop');
}

const BLOCK_ALL = 'ref: all, action: block, expression: "true"';
const SKIP = (parameters: string, mark = '▶'): string =>
  `${mark}ref: skip, action: skip, expression: ssl, action_parameters: {${parameters}}`;
const EXECUTE = (name: string, more = ''): string =>
  `ref: run-${name}${more}, action: execute, expression: "true", action_parameters: {id: managed:${name}}`;
const LIMIT = (limit: string): string =>
  `ref: limit, action: block, expression: ssl, ratelimit: {requests_per_period: 5, ${limit}}`;

const COUNTED = 'characteristics: [cf.colo.id, ip.src], period: 10';
const LISTED = (limit: string): string =>
  LIMIT(`${COUNTED}, ${limit}`).replace('expression: ssl', 'expression: ip.src in $office');

/** The flag of England: a black flag and invisible letters. */
const ENGLAND = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

/** A project with a sensitive value. */
const SECRET = (...rules: readonly string[]): Readonly<Record<string, string>> => ({
  'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nenv: {key: {from: ORIGIN_KEY, sensitive: true}}\n',
  'zones/a.yaml': zone(CUSTOM, ...rules),
});

const ORDER: readonly Case[] = [
  [
    'a rule behind one of many hosts, whichever field it tests first',
    {
      'zones/a.yaml': zone(
        CUSTOM,
        `ref: path, action: block, expression: 'http.request.uri.path eq "/x"'`,
        `ref: hosts, action: block, expression: 'http.host in {"a.shop.example" "b.shop.example"}'`,
        `ref: both, action: block, expression: 'http.host eq "c.shop.example" and http.request.uri.path eq "/y"'`,
        `▶ref: host, action: log, expression: 'http.host eq "b.shop.example" and ssl'`,
        `▶ref: method, action: log, expression: 'http.request.method eq "GET" and http.host eq "a.shop.example"'`,
        `▶ref: x, action: log, expression: 'http.host eq "d.shop.example" and http.request.uri.path eq "/x"'`,
        `ref: other, action: log, expression: 'http.host eq "c.shop.example" and ssl'`,
      ),
    },
    [
      ['lint/unreachable-rule', 'zones/a.yaml:6:10'],
      ['lint/unreachable-rule', 'zones/a.yaml:6:10'],
      ['lint/unreachable-rule', 'zones/a.yaml:5:10'],
    ],
  ],
  [
    'a rule that the spelling of a sensitive value makes a part of another',
    SECRET(
      `ref: a, action: block, expression: 'http.user_agent contains "sensitive"'`,
      `ref: b, action: block, expression: 'http.user_agent eq "\${key}"'`,
    ),
    [],
  ],
  [
    'a rule that compares with the same sensitive value as one before',
    SECRET(
      `ref: a, action: block, expression: 'http.user_agent eq "\${key}"'`,
      `▶ref: b, action: log, expression: 'http.user_agent eq "\${key}" and ssl'`,
    ),
    [['lint/unreachable-rule', 'zones/a.yaml:5:10']],
  ],
  [
    'what is known of fixed texts, and not of a sensitive value',
    SECRET(
      `ref: a, action: log, expression: 'lower(http.user_agent) eq "\${key}"'`,
      `ref: b, action: log, expression: 'http.host eq "\${key}" and http.host eq "a.shop.example"'`,
      `ref: c, action: log, expression: 'http.host ne "\${key}" or http.host ne "a.shop.example"'`,
      `ref: d, action: log, expression: 'http.request.uri.path eq "\${key}"'`,
    ),
    [],
  ],
  [
    'rules behind one that blocks everything',
    zone(CUSTOM, BLOCK_ALL, '▶ref: a, action: log, expression: ssl', 'ref: b, action: log, expression: ssl'),
    [['lint/unreachable-rule', '1 more after this one']],
  ],
  [
    'a rule behind one that skips the rest',
    zone(
      CUSTOM,
      SKIP('ruleset: current', '').replace('ssl', '"not false"'),
      '▶ref: a, action: log, expression: ssl',
    ),
    [['lint/unreachable-rule', 'skips the rest for every request']],
  ],
  [
    'a rule behind one that skips the rest of the phase',
    zone(CUSTOM, SKIP('phase: current', ''), '▶ref: a, action: log, expression: ssl'),
    [['lint/unreachable-rule', 'skips the rest for every request']],
  ],
  [
    'a rule for what is blocked already',
    zone(
      CUSTOM,
      'ref: a, action: block, expression: ssl',
      '▶ref: b, action: managed_challenge, expression: " ssl "',
    ),
    [['lint/unreachable-rule', 'zones/a.yaml:5:10']],
  ],
  [
    'a rule that matches less than what is blocked already',
    zone(
      CUSTOM,
      'ref: a, action: block, expression: \'http.host eq "a.shop.example"\'',
      '▶ref: b, action: block, expression: \'http.host eq "a.shop.example" and ssl\'',
    ),
    [['lint/unreachable-rule', 'zones/a.yaml:5:10 and does the same: remove this one']],
  ],
  [
    'a skip behind a block of more addresses',
    zone(
      CUSTOM,
      'ref: a, action: block, expression: "ip.src in {81.0.0.0/8}"',
      `▶${SKIP('ruleset: current', '').replace('ssl', '"ip.src in {81.1.0.0/16}"')}`,
      'ref: c, action: log, expression: ssl',
    ),
    [['lint/unreachable-rule', 'move this rule before it']],
  ],
  [
    'a rule for what is blocked already, in other words',
    zone(
      CUSTOM,
      'ref: a, action: block, expression: ssl or cf.client.bot',
      'ref: b, action: log, expression: ssl or not cf.client.bot',
      '▶ref: c, action: managed_challenge, expression: (cf.client.bot or (ssl))',
    ),
    [['lint/unreachable-rule', 'matches the same requests: remove one of them']],
  ],
  [
    'rules behind one that blocks everything in other words',
    zone(
      CUSTOM,
      'ref: all, action: block, expression: \'starts_with(http.request.uri.path, "/")\'',
      '▶ref: a, action: log, expression: ssl',
    ),
    [['lint/unreachable-rule', 'applies `block` to every request']],
  ],
];

const SKIPS: readonly Case[] = [
  [
    'the rest of a ruleset that has none',
    zone(CUSTOM, SKIP('ruleset: current'), 'ref: off, enabled: false, action: log, expression: ssl'),
    [['lint/skip-without-effect', 'no enabled rule follows']],
  ],
  [
    'the rest of a phase that has none',
    zone(CUSTOM, SKIP('phase: current')),
    [['lint/skip-without-effect', 'no enabled rule follows']],
  ],
  [
    'phases that have run',
    zone(CUSTOM, SKIP('phases: [http_request_transform, ddos_l7]')),
    [['lint/skip-without-effect', '`http_request_transform` and `ddos_l7` run before']],
  ],
  [
    'an exception for what runs before it',
    zone('http_request_firewall_managed', EXECUTE('x'), SKIP('rulesets: [managed:x]'), EXECUTE('y')),
    [['lint/skip-without-effect', 'no enabled `execute` rule after it']],
  ],
];

const REDIRECT = (target: string): string =>
  zone(
    'http_request_dynamic_redirect',
    `ref: a, action: redirect, expression: 'http.request.uri.path eq "/sale"', action_parameters: {from_value: {target_url: {value: ▶${target}}, status_code: 302}}`,
  );

const LOW = (more: string, rule = 'action: block, expression: "true"', requests = '1'): string =>
  zone(
    'http_ratelimit',
    `ref: limit, ${rule}, ratelimit: {requests_per_period: ${requests}, characteristics: [cf.colo.id, ip.src], period: 10${more}}`,
  );

const LIMITS: readonly Case[] = [
  [
    'a limit that one page reaches',
    LOW(', mitigation_timeout: 86400', undefined, '▶1'),
    [['lint/low-rate-limit', 'such as a login']],
  ],
  [
    'a limit for all but the office',
    LOW('', "action: managed_challenge, expression: 'not ip.src in {192.0.2.0/24}'", '▶9'),
    [['lint/low-rate-limit', 'such as a login']],
  ],
  [
    'a limit for all paths',
    LOW('', `action: block, expression: 'starts_with(http.request.uri.path, "/")'`, '▶9'),
    [['lint/low-rate-limit', 'such as a login']],
  ],
  [
    'a limit for both names of the zone',
    LOW('', `action: block, expression: 'http.host in {"shop.example" "www.shop.example"}'`, '▶9'),
    [['lint/low-rate-limit', 'such as a login']],
  ],
  [
    'a limit that a visit reaches, and that locks out for a day',
    LOW(', mitigation_timeout: 86400', undefined, '▶20').replace('period: 10', 'period: 3600'),
    [['lint/low-rate-limit', 'such as a login']],
  ],
  ['a limit above a page', LOW('', undefined, '10'), []],
  ['a low limit that counts something else', LOW(", counting_expression: 'http.response.code eq 401'"), []],
  ['a low limit that logs', LOW('', 'action: log, expression: "true"'), []],
  ['a low limit for a login', LOW('', `action: block, expression: 'http.request.uri.path eq "/login"'`), []],
  [
    'a low limit for pages without their parts',
    LOW('', `action: block, expression: 'not http.request.uri.path contains "."'`, '9'),
    [],
  ],
  [
    'a low limit in a custom ruleset, which a condition may precede',
    `account: Shop
rulesets:
  - name: Login
    phase: http_ratelimit
    rules:
      - {ref: limit, action: block, expression: "true", ratelimit: {requests_per_period: 5, characteristics: [cf.colo.id, ip.src], period: 10}}
entrypoints:
  http_ratelimit:
    rules:
      - {ref: run, action: execute, expression: '(http.request.uri.path eq "/login") and cf.zone.plan eq "ENT"', action_parameters: {id: "custom:login"}}
`,
    [],
  ],
  ['a low limit for each path', LOW('').replace('ip.src]', 'ip.src, http.request.uri.path]'), []],
  [
    'overrides of DDoS protection, each for an expression',
    zone('ddos_l7', EXECUTE('x'), EXECUTE('x', '2')),
    [],
  ],
  [
    'a redirect to a text',
    REDIRECT('not a url'),
    [['lint/redirect-target', 'such as `https://shop.example/`']],
  ],
  ['a redirect without a scheme', REDIRECT('shop.example/sale'), [['lint/redirect-target', 'not a URL']]],
  ['a redirect to an address', REDIRECT('"https://shop.example/a?b=c"').replace('▶', ''), []],
  ['a redirect to an app', REDIRECT('"market://details?id=x"').replace('▶', ''), []],
  ['a redirect to a path', REDIRECT('/a').replace('▶', ''), []],
  [
    'a range of statuses that begins behind its end',
    zone(
      'http_request_cache_settings',
      'ref: a, action: set_cache_settings, expression: "true", action_parameters: {edge_ttl: {mode: respect_origin, status_code_ttl: [{value: 0, status_code_range: {from: 200, to: 200}}, {value: 0, ▶status_code_range: {from: 599, to: 500}}]}}',
    ),
    [['lint/status-range', 'from 500 to 599']],
  ],
  [
    'a list in the expression where only what reaches the origin counts',
    zone('http_ratelimit', LISTED('requests_to_origin: ▶true')),
    [['lint/rate-limit-expression', 'uses the list $office']],
  ],
];

const SECRETS: readonly Case[] = [
  [
    'a header that requests are given',
    zone(
      'http_request_late_transform',
      'ref: a, action: rewrite, expression: "true", action_parameters: {headers: {X-Origin-Auth: {operation: set, value: ▶abcdefgh}, X-Auth-User: {operation: set, value: nobody}, X-Api-Key: {operation: set, expression: http.host}, X-Team: {operation: set, value: abcdefghi}}}',
    ),
    [['lint/plain-secret', 'X-Origin-Auth']],
  ],
  [
    'a header that requests have to have',
    zone(
      CUSTOM,
      `ref: a, action: block, expression: ▶'not any(http.request.headers["x-api-key"][*] eq "abcdefgh")'`,
    ),
    [['lint/plain-secret', 'x-api-key']],
  ],
  [
    'a set of values of a header',
    zone(
      CUSTOM,
      `ref: a, action: block, expression: ▶'http.request.headers["authorization"][0] in {"Basic abcdef" "b"}'`,
    ),
    [['lint/plain-secret', 'authorization']],
  ],
  [
    'nothing that everybody sees',
    zone(
      'http_response_headers_transform',
      'ref: a, action: rewrite, expression: "true", action_parameters: {headers: {Set-Cookie: {operation: add, value: abcdefgh}}}',
    ),
    [],
  ],
];

const PARAMETERS: readonly Case[] = [
  [
    'how the edge caches in a rule that turns caching off, and none turns it on again',
    zone(
      'http_request_cache_settings',
      'ref: a, action: set_cache_settings, expression: ssl, action_parameters: {cache: false, edge_ttl: {mode: respect_origin}}',
      'ref: b, action: set_cache_settings, expression: http.host eq "a.shop.example", action_parameters: {cache: true}',
      'ref: c, action: set_cache_settings, expression: not ssl, action_parameters: {cache: false, browser_ttl: {mode: respect_origin}, ▶edge_ttl: {mode: respect_origin}, ▶cache_key: {cache_deception_armor: true}}',
    ),
    [
      ['lint/uncached', '`edge_ttl` has no effect'],
      ['lint/uncached', '`cache_key` has no effect'],
    ],
  ],
  [
    'an algorithm behind one that leaves nothing to choose',
    zone(
      'http_response_compression',
      'ref: a, action: compress_response, expression: ssl, action_parameters: {algorithms: [{name: zstd}, {name: ▶auto}, {name: gzip}]}',
      'ref: b, action: compress_response, expression: not ssl, action_parameters: {algorithms: [{name: gzip}, {name: auto}]}',
    ),
    [['lint/compression-order', 'put it last']],
  ],
  [
    'logged headers in upper case, but not cookies',
    zone(
      'http_log_custom_fields',
      'ref: a, action: log_custom_field, expression: "true", action_parameters: {request_fields: [{name: ▶User-Agent}], cookie_fields: [{name: SID}]}',
    ),
    [['lint/log-field-case', 'write `user-agent`']],
  ],
  [
    'custom log fields for some requests',
    zone(
      'http_log_custom_fields',
      '▶ref: a, action: log_custom_field, expression: ssl, action_parameters: {request_fields: [{name: a}]}',
    ),
    [['lint/log-rule', 'one rule']],
  ],
];

const NAMES: readonly Case[] = [
  [
    'rules without names',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\n',
      'zones/a.yaml': zone(
        CUSTOM,
        'ref: a, action: log, expression: ssl',
        '▶action: log, expression: ssl',
        'action: log, expression: ssl',
      ),
    },
    [['lint/missing-ref', '1 more of this ruleset']],
  ],
  [
    'a ref with a letter of another alphabet',
    zone('http_request_firewall_custom', 'ref: ▶p\u0430rtner, action: log, expression: ssl'),
    [['lint/look-alike', 'Cyrillic']],
  ],
  [
    'a description with what nobody sees',
    zone(
      'http_request_firewall_custom',
      'ref: a, description: ▶ab\u200bc, action: log, expression: ssl',
      'ref: b, description: "Stop \u26a0\ufe0f\u00a0now \u041f\u0440\u0438\u0432\u0435\u0442: 10 \u03bcs, 5 k\u03a9", action: log, expression: not ssl',
    ),
    [['lint/look-alike', 'U+200B']],
  ],
  [
    'a description with what a flag hides, and only there',
    zone(
      'http_request_firewall_custom',
      `ref: a, description: "${ENGLAND} \u05d0\u200f!", action: log, expression: ssl`,
      `ref: b, description: ▶a${ENGLAND.slice(2)}, action: log, expression: not ssl`,
    ),
    [['lint/look-alike', 'U+E0067']],
  ],
];
/** A zone file with a rule in block style, with one text as given: without quotes, and with what follows it. */
const BLOCK = (key: string, text: string): string => {
  const texts = Object.entries({ expression: 'ssl', description: 'Why', [key]: text });
  const lines = texts.map(([name, value]) => `        ${name}: ${value}\n`).join('');
  return `zone: shop.example\nentrypoints:\n  ${CUSTOM}:\n    rules:\n      - ref: a\n${lines}        action: block\n`;
};

const CUT: readonly Case[] = [
  ['and not ip.src in {192.0.2.1}', 'joins a condition'],
  ['or (http.host eq "b")', 'joins one in parentheses'],
  ['&& starts_with(http.host, "b") or what', 'joins one that is wrong further behind'],
  ['and not ip.src in ${office}', 'joins one with a variable'],
  ['or ssl', 'joins a short one'],
].map(([comment = '', what = '']): Case => [
  `a comment that ${what}`,
  BLOCK('expression', `http.host eq "a" ▶# ${comment}`),
  [['lint/cut-text', 'single quotes']],
]);

const CUT_DESCRIPTION: Case = [
  'a number behind a number sign',
  BLOCK('description', 'As agreed in ▶#4711 of May'),
  [['lint/cut-text', 'so the description ends before it']],
];

describe.each([
  ['texts that a comment ends', [...CUT, CUT_DESCRIPTION]],
  ['the order of rules', ORDER],
  ['skips', SKIPS],
  ['rate limits', LIMITS],
  ['secrets in clear', SECRETS],
  ['parameters', PARAMETERS],
  ['names', NAMES],
] as const)('the lint findings about %s', (_, cases) => {
  test.each(cases)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected);
    expect(result.kind).toBe('loaded');
  });
});

const FINE: readonly (readonly [what: string, file: string])[] = [
  ['a rate limit with a list', zone('http_ratelimit', LISTED('requests_to_origin: false'))],
  [
    'a rule behind a challenge, which those pass who solve it',
    zone(
      CUSTOM,
      'ref: a, action: managed_challenge, expression: "true"',
      'ref: b, action: log, expression: ssl',
    ),
  ],
  [
    'a rule behind a block that is off',
    zone(CUSTOM, `enabled: false, ${BLOCK_ALL}`, 'ref: b, action: log, expression: ssl'),
  ],
  [
    'a rule behind a rate limit',
    zone(
      'http_ratelimit',
      LIMIT('characteristics: [cf.colo.id, ip.src], period: 10').replace(': 5', ': 50'),
      LIMIT('characteristics: [cf.colo.id, ip.src], period: 60')
        .replace(': 5', ': 50')
        .replace('ref: limit', 'ref: more'),
    ),
  ],
  [
    'a rule behind a redirect of what a list has',
    account(
      'http_request_redirect',
      ...['one', 'two'].map(
        (name) =>
          `ref: ${name}, action: redirect, expression: 'http.host eq "a"', action_parameters: {from_list: {name: ${name}, key: http.request.full_uri}}`,
      ),
    ),
  ],
  [
    'a rule behind a block of leaked credentials',
    `account: a\nrulesets:\n  - name: Logins\n    phase: http_request_firewall_custom\n    rules:\n${[
      'ref: a, action: block, expression: ssl, exposed_credential_check: {username_expression: http.host, password_expression: http.host}',
      'ref: b, action: log, expression: ssl',
    ]
      .map((rule) => `      - {${rule}}\n`)
      .join('')}`,
  ],
  [
    'a skip of the rest where others may have rules',
    `ownership: {rules: [skip]}\n${zone(CUSTOM, SKIP('ruleset: current', ''))}`,
  ],
  ['a skip of products', zone(CUSTOM, SKIP('ruleset: current, products: [bic]', ''))],
  [
    'an exception by id, of a ruleset by name',
    zone(
      'http_request_firewall_managed',
      SKIP('rulesets: [efb7b8c949ac4650a09736fc376e9aee]', ''),
      EXECUTE('cloudflare-managed-ruleset'),
    ),
  ],
  [
    'account rules for Enterprise zones',
    account(
      'http_request_firewall_managed',
      `ref: a, action: execute, expression: 'cf.zone.plan eq "ENT"', action_parameters: {id: managed:x}`,
      `ref: b, action: execute, expression: '(ssl or http2) and (cf.zone.plan == "ENT")', action_parameters: {id: managed:x}`.replace(
        'http2',
        'http.host eq "a"',
      ),
    ),
  ],
];

const COMMENTS = [
  'and the office may pass',
  'or so',
  'not for partners',
  'and ssl is on',
  'and lower is better',
  'android only',
  'http.host eq "b"',
  'and http.host of the shop, see ip.src',
  'TODO and',
  '',
].map(
  (comment) => [`the comment "${comment}"`, BLOCK('expression', `http.host eq "a" # ${comment}`)] as const,
);

const UNCUT = [
  ['a comment behind quotes', BLOCK('expression', `'http.host eq "a"' # and http.host eq "b"`)],
  [
    'a comment above a text of its own lines',
    BLOCK('expression', '>- # and http.host eq "b"\n          http.host eq "a"'),
  ],
  ['a comment behind a description', BLOCK('description', 'Host a # and http.host eq "b", see #5')],
] as const;

test.each([...FINE, ...COMMENTS, ...UNCUT])('lint reports nothing about %s', async (_, file) => {
  const result = await expectFindings(file, []);
  expect(result.kind).toBe('loaded');
});

test('lint does not run while a file has an error', async () => {
  const file = zone(CUSTOM, BLOCK_ALL, 'ref: b, action: ▶bock, expression: ssl');
  const result = await expectFindings(file, [['schema/unknown-action', 'block']]);
  expect(result.kind).toBe('invalid');
});

/** A redirect rule; `value` and `expression` of the target, and further parameters, come as they stand in the file. */
function leading(condition: string, target: string, more = ''): string {
  return `ref: a, action: redirect, expression: '${condition}', action_parameters: {from_value: {▶target_url: {${target}}, status_code: 302${more}}}`;
}

const KEEP = ', preserve_query_string: true';
const SHOP = 'http.host eq "shop.example"';
const BOTH = 'http.host in {"shop.example" "www.shop.example"}';
const computed = (text: string): string => `expression: '${text}'`;
const GERMAN = leading(`${SHOP} and ip.src.country eq "DE"`, 'value: "https://shop.example/de/"');
const LOCALIZED =
  'wildcard_replace(http.request.full_uri, "https://shop.example/*", "https://shop.example/de/${1}")';

const LOOPS: readonly (readonly [string, string, string])[] = [
  ['a country to its pages', GERMAN, 'require `not http.request.uri.path eq "/de/"`'],
  ['all paths of the same host', leading('true', 'value: /maintenance'), 'path eq "/maintenance"'],
  [
    'one of the hosts of the condition',
    leading(BOTH, 'value: "https://www.shop.example/"'),
    'uri.path eq "/"',
  ],
  ['a host without a path', leading(SHOP, 'value: "https://shop.example"'), 'uri.path eq "/"'],
  [
    'https without asking whether it is so already',
    leading(SHOP, computed('concat("https://", http.host, http.request.uri.path)')),
    'require `not ssl`',
  ],
  [
    'the host of the condition with the same path and query',
    leading(
      `${BOTH} and http.request.uri.query contains "a"`,
      computed('concat("https://www.shop.example", http.request.uri.path)'),
      KEEP,
    ),
    'http.host eq "www.shop.example"',
  ],
  [
    'a folder that is below the one of the condition',
    leading(
      'starts_with(http.request.uri.path, "/blog")',
      computed('concat("/blog/new", http.request.uri.path)'),
    ),
    'starts_with(http.request.uri.path, "/blog/new")',
  ],
  [
    'a replacement that has the pattern again',
    leading('http.request.full_uri wildcard "https://shop.example/*"', computed(LOCALIZED)),
    'starts_with(http.request.uri.path, "/de/")',
  ],
  [
    'what rules before it let through',
    zone(
      '',
      leading('http.request.uri.path eq "/sale"', 'value: /sold')
        .replace('▶', '')
        .replace('ref: a', 'ref: sold'),
      GERMAN,
    ),
    'require `not',
  ],
];

const rules = (text: string): string =>
  text.startsWith('zone:')
    ? text.replace('entrypoints:\n  :', 'entrypoints:\n  http_request_dynamic_redirect:')
    : zone('http_request_dynamic_redirect', text);

test.each(LOOPS)('lint reports a redirect without end: %s', async (_, text, hint) => {
  const result = await expectFindings(rules(text), [['lint/redirect-loop', hint]]);
  expect(result.kind).toBe('loaded');
});

const ELSEWHERE = (expression: string, mark = '▶'): string =>
  zone(CUSTOM, `ref: a, action: block, expression: ${mark}'${expression}'`);

test.each([
  ['one host', ELSEWHERE('http.host eq "blog.example" and ssl')],
  ['a set of hosts', ELSEWHERE('(lower(http.host) in {"blog.example" "www.blog.example"})')],
  ['either host', ELSEWHERE('http.host eq "blog.example" or (http.host eq "notshop.example" and ssl)')],
])('lint reports a rule that waits for %s of another zone', async (_, text) => {
  const result = await expectFindings(text, [['lint/foreign-host', 'matches nothing in shop.example']]);
  expect(result.kind).toBe('loaded');
});

const HERE = (expression: string): string => ELSEWHERE(expression, '');

test.each([
  ['the zone with a port', HERE('http.host eq "www.shop.example:8443"')],
  ['one host of the zone among others', HERE('http.host in {"blog.example" "shop.example"}')],
  ['an alternative', HERE('http.host eq "blog.example" or ip.src eq 192.0.2.1')],
  ['a host that it is not about', HERE('not http.host eq "blog.example"')],
  ['a pattern', HERE('http.host contains "blog.example"')],
  [
    'another zone of the file',
    HERE('http.host eq "blog.example"').replace('zone: shop.example', 'zones: [shop.example, blog.example]'),
  ],
])('lint reports no rule that waits for %s', async (_, text) => {
  const result = await expectFindings(text, []);
  expect(result.kind).toBe('loaded');
});

const ENDING: readonly (readonly [string, string])[] = [
  ['a path that the condition leaves out', leading('http.request.uri.path ne "/a"', 'value: /a')],
  ['https', leading(`not ssl`, computed('concat("https://", http.host, http.request.uri.path)'))],
  ['another host', leading('http.host eq "www.shop.example"', 'value: "https://shop.example/"')],
  ['a host that may be served elsewhere', leading('ssl', 'value: "https://www.shop.example/"')],
  ['a query that goes', leading(`${SHOP} and http.request.uri.query eq "a"`, 'value: /')],
  ['a query that comes', leading('http.request.uri.query eq ""', 'value: "/?a=1"')],
  ['a cookie that may be set', leading('not http.cookie contains "seen"', 'value: /welcome')],
  ['a form', leading('http.request.method eq "POST"', 'value: /')],
  ['a path that is normalized', leading('http.request.uri.path contains ".."', 'value: /a/../b')],
  ['a text of no known beginning', leading('true', computed('http.request.headers["x-to"][0]'))],
  [
    'what a rule before it redirects elsewhere',
    zone(
      '',
      leading('http.request.uri.path eq "/de/"', 'value: /fr/').replace('ref: a', 'ref: fr'),
      GERMAN,
    ).replaceAll('▶', ''),
  ],
  ['what is switched off', `enabled: false, ${GERMAN}`],
];

test.each(ENDING)('lint reports no endless redirect to %s', async (_, text) => {
  const result = await expectFindings(rules(text).replaceAll('▶', ''), []);
  expect(result.kind).toBe('loaded');
});
