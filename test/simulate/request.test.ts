import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../src/simulate/read-scenario.ts';
import type { ScenarioSource } from '../../src/simulate/read-scenario.ts';
import { checkLists } from '../../src/simulate/read-lists.ts';
import { TEST_CODES } from '../../src/simulate/test-problem.ts';
import { entry, log, send, verdicts, zone } from './build.ts';
import type { Sent } from './build.ts';

/** Whether an expression holds for a request. */
function holds(expression: string, sent: Sent): boolean {
  return verdicts(send([zone(entry([log('x', expression)]))], sent))['x'] === 'matched';
}

describe('fields derived from a request', () => {
  const full = {
    url: 'http://www.Shop.example:8080/a/b.TAR.Gz?x=1&y&x=%202#part',
    method: 'POST',
    ip: '2001:db8::1',
    headers: {
      'User-Agent': 'curl',
      Referer: 'https://r.example/',
      Cookie: 'a=1; b%20c=2; a=3',
      'accept-language': 'en;q=0.5, fr-CH, *;q=0.9, de;q=0.7',
      accept: ['text/html', 'text/plain'],
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': '192.0.2.1',
    },
    body: 'user=anna&user=bea&ä=1',
  };

  test.each([
    'http.host eq "www.shop.example"',
    'http.request.full_uri eq "http://www.shop.example:8080/a/b.TAR.Gz?x=1&y&x=%202"',
    'http.request.uri eq "/a/b.TAR.Gz?x=1&y&x=%202"',
    'http.request.uri.path eq "/a/b.TAR.Gz" and http.request.uri.path.extension eq "gz"',
    'http.request.uri.query eq "x=1&y&x=%202"',
    'http.request.uri.args["x"][1] eq "%202" and http.request.uri.args["y"][0] eq ""',
    'http.request.uri.args.names[1] eq "y" and http.request.uri.args.values[2] eq "%202"',
    'http.request.method eq "POST" and not ssl and cf.edge.server_port eq 8080',
    'ip.src eq 2001:db8::1 and ip.src in {2001:db8::/32}',
    'http.user_agent eq "curl" and http.referer eq "https://r.example/"',
    'http.x_forwarded_for eq "192.0.2.1"',
    'http.request.cookies["a"][1] eq "3" and http.request.cookies["b c"][0] eq "2"',
    'http.request.headers["accept"][1] eq "text/plain" and http.request.headers["host"][0] eq "www.shop.example"',
    'any(http.request.headers.names[*] eq "User-Agent") and any(http.request.headers.values[*] eq "curl")',
    'http.request.accepted_languages[0] eq "fr-CH" and http.request.accepted_languages[2] eq "en"',
    'len(http.request.accepted_languages) eq 3',
    'http.request.body.size eq 23 and http.request.body.form["user"][1] eq "bea"',
    'http.request.body.form.names[2] eq "ä" and http.request.body.raw contains "anna"',
    'raw.http.request.uri.path eq "/a/b.TAR.Gz"',
    'cf.zone.name eq "shop.example"',
  ])('satisfy %s', (expression) => {
    expect(holds(expression, { request: full })).toBe(true);
  });

  test.each([
    ['https://www.shop.example/voilà', 'http.request.uri.path eq "/voilà"'],
    ['https://www.shop.example/?q=à', 'http.request.uri.query eq "q=à"'],
    ['/à', 'http.request.uri.path eq "/à"'],
    ['/a.É', 'http.request.uri.path.extension eq "É"'],
    ['https://BÜCHER.example/', 'http.host eq "bÜcher.example"'],
  ])('keep the non-ASCII characters of %s: %s', (request, expression) => {
    expect(holds(expression, { request })).toBe(true);
  });

  test('accept an IPv6 address as the host of a URL', () => {
    const request = 'https://[2001:db8::1]:8443/a';
    expect(holds('http.host eq "[2001:db8::1]" and cf.edge.server_port eq 8443', { request })).toBe(true);
    expect(holds('http.request.full_uri eq "https://[2001:db8::1]:8443/a"', { request })).toBe(true);
  });

  test('decode percent escapes in the names of cookies, and leave other names as they are', () => {
    const sent = { request: { url: '/', headers: { cookie: 'à=1; %C3%A9=2; 50%=3; a+b=4' } } };
    for (const [name, value] of Object.entries({ à: '1', é: '2', '50%': '3', 'a+b': '4' })) {
      expect(holds(`http.request.cookies["${name}"][0] eq "${value}"`, sent)).toBe(true);
    }
  });

  test.each([
    [
      'a path goes to the zone over https',
      '/x?y',
      'ssl and http.request.full_uri eq "https://shop.example/x?y"',
    ],
    ['a host alone has the path /', 'https://shop.example', 'http.request.uri eq "/"'],
    [
      'the header host wins over the URL',
      { url: '/', headers: { Host: 'b.example' } },
      'http.host eq "b.example"',
    ],
  ])('follow from the URL and its defaults: %s', (_, request, expression) => {
    expect(holds(expression, { request })).toBe(true);
  });

  test.each([
    ['/.hidden', ''],
    ['/.a.mp3', 'mp3'],
    ['/foo.', ''],
    ['/a.b/c', ''],
  ])('give the extension of %s (fields.json)', (url, extension) => {
    expect(holds(`http.request.uri.path.extension eq "${extension}"`, { request: url })).toBe(true);
  });
});

