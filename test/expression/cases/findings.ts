import type { CheckContext } from '../../../src/expression/check/subject.ts';

/** A text, where it stands, and what is said of it: each code (without `expression/`) with the part it points at. */
export type FindingCase = readonly [
  text: string,
  context: CheckContext,
  ...findings: (readonly [code: string, part: string])[],
];

const NONE: CheckContext = {};
const CUSTOM: CheckContext = { phase: 'http_request_firewall_custom', level: 'zone' };

export const FINDINGS: readonly FindingCase[] = [
  // Nothing to say.
  ['true', CUSTOM],
  ['http.host eq "example.com" and not ip.src in {203.0.113.0/24 2001:db8::/32}', CUSTOM],
  ['any(http.request.headers["x-a"][*] contains "b")', CUSTOM],
  ['http.request.uri.path matches r"^/api/v\\d+$"', { ...CUSTOM, plan: 'business' }],

  // Syntax, names, types.
  ['', NONE, ['blank', '']],
  [' \n', NONE, ['blank', ' \n']],
  ['http.hots eq "a"', NONE, ['unknown-field', 'http.hots']],
  ['lowercase(http.host) eq "a"', NONE, ['unknown-function', 'lowercase']],
  ['http.hots eq "a" and ssll', NONE, ['unknown-field', 'http.hots'], ['unknown-field', 'ssll']],
  ['http.host eq', NONE, ['syntax', '']],
  ['http.host', NONE, ['syntax', '']],
  ['ssl AND ssl', NONE, ['syntax', ' AND ssl']],
  ['ssl\tand ssl', NONE, ['tab', '\tand ssl']],
  ['ssl == true', NONE, ['type', ' == true']],
  ['ip.src in {1.1.1.1, 8.8.8.8}', NONE, ['set-comma', ', 8.8.8.8}']],
  ['http.host in {"a","b"}', NONE, ['set-comma', ',"']],
  ['ip.src eq "1.1.1.1"', NONE, ['quoted-address', '"1.1.1.1"']],
  ['ip.src eq 192.0.2.0/24', NONE, ['network-comparison', '192.0.2.0/24']],
  ['http.response.code in {500..200}', NONE, ['reversed-range', '500..200']],
  ['http.host matches "("', NONE, ['regex-syntax', '(']],
  ['http.host wildcard "**"', NONE, ['wildcard-syntax', '"**"']],
  ['http.request.headers["a"] eq "b"', NONE, ['type', 'eq']],
  ['http.request.headers["a"][*] eq "b"', NONE, ['type', '']],
  ['lower(1) eq "a"', NONE, ['arguments', '1']],
  [`${'('.repeat(129)}ssl${')'.repeat(129)}`, NONE, ['too-deep', `(ssl${')'.repeat(129)}`]],

  // Names and places.
  ['ip.addr eq 1.1.1.1', NONE, ['unknown-field', 'ip.addr']],
  ['ip.geoip.country eq "DE"', NONE, ['deprecated-field', 'ip.geoip.country']],
  [
    'http.request.jwt.claims.exp.sec["a"][0] lt 5',
    NONE,
    ['deprecated-field', 'http.request.jwt.claims.exp.sec'],
  ],
  ['cf.threat_score gt 10', NONE, ['constant-field', 'cf.threat_score']],
  ['http.response.code eq 404', CUSTOM, ['place', 'http.response.code']],
  ['http.response.code eq 404', { phase: 'http_response_headers_transform' }],
  ['http.response.code eq 404', { phase: 'http_ratelimit', use: 'counting' }],
  ['http.response.code eq 404', { phase: 'http_ratelimit' }, ['place', 'http.response.code']],
  ['tcp.dstport eq 80', CUSTOM, ['place', 'tcp.dstport']],
  ['tcp.dstport eq 80', { phase: 'magic_transit' }],
  ['cf.zone.name eq "a.com"', CUSTOM, ['place', 'cf.zone.name']],
  ['cf.zone.name eq "a.com"', { ...CUSTOM, level: 'account' }],
  ['http.request.body.size gt 5', { phase: 'http_request_transform' }, ['place', 'http.request.body.size']],
  ['to_string(ssl) eq "true"', NONE, ['place', 'to_string']],
  ['to_string(ip.src)', { use: 'value', phase: 'http_request_late_transform' }],
  ['to_string(ip.src)', { use: 'value', phase: 'http_custom_errors' }, ['place', 'to_string']],
  ['cidr(ip.src, 24, 64) eq 192.0.2.0', { phase: 'http_config_settings' }, ['place', 'cidr']],

  // Plans.
  ['http.host matches "a.b"', { plan: 'pro' }, ['plan', 'matches'], ['unescaped-dot', '"a.b"']],
  ['cf.bot_management.score lt 30', { plan: 'business' }, ['plan', 'cf.bot_management.score']],
  ['cf.bot_management.score lt 30', { plan: 'enterprise' }],
  ['http.request.cookies["a"][0] eq "b"', { plan: 'free' }, ['plan', 'http.request.cookies']],
  [
    'is_timed_hmac_valid_v0("k", http.request.uri, 10, 1)',
    { plan: 'free' },
    ['plan', 'is_timed_hmac_valid_v0("k", http.request.uri, 10, 1)'],
  ],
  ['ssl', { plan: 'pro', use: 'counting' }, ['plan', 'ssl']],

  // Texts that are not what they look like.
  ['http.host eq "p\u0430ypal.example"', NONE, ['look-alike', 'p\u0430ypal']],
  ['http.host eq "\u03bfffice" or ssl', NONE, ['look-alike', '\u03bfffice']],
  ['http.user_agent contains "a\u200bb\u3164"', NONE, ['look-alike', '\u200b'], ['look-alike', '\u3164']],
  ['http.user_agent contains "a\u00a0b"', NONE, ['look-alike', '\u00a0']],
  ['http.user_agent contains "Größe Привет \u65e5\u672c α"', NONE],

  // Limits.
  [
    `http.host in {${'"abcdefgh" '.repeat(400)}}`,
    NONE,
    ['too-long', `http.host in {${'"abcdefgh" '.repeat(400)}}`],
    ...Array.from({ length: 399 }, (): [string, string] => ['duplicate-item', '"abcdefgh"']),
  ],
  [
    'regex_replace(http.host, "a", "b") eq regex_replace(http.host, "c", "d")',
    NONE,
    ['place', 'regex_replace'],
    ['place', 'regex_replace'],
    ['repeated-replace', 'regex_replace(http.host, "c", "d")'],
  ],
  [
    'wildcard_replace(lower(regex_replace(http.host, "a", "b")), "a", "b")',
    { use: 'value' },
    ['repeated-replace', 'regex_replace(http.host, "a", "b")'],
  ],
  [
    `concat(${Array.from({ length: 33 }, () => 'http.host').join(', ')}) eq "a"`,
    NONE,
    ['arguments', `concat(${Array.from({ length: 33 }, () => 'http.host').join(', ')})`],
  ],

  // Values of arguments.
  ['url_decode(http.host, "x") eq "a"', NONE, ['argument-value', '"x"']],
  ['url_decode(http.host, "ru") eq "a"', NONE],
  ['url_decode(http.host, "é") eq "a"', NONE, ['argument-value', '"é"']],
  ['bit_slice(tcp, 64, 96) eq 1', { phase: 'magic_transit' }],
  ['bit_slice(tcp, 0, 33) eq 1', { phase: 'magic_transit' }, ['argument-value', 'bit_slice(tcp, 0, 33)']],
  [
    'bit_slice(tcp, 2032, 2048) eq 1',
    { phase: 'magic_transit' },
    ['argument-value', 'bit_slice(tcp, 2032, 2048)'],
  ],
  ['bit_slice(tcp, 9, 8) eq 1', { phase: 'magic_transit' }, ['argument-value', 'bit_slice(tcp, 9, 8)']],
  ['uuidv4(http.host)', { use: 'value' }, ['argument-value', 'http.host']],
  ['regex_replace(http.host, "(", "")', { use: 'value' }, ['argument-value', '"("']],
  ['regex_replace(http.host, "a", "${9}")', { use: 'value' }, ['argument-value', '"${9}"']],
  ['regex_replace(http.host, "a", "$${9}${8}")', { use: 'value' }],
  ['wildcard_replace(http.host, "**", "")', { use: 'value' }, ['argument-value', '"**"']],
  ['wildcard_replace(http.host, "*", "${1}", "i")', { use: 'value' }, ['argument-value', '"i"']],

  // Lists.
  ['ip.src in $office', NONE],
  ['ip.src in $office', { lists: new Set(['office']) }],
  ['ip.src in $offise', { lists: new Set(['office']) }, ['unknown-list', '$offise']],
  ['ip.src in $cf.malware', { lists: new Set() }],
  ['ip.src in $cf.nice', NONE, ['unknown-list', '$cf.nice']],
  ['ip.src in $a.b', NONE, ['list-name', '$a.b']],
  ['http.host in $hosts', NONE],
  ['http.user_agent in $agents', NONE, ['list-field', 'http.user_agent']],
  ['ip.src.asnum in $asns', NONE],
  ['http.request.full_uri in $moved', { phase: 'http_request_redirect', level: 'account' }],
  ['http.request.full_uri in $moved', NONE],
  [
    'http.request.full_uri in $moved',
    { phase: 'http_request_firewall_custom', level: 'zone' },
    ['list-field', 'http.request.full_uri'],
  ],
  ['cf.edge.server_port in $ports', NONE, ['list-field', 'cf.edge.server_port']],

  // Values of fields.
  ['http.request.headers["X-A"][0] eq "b"', NONE, ['header-case', '["X-A"]']],
  ['http.request.method eq "get"', NONE, ['value-case', '"get"']],
  ['http.request.method in {"GET" "post"}', NONE, ['value-case', '"post"']],
  ['ip.src.country eq "germany"', NONE, ['impossible-value', '"germany"']],
  ['ip.src.country in {"DE" "T1" "de"}', NONE, ['impossible-value', '"de"']],
  ['ip.src.continent eq "XX"', NONE, ['impossible-value', '"XX"']],
  ['http.request.uri.path eq "admin"', NONE, ['path-slash', '"admin"']],
  ['starts_with(http.request.uri.path, "admin")', NONE, ['path-slash', '"admin"']],
  ['http.request.uri.path contains "admin"', NONE],
  ['http.request.uri.path wildcard "*admin"', NONE],
  ['http.request.uri.path wildcard "admin*"', NONE, ['path-slash', '"admin*"']],
  ['http.request.uri.path.extension eq ".php"', NONE, ['impossible-value', '".php"']],
  ['http.request.full_uri eq "example.com/a"', NONE, ['impossible-value', '"example.com/a"']],
  ['cf.bot_management.score lt 101', NONE, ['impossible-value', '101']],
  ['cf.edge.server_port in {80 70000..80000}', NONE, ['impossible-value', '70000..80000']],
  ['cf.waf.score.class eq "bad"', NONE, ['impossible-value', '"bad"']],
  ['http.request.uri.path eq "^/api"', NONE, ['path-slash', '"^/api"'], ['regex-in-text', '"^/api"']],
  ['http.user_agent contains "curl.*"', NONE, ['regex-in-text', '"curl.*"']],
  ['http.user_agent contains "\\\\d+"', NONE, ['regex-in-text', '"\\\\d+"']],
  ['http.request.uri.path contains "\\\\windows\\\\system32"', NONE],
  ['ip.src in {10.0.0.0/8 203.0.113.1}', NONE, ['reserved-address', '10.0.0.0/8']],
  ['ip.src eq ::1', NONE, ['reserved-address', '::1']],
  ['ip.src in {10.0.0.0/8 1.1.1.1}', { phase: 'magic_transit' }],

  // Sets and numbers.
  ['ip.src in {}', NONE, ['empty-set', '{}']],
  ['ip.src in {1.1.1.1}', NONE, ['single-item-set', '{1.1.1.1}']],
  ['ip.src in {1.1.1.0/24}', NONE],
  ['http.host in {"a" "b" "a"}', NONE, ['duplicate-item', '"a"']],
  ['ip.src in {1.1.1.1 1.1.1.0/24}', NONE, ['covered-item', '1.1.1.1']],
  ['cf.edge.server_port in {80 1..100}', NONE, ['covered-item', '80']],
  ['ip.src in {1 2}', NONE, ['short-address', '1'], ['short-address', '2']],
  ['ip.src in {198.51 198.51.100}', NONE, ['short-address', '198.51'], ['short-address', '198.51.100']],
  ['ip.src in {198.51.100/24 2001:db8::1}', NONE],
  ['ip.src.asnum in {13335-13340 209242}', NONE, ['hyphen-range', '13335-13340']],
  ['ip.src.asnum in {13335 -13340}', NONE],
  ['ip.src in {192.0.2.1..2001:db8::1}', NONE, ['type', '192.0.2.1..2001:db8::1']],
  ['cf.edge.server_port eq 0100', NONE, ['octal', '0100']],
  ['cf.edge.server_port in {0 010..020}', NONE, ['impossible-value', '0'], ['octal', '010..020']],
  ['substring(http.host, 010) eq "a"', NONE, ['octal', '010']],

  // Patterns.
  ['http.user_agent matches "curl"', NONE, ['plain-regex', '"curl"']],
  ['http.host matches r"^a\\.b$"', NONE],
  ['http.host matches r"^a.b$"', NONE, ['unescaped-dot', 'r"^a.b$"']],
  ['http.user_agent matches "\\d"', NONE, ['quoted-regex', '"\\d"']],

  // Logic.
  ['ssl or ssl and cf.client.bot', NONE, ['mixed-operators', 'ssl and cf.client.bot']],
  ['ssl or (ssl and cf.client.bot)', NONE],
  ['not not ssl', NONE, ['double-negation', 'not not ssl']],
  ['not (not (ssl))', NONE, ['double-negation', 'not (not (ssl))']],
  ['ssl and cf.client.bot and (ssl)', NONE, ['repeated-clause', 'ssl']],
  ['http.request.headers["a"][0] ne "b"', NONE, ['missing-value', 'http.request.headers["a"][0] ne "b"']],
  [
    'not http.request.headers["a"][0] eq "b"',
    NONE,
    ['missing-value', 'not http.request.headers["a"][0] eq "b"'],
  ],
  [
    'not lower(http.request.headers["a"][0]) eq "b"',
    NONE,
    ['missing-value', 'not lower(http.request.headers["a"][0]) eq "b"'],
  ],
  [
    'not lookup_json_string(http.request.body.raw, "a") eq "b"',
    NONE,
    ['missing-value', 'not lookup_json_string(http.request.body.raw, "a") eq "b"'],
  ],
  ['coalesce(lookup_json_string(http.request.body.raw, "a"), "") ne "b"', NONE],
  ['not http.host eq "b"', NONE],
  ['coalesce(http.request.headers["a"][0], "") ne "b"', NONE],
  [
    'any((http.request.headers.names[*] eq "a" and http.request.headers.values[*] eq "b"))',
    NONE,
    ['mixed-arrays', '(http.request.headers.names[*] eq "a" and http.request.headers.values[*] eq "b")'],
  ],
  ['any((http.request.headers.names[*] eq "a" or lower(http.request.headers.names[*])[*] eq "b"))', NONE],
  [
    'lower(http.request.headers[*][*])[0] eq "a"',
    NONE,
    ['map-order', 'lower(http.request.headers[*][*])[0]'],
  ],

  // Computed values and counting.
  ['concat("/a", http.request.uri.path)', { use: 'value' }],
  ['http.request.timestamp.sec', { use: 'value' }, ['value-type', 'http.request.timestamp.sec']],
  ['http.request.headers["a"]', { use: 'value' }, ['value-type', 'http.request.headers["a"]']],
  ['http.request.headers["a"]', { use: 'value', valueType: 'Array<Bytes>' }],
  ['"/a"', { use: 'value' }, ['syntax', '"/a"']],
  [
    'http.response.code eq 401',
    { use: 'counting', level: 'account', phase: 'http_ratelimit' },
    ['place', 'http.response.code'],
  ],
  [
    'http.response.code eq 401 and ip.src in $a',
    { use: 'counting', level: 'zone', phase: 'http_ratelimit' },
    ['place', '$a'],
  ],
];

