import { describe, expect, it } from 'vitest';
import { FIELDS } from '../../src/expression/index.ts';
import type { LogFormat } from '../../src/model/index.ts';
import { detectFormat, lineReader } from '../../src/traffic/log-format.ts';
import { LOGPUSH_COLUMNS, SECURITY_ACTIONS } from '../../src/traffic/logpush-columns.ts';
import type { TrafficRecord } from '../../src/traffic/record.ts';
import { readTime } from '../../src/traffic/timestamps.ts';
import { recordValues } from '../../src/traffic/record-values.ts';
import { valueToJson } from '../../src/expression/index.ts';
import { logOf, replayed, row, zoneWith } from './build.ts';

const EVERY = new Set(FIELDS.keys());

function recordOf(format: Exclude<LogFormat, 'har'>, line: string | object): TrafficRecord {
  const read = lineReader(format, { fields: EVERY, unknown: () => undefined });
  const said = read(typeof line === 'string' ? line : JSON.stringify(line));
  if (said.kind !== 'record') {
    throw new Error(JSON.stringify(said));
  }
  return said.record;
}

/** Some fields of a line, as JSON. */
function fieldsOf(
  format: Exclude<LogFormat, 'har'>,
  line: string | object,
  names: readonly string[],
): readonly unknown[] {
  const record = recordOf(format, line);
  const values = recordValues(EVERY).original(record, { name: 'shop.example', plan: '' });
  return names.map((name) => (values.has(name) ? valueToJson(values.get(name)) : 'not known'));
}

const AT = Date.UTC(2026, 10, 27, 8, 0, 1);

describe('the time of a record', () => {
  it.each([
    ['Unix seconds', AT / 1000],
    ['milliseconds', AT],
    ['microseconds', AT * 1000],
    ['nanoseconds', AT * 1e6],
    ['nanoseconds as text', `${AT}000000`],
    ['seconds with a fraction', AT / 1000 + 0.0004],
    ['RFC 3339', '2026-11-27T08:00:01Z'],
    ['RFC 3339 with nanoseconds and an offset', '2026-11-27T09:00:01.000000000+01:00'],
    ['RFC 3339 with a space, in lower case', '2026-11-27 08:00:01z'],
    ['an offset without a colon', '2026-11-27T09:00:01+0100'],
    ['the form of access logs', '27/Nov/2026:09:00:01 +0100'],
  ])('is read from %s', (_, value) => {
    expect(readTime(value)).toBe(AT);
  });

  it.each([
    0,
    -1,
    '',
    '-',
    'yesterday',
    null,
    '27/Foo/2026:09:00:01 +0100',
    // Whose local time it is, nobody knows.
    '2026-11-27T08:00:01',
    Number.NaN,
    // No times of our age: the first is what programs write that know none.
    '0001-01-01T00:00:00Z',
    1e300,
    '9'.repeat(30),
  ])('is unknown for %j', (value) => {
    expect(readTime(value)).toBeNull();
  });
});