describe('fields that a test does not set', () => {
  test.each([
    'true',
    'http.referer eq "" and http.request.method eq "GET" and http.request.version eq "HTTP/2"',
    'cf.bot_management.score eq 99 and not cf.client.bot',
    'cf.waf.score eq 100 and cf.waf.score.sqli eq 100',
    'ip.src.country eq "" and ip.src.asnum eq 0',
    'not ip.src in {0.0.0.0/0} and not ip.src in {::/0}',
    'len(http.request.cookies["x"]) ge 0 or not has_key(http.request.cookies, "x")',
    'cf.zone.plan eq ""',
  ])('have a default value: %s', (expression) => {
    expect(holds(expression, {})).toBe(true);
  });

  test('take the plan of the zone if it is known', () => {
    expect(holds('cf.zone.plan eq "ENT"', { plan: 'ENT' })).toBe(true);
  });

  test('take a value that is given under another name of the field (rules-language.md 4.2)', () => {
    const fields = { 'ip.src.country': 'AT', 'cf.client.bot': true };
    const both = 'ip.geoip.country eq "AT" and cf.bot_management.verified_bot';
    expect(holds(both, { request: { url: '/', fields } })).toBe(true);
  });

  test('take the value of the test before one that is shared under another name of the field', () => {
    const read = readScenario({
      test: { request: { url: '/', fields: { 'ip.geoip.country': 'DE' } } },
      shared: { fields: { 'ip.src.country': 'AT' } },
      zone: 'shop.example',
      path: [],
    });
    expect(read.kind === 'read' && read.scenario.request.fields).toEqual(new Map([['ip.src.country', 'DE']]));
  });
});

describe('the user agent', () => {
  const asked = (headers?: Readonly<Record<string, string | string[]>>) =>
    headers === undefined ? {} : { request: { url: '/', headers } };
  const browser =
    'http.user_agent contains "Mozilla" and http.request.headers["user-agent"][0] contains "Mozilla"';
  const none = 'http.user_agent eq "" and not has_key(http.request.headers, "user-agent")';

  test('is that of a browser unless the test sets the header', () => {
    expect(holds(browser, asked())).toBe(true);
    expect(holds(browser, asked({ cookie: 'a=1' }))).toBe(true);
    expect(holds('http.user_agent eq ""', asked({ 'User-Agent': '' }))).toBe(true);
    expect(holds(none, asked({ 'User-Agent': [] }))).toBe(true);
    expect(holds(browser, asked({ 'User-Agent': [] }))).toBe(false);
  });

  test.each([
    ['http.user_agent contains "x"', {}, true],
    ['any(http.request.headers["user-agent"][*] contains "x")', {}, true],
    ['http.user_agent contains "x"', { 'user-agent': 'y' }, false],
    ['any(http.request.headers["user-agent"][*] contains "x")', { 'user-agent': 'y' }, false],
    ['any(http.request.headers["cookie"][*] contains "x")', { cookie: 'y' }, false],
  ])('is marked as assumed where a clause reads the default: %s %j', (expression, headers, assumed) => {
    const way = send([zone(entry([log('x', expression)]))], { ...asked(headers), explained: true });
    expect(way.verdicts[0]?.clause?.observed.map((one) => one.assumed)).toEqual([assumed]);
  });
});

describe('lists', () => {
  const lists = { office: ['192.0.2.0/24', '2001:db8::1'], asns: [64496], hosts: ['a.example'], none: [] };

  test.each([
    ['ip.src in $office', true],
    ['ip.src.asnum in $asns', true],
    ['http.host in $hosts', false],
    ['ip.src in $none', false],
    ['ip.src in $unknown', false],
  ])('decide whether an expression holds: %s', (expression, expected) => {
    const request = { url: '/', ip: '192.0.2.9', fields: { 'ip.src.asnum': 64496 } };
    expect(holds(expression, { request, lists })).toBe(expected);
  });

  test('are reported as assumed to be empty if nobody gave their items', () => {
    const way = send([zone(entry([log('x', 'ip.src in $office or ip.src in $other')]))], { lists });
    expect(way.verdicts[0]?.assumes).toEqual(['nothing is in the list $other']);
  });

  test.each([
    [['192.0.2.300'], 'write an address'],
    [['192.0.2.1', 'a.example'], 'begins with addresses'],
    [[64496, '192.0.2.1'], 'begins with AS numbers'],
    [['*.example'], 'cannot be looked up'],
    [['2001:db8::/129'], 'write an address'],
    [[-1], 'not negative'],
    [['https://shop.example/promo'], 'leave the list out'],
  ])('are refused if they hold %j', (items, hint) => {
    expect(checkLists({ x: items }, [])[0]).toMatchObject({
      code: 'test/list-item',
      hint: expect.stringContaining(hint),
    });
  });
});