/** Texts and what they become when all fixes are applied. */
export const FIXES: readonly (readonly [text: string, fixed: string])[] = [
  ['ip.geoip.country eq "DE" and ip.geoip.asnum eq 1', 'ip.src.country eq "DE" and ip.src.asnum eq 1'],
  ['ssl\tand ssl', 'ssl and ssl'],
  ['ssl AND ssl', 'ssl and ssl'],
  ['ssl == true', 'ssl'],
  ['http.host = "a"', 'http.host == "a"'],
  ['ip.src eq "1.1.1.1"', 'ip.src eq 1.1.1.1'],
  ['ip.src eq "nonsense"', 'ip.src eq "nonsense"'],
  ['ip.src eq 192.0.2.0/24', 'ip.src in {192.0.2.0/24}'],
  ['ip.src eq 192.0.2.1/24', 'ip.src eq 192.0.2.1/24'],
  ['http.host in {"a","b"}', 'http.host in {"a" "b"}'],
  ['ip.src in {1.1.1.1, 8.8.8.8}', 'ip.src in {1.1.1.1 8.8.8.8}'],
  ['ip.src in {1.1.1.1}', 'ip.src eq 1.1.1.1'],
  ['ip.src in {1.1.1.1}and ssl', 'ip.src eq 1.1.1.1 and ssl'],
  ['http.host in {"a" "b" "a" "b"}', 'http.host in {"a" "b"}'],
  ['ip.src in {1.1.1.1 1.1.1.0/24}', 'ip.src in {1.1.1.0/24}'],
  ['cf.edge.server_port eq 0100', 'cf.edge.server_port eq 64'],
  ['http.user_agent matches "\\d\\"x"', 'http.user_agent matches r#"\\d"x"#'],
  ['ssl or ssl and cf.client.bot', 'ssl or (ssl and cf.client.bot)'],
  ['not not ssl', 'ssl'],
  [
    'any(not not http.request.headers.names[*] eq "x" or http.request.headers.names[*] eq "y")',
    'any((http.request.headers.names[*] eq "x") or http.request.headers.names[*] eq "y")',
  ],
  ['not (not (ssl or cf.client.bot)) and ssl', '(ssl or cf.client.bot) and ssl'],
  ['é', 'é'],
  ['http.host eq "é" and ip.geoip.asnum eq 1', 'http.host eq "é" and ip.src.asnum eq 1'],
];