describe('Logpush', () => {
  it('has only columns that say a field of the rules language', () => {
    expect(LOGPUSH_COLUMNS.filter(({ field }) => !FIELDS.has(field))).toEqual([]);
  });

  it.each([
    ['ClientCountry', 'us', 'ip.src.country', 'US'],
    ['ClientCountry', 'us', 'ip.geoip.country', 'US'],
    ['ClientCountry', '', 'ip.src.country', 'not known'],
    ['ClientASN', 64_496, 'ip.src.asnum', 64_496],
    ['ClientASN', '64496', 'ip.src.asnum', 64_496],
    ['BotScore', 7, 'cf.bot_management.score', 7],
    ['BotScore', 0, 'cf.bot_management.score', 'not known'],
    ['VerifiedBotCategory', 'Search Engine Crawler', 'cf.client.bot', true],
    ['VerifiedBotCategory', '', 'cf.bot_management.verified_bot', false],
    ['ClientRequestProtocol', 'HTTP/1.1', 'http.request.version', 'HTTP/1.1'],
    ['ClientRequestProtocol', 'HTTP/2.0', 'http.request.version', 'HTTP/2'],
    ['ClientSSLProtocol', 'none', 'cf.tls_version', ''],
    ['ClientMTLSAuthStatus', 'untrusted', 'cf.tls_client_auth.cert_verified', false],
    ['ClientMTLSAuthStatus', 'untrusted', 'cf.tls_client_auth.cert_presented', true],
    ['ClientMTLSAuthStatus', 'unknown', 'cf.tls_client_auth.cert_presented', 'not known'],
    [
      'LeakedCredentialCheckResult',
      'username_and_password_leaked',
      'cf.waf.credential_check.password_leaked',
      true,
    ],
    ['LeakedCredentialCheckResult', 'clean', 'cf.waf.credential_check.password_leaked', false],
    ['LeakedCredentialCheckResult', '', 'cf.waf.credential_check.password_leaked', 'not known'],
    [
      'RequestHeaders',
      { 'X-Key': 'a' },
      'http.request.headers',
      { 'user-agent': ['Mozilla/5.0'], 'x-key': ['a'] },
    ],
    ['Cookies', { session: 'b' }, 'http.request.cookies', { session: ['b'] }],
    ['ClientRequestURI', '/a.PHP?b=c&b', 'http.request.uri.args', { b: ['c', ''] }],
    ['ClientRequestURI', '/a.PHP?b=c', 'http.request.uri.path.extension', 'php'],
    ['ClientRequestURI', '/a/../b', 'http.request.uri.path', 'not known'],
    ['ClientRequestURI', '/a/../b', 'raw.http.request.uri.path', '/a/../b'],
    ['ClientRequestHost', 'WWW.Shop.example:443', 'http.host', 'www.shop.example'],
    ['ClientRequestScheme', 'http', 'ssl', false],
    ['ClientRequestURI', '/ü', 'http.request.full_uri', 'https://www.shop.example/ü'],
    ['EdgeStartTimestamp', AT * 1e6, 'http.request.timestamp.sec', AT / 1000],
    ['ClientIP', '2001:db8::1', 'ip.src', '2001:db8::1'],
  ])('%s %j: %s is %j', (column, value, field, known) => {
    expect(fieldsOf('logpush', row({ [column]: value }), [field])).toEqual([known]);
  });

  it('has words for all that the service says it did', () => {
    const words = [
      'unknown',
      'allow',
      'block',
      'challenge',
      'jschallenge',
      'log',
      'connectionClose',
      'challengeSolved',
      'challengeFailed',
      'challengeBypassed',
      'jschallengeSolved',
      'jschallengeFailed',
      'jschallengeBypassed',
      'bypass',
      'managedChallenge',
      'managedChallengeNonInteractiveSolved',
      'managedChallengeInteractiveSolved',
      'managedChallengeBypassed',
      'rewrite',
      'forceConnectionClose',
      'skip',
      '',
    ];
    expect(words.filter((word) => !SECURITY_ACTIONS.has(word))).toEqual([]);
    expect(
      ['block', 'jschallengeSolved', 'managedChallenge', ''].map((word) => SECURITY_ACTIONS.get(word)),
    ).toEqual([
      { outcome: 'blocked', solved: false },
      { outcome: 'challenged', solved: true },
      { outcome: 'challenged', solved: false },
      { outcome: 'passed', solved: false },
    ]);
  });

  it('counts columns that say nothing, and goes on', async () => {
    const { records, unknown_columns: columns } = await replayed(zoneWith({}, {}), [
      logOf(row({ ZoneName: 'a', New: 1 })),
    ]);
    expect([records, columns]).toEqual([1, ['New', 'ZoneName']]);
  });
});