describe('the problems of a scenario', () => {
  const problems = (source: Partial<ScenarioSource['test']>, shared: ScenarioSource['shared'] = {}) => {
    const read = readScenario({
      test: { request: '/', ...source },
      shared,
      zone: 'shop.example',
      path: ['t'],
    });
    return read.kind === 'invalid' ? read.problems.map(({ code, path }) => `${code} ${path.join('.')}`) : [];
  };
  const fields = (given: Record<string, string | number | boolean>) =>
    problems({ request: { url: '/', fields: given } });

  test.each([
    'shop.example',
    'ftp://shop.example/',
    'https:///x',
    'https://a b/',
    'https://2001:db8::1/',
    'https://[2001:db8::1/',
    '',
    'https://shop.example:0/',
  ])('include a value that is not a URL: %j', (url) => {
    expect(problems({ request: url })).toEqual(['test/url t.request']);
    expect(problems({ request: { url } })).toEqual(['test/url t.request.url']);
  });

  test('include a bad address in the test or in the settings that tests share', () => {
    expect(problems({ request: { url: '/', ip: '192.0.2.0/24' } })).toEqual(['test/address t.request.ip']);
    expect(problems({}, { ip: 'x' })).toEqual(['test/address request.ip']);
  });

  test.each([
    ['cf.bot_managment.score', 1, 'test/unknown-field'],
    ['cf.bot_management.score', '1x', 'test/field-value'],
    ['ip.src.country', 5, 'test/field-value'],
    ['http.host', 'x', 'test/derived-field'],
    ['http.request.uri.path', '/', 'test/derived-field'],
    ['raw.http.request.uri.args.names', 'x', 'test/derived-field'],
    ['http.request.headers', 'x', 'test/derived-field'],
    ['http.request.method', 'GET', 'test/derived-field'],
    ['ip.src', '192.0.2.1', 'test/derived-field'],
    ['http.request.body.size', 1, 'test/derived-field'],
    ['cf.zone.plan', 'ENT', 'test/derived-field'],
    ['http.response.code', 1, 'test/derived-field'],
    ['cf.response.error_type', 'waf', 'test/derived-field'],
  ])('include a field that is unknown, derived or badly typed: %s = %j', (name, value, code) => {
    expect(fields({ [name]: value })).toEqual([`${code} t.request.fields.${name}`]);
  });

  test.each(['http.request.headers.truncated', 'http.request.body.truncated', 'ip.src.is_in_european_union'])(
    'do not include %s, which may be given',
    (name) => {
      expect(fields({ [name]: true })).toEqual([]);
    },
  );

  test('include a derived field of a response', () => {
    expect(problems({ response: { fields: { 'http.response.code': 5 } } })).toEqual([
      'test/derived-field t.response.fields.http.response.code',
    ]);
  });
});

describe('settings that tests share', () => {
  test('give way to the request of the test, header by header and field by field', () => {
    const read = readScenario({
      test: { request: { url: '/', headers: { A: 'own' }, fields: { 'ip.src.country': 'DE' } } },
      shared: {
        method: 'PUT',
        ip: '192.0.2.1',
        headers: { 'user-agent': 'test', a: 'shared', b: 'shared' },
        fields: { 'ip.src.country': 'AT', 'ip.src.asnum': 5 },
      },
      zone: 'shop.example',
      path: [],
    });
    if (read.kind === 'invalid') {
      throw new Error('not read');
    }
    const { method, headers, fields } = read.scenario.request;
    expect(method).toBe('PUT');
    expect(headers.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'host=shop.example',
      'user-agent=test',
      'b=shared',
      'A=own',
    ]);
    expect([...fields]).toEqual([
      ['ip.src.country', 'DE'],
      ['ip.src.asnum', 5],
    ]);
  });
});

describe('the codes of problems', () => {
  const written = ['src/simulate', 'src/app/requests']
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('test-problem.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

  test.each(Object.entries(TEST_CODES))('%s is used: %s', (code) => {
    expect(written).toContain(`'${code}'`);
  });
});