const COMBINED = String.raw`192.0.2.1 - - [27/Nov/2026:08:00:01 +0000] "GET /a?b=\"c HTTP/1.1" 200 123 "-" "cu\x22rl"`;
const CADDY = {
  logger: 'http.log.access',
  ts: AT / 1000,
  status: 200,
  request: {
    remote_ip: '172.70.1.1',
    client_ip: '172.70.1.1',
    proto: 'HTTP/2.0',
    method: 'GET',
    host: 'shop.example',
    uri: '/a?b',
    tls: {},
    headers: {
      'User-Agent': ['curl'],
      'Cf-Connecting-Ip': ['192.0.2.1'],
      'Cf-Ipcountry': ['AT'],
      Cookie: ['REDACTED'],
    },
  },
};
const NGINX = {
  time_iso8601: '2026-11-27T08:00:01+00:00',
  remote_addr: '192.0.2.1',
  request: 'GET /a?b HTTP/1.1',
  status: '200',
  host: 'shop.example',
  http_user_agent: 'curl',
  http_referrer: '-',
  http_x_key: 'k',
};
const OWN = {
  url: 'https://shop.example/a?b',
  ip: '192.0.2.1',
  time: AT,
  headers: { 'User-Agent': 'curl' },
  fields: { 'ip.src.country': 'AT' },
};

describe('other logs', () => {
  const names = [
    'http.host',
    'http.request.uri',
    'ip.src',
    'ip.src.country',
    'http.user_agent',
    'http.referer',
    'http.request.version',
  ];

  it.each([
    ['combined', COMBINED, ['not known', '/a?b="c', '192.0.2.1', 'not known', 'cu"rl', '', 'HTTP/1.1']],
    [
      'combined',
      `shop.example:443 ${COMBINED}`,
      ['shop.example', '/a?b="c', '192.0.2.1', 'not known', 'cu"rl', '', 'HTTP/1.1'],
    ],
    ['caddy', CADDY, ['shop.example', '/a?b', '192.0.2.1', 'AT', 'curl', 'not known', 'HTTP/2']],
    ['nginx', NGINX, ['shop.example', '/a?b', '192.0.2.1', 'not known', 'curl', '', 'HTTP/1.1']],
    ['jsonl', OWN, ['shop.example', '/a?b', '192.0.2.1', 'AT', 'curl', '', 'not known']],
  ] as const)('reads %s', (format, line, known) => {
    expect(fieldsOf(format, line, names)).toEqual(known);
    expect(recordOf(format, line).time).toBe(AT);
  });

  it.each(['M-SEARCH', 'VERSION-CONTROL'])('knows the method %s', (method) => {
    expect(recordOf('nginx', { ...NGINX, request: `${method} /a HTTP/1.1` }).method).toBe(method);
  });

  it.each(['', '-', '\\x16\\x03\\x01 /', 'get / HTTP/1.1'])('takes %j for no request', (request) => {
    const read = lineReader('nginx', { fields: EVERY, unknown: () => undefined });
    expect(read(JSON.stringify({ ...NGINX, request, request_uri: '/' })).kind).toBe('unreadable');
  });

  it('keeps what the service adds on the way to a server out of the headers that rules see', () => {
    expect(recordOf('caddy', CADDY).headers.map(({ name }) => name)).toEqual(['user-agent']);
  });

  it('reads the requests of an HTTP archive', async () => {
    const entry = {
      startedDateTime: '2026-11-27T08:00:01.000Z',
      request: {
        method: 'GET',
        url: 'https://shop.example/',
        httpVersion: 'h2',
        headers: [
          { name: ':authority', value: 'x' },
          { name: 'X', value: 'y' },
        ],
      },
      response: { status: 403, headers: [{ name: 'cf-mitigated', value: 'challenge' }] },
    };
    const archive = JSON.stringify({ log: { version: '1.2', entries: [entry] } }, null, 2);
    const { records, log, agreement } = await replayed(zoneWith({}, {}), [logOf(archive)]);
    expect([records, log.formats, agreement.compared, agreement.agreed]).toEqual([1, ['har'], 1, 0]);
  });

  it.each([
    ['logpush', JSON.stringify(row())],
    ['caddy', JSON.stringify(CADDY)],
    ['nginx', JSON.stringify(NGINX)],
    ['jsonl', JSON.stringify(OWN)],
    ['combined', COMBINED],
    ['har', '{\n  "log": {\n'],
    [null, 'hello'],
    [null, '{"a":1}'],
    [null, '[]'],
  ] as const)('recognises %s', (format, line) => {
    expect(detectFormat(`${line}\n`)).toBe(format);
  });
});
