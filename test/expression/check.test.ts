import { describe, expect, it, test } from 'vitest';
import { checkCharacteristic } from '../../src/expression/check-characteristic.ts';
import { applyFixes, checkExpression } from '../../src/expression/check-expression.ts';
import { CODES } from '../../src/expression/check/check-finding.ts';
import { answerLine } from '../../src/expression/answer-line.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { sameMeaning } from '../../src/expression/same-meaning.ts';
import { showBytes } from '../../src/expression/language/source-bytes.ts';
import { encodeBytes } from '../../src/expression/values/bytes.ts';
import { FINDINGS, FIXES } from './cases/findings.ts';

describe('checkExpression', () => {
  test.each(FINDINGS.map(([text, context, ...wanted]) => [text, context, wanted] as const))(
    '%s %o',
    (text, context, wanted) => {
      const bytes = encodeBytes(text);
      const found = checkExpression(text, context).findings.map(({ code, span }) => [
        code.replace('expression/', ''),
        showBytes(bytes.slice(span.start, span.end)),
      ]);
      expect(found).toEqual(wanted);
    },
  );

  test.each([
    ['a quoted text of hex digits', `http.host eq "${'a'.repeat(60_000)}" foo`],
    ['a quoted text of words', `http.host eq "${'w'.repeat(60_000)}" foo`],
    ['a bare word', `http.host eq ${'w'.repeat(60_000)}`],
    ['an address', `ip.src in {${'1'.repeat(60_000)}-2}`],
    ['a field', `ssl${' '.repeat(60_000)}x`],
  ])('finds a mistake in a very long text: %s', (_, text) => {
    expect(checkExpression(text).findings.map(({ code }) => code)).toContain('expression/syntax');
  });

  test.each([
    ['Bytes', 'http.request.headers["a"]', 'warning'],
    ['Array<Bytes>', 'http.host', 'error'],
  ] as const)('a value that is not %s: %s is of severity %s', (valueType, text, severity) => {
    const { findings } = checkExpression(text, { use: 'value', valueType });
    expect(findings).toMatchObject([{ code: 'expression/value-type', severity }]);
  });

  test('every code is found by some case', () => {
    const seen = new Set(FINDINGS.flatMap(([, , ...found]) => found.map(([code]) => `expression/${code}`)));
    // Each of these has a test of its own below.
    const elsewhere = ['expression/too-many-regexes', 'expression/characteristic'];
    expect(Object.keys(CODES).filter((code) => !seen.has(code))).toEqual(elsewhere);
  });

  test('limits a rule to 64 regular expressions', () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, index) => `http.user_agent matches "${index}+"`).join(' or ');
    const codes = (text: string): readonly string[] => checkExpression(text).findings.map(({ code }) => code);
    expect(codes(many(64))).toEqual([]);
    expect(codes(many(65))).toEqual(['expression/too-many-regexes']);
  });

  test('reports the length as the service does, and offers to shorten white space', () => {
    const text = `ssl${' '.repeat(5000)}and cf.client.bot`;
    const [finding] = checkExpression(text).findings;
    expect(finding).toMatchObject({
      code: 'expression/too-long',
      message: `expression size ${text.length} exceeded maximum 4096`,
      fix: { replacement: 'ssl and cf.client.bot' },
    });
  });

  test('reports only the length of a text that cannot be made short enough', () => {
    for (const text of [
      `${'http.host eq "a" or '.repeat(200_000)}ssl`,
      `${'x'.repeat(2_000_000)} eq 1`,
      '('.repeat(1_000_000),
    ]) {
      const { findings } = checkExpression(text);
      expect(findings.map(({ code }) => code)).toEqual(['expression/too-long']);
      expect(findings[0]?.message).toBe(`expression size ${text.length} exceeded maximum 4096`);
    }
  });

  test.each([
    ['http.hots eq "a"', 'did you mean http.host?'],
    ['tcp.port eq 80', 'did you mean cf.edge.server_port?'],
    ['http.host eq "*.a"', 'wildcard takes patterns: http.host wildcard "*.a"'],
    ['starts_with(http.host, "a.*")', 'use matches for regular expressions'],
    ['starts_with(http.request.uri.path, "/a*")', 'leave the star out: "/a"'],
    [
      'starts_with(http.request.uri.path, "/a*b*")',
      'wildcard takes patterns: http.request.uri.path wildcard "/a*b*"',
    ],
    ['lowerr(http.host) eq "a"', 'did you mean lower?'],
    ['HTTP.HOST eq "a"', 'did you mean http.host?'],
    ['NOT ssl', 'did you mean not?'],
    ['ssl and ANY(http.request.headers["a"][*] eq "b")', 'did you mean any?'],
    ['any eq "a"', undefined],
    ['constructor(http.host) eq "a"', undefined],
    ['ssl == false', 'write it alone, or with not in front of it'],
    ['ssl != true', 'write it alone, or with not in front of it'],
    ['ssl ne true', 'write it alone, or with not in front of it'],
    ['http.host in "é"', 'a set is written in braces: `in {"é"}`'],
    ['ip.src not in {1.1.1.1}', 'not goes before the whole comparison: not http.host in {...}'],
    ['ssl # comment', 'there are no comments in expressions'],
    ["http.host eq 'a'", 'texts are written in double quotes, as in "text"'],
    ['http.request.uri.path starts_with "/a"', 'starts_with is a function: starts_with(field, "text")'],
    ['ssl | ssl', 'the operators are words: and, or'],
    ['ssl)', 'this parenthesis closes nothing'],
    ['http.request.headers["a"][*] eq "b"', 'wrap the part with [*] in any(...) or all(...)'],
    ['ip.src in {192.0.2.1..2001:db8::1}', 'both ends of a range are IPv4, or both IPv6'],
    [
      'ip.src in {2001:db8::2..2001:db8::1}',
      'ranges go from the smaller to the larger: 2001:db8::1..2001:db8::2',
    ],
    ['ip.src in {192.0.2.1-192.0.2.9}', 'ranges have two dots: 192.0.2.1..192.0.2.9'],
    ['ip.src in {192.0.2.7/24}', 'the network is 192.0.2.0/24, the address alone 192.0.2.7'],
    ['ip.src in {2001:db8::7/64}', 'the network is 2001:db8::/64, the address alone 2001:db8::7'],
    ['ip.src eq 203.0.113.0/24', 'networks belong in sets: in {203.0.113.0/24}'],
    ['ip.src in 192.0.2.0/24', 'a set is written in braces: `in {192.0.2.0/24}`'],
    ['http.host in "a.example"', 'a set is written in braces: `in {"a.example"}`'],
    ['ip.src.asnum in {"13335"}', 'numbers are written without quotes: 13335'],
    ['ip.src.asnum eq "13335"', 'numbers are written without quotes: 13335'],
    ['ip.src.asnum in {AS13335}', 'AS numbers are written as numbers: 13335'],
    ['ip.src.asnum in {"AS13335"}', 'AS numbers are written as numbers: 13335'],
    ['ip.src.asnum in {192.0.2.1}', 'a number is compared here; addresses are compared with ip.src'],
    ['http.host in {a.example b.example}', 'put text in quotes: "a.example"'],
    ['http.request.method eq GET', 'put text in quotes: "GET"'],
    ['http.host in {"a".."b"}', 'ranges are of numbers or addresses, not of strings'],
    ['ip.src in $Office', 'names of lists have lower-case letters, digits and underscores'],
    ['ip.src in $office-berlin', 'names of lists have lower-case letters, digits and underscores'],
  ])('gives the hint for %s: %s', (text, hint) => {
    expect(checkExpression(text).findings[0]?.hint).toBe(hint);
  });

  test('names a value that may be missing as it is written, in any script', () => {
    const messages = [
      'http.request.headers["日本"][0] ne "b"',
      'not http.request.headers["é"][0] eq "b"',
    ].map((text) => checkExpression(text).findings[0]?.message);
    expect(messages).toEqual([
      'http.request.headers["日本"][0] ne ... is false when the value is missing',
      'not http.request.headers["é"][0] ... is true when the value is missing',
    ]);
  });

  test('does not replace the country in network phases, where it means source or destination', () => {
    const [finding] = checkExpression('ip.geoip.country eq "DE"', { phase: 'magic_transit' }).findings;
    expect(finding).toMatchObject({ code: 'expression/deprecated-field' });
    expect(finding).not.toHaveProperty('fix');
  });
});

describe('applyFixes', () => {
  test.each(FIXES)('%s becomes %s', (text, fixed) => {
    expect(applyFixes(text, checkExpression(text).findings)).toBe(fixed);
  });

  test.each([
    ['http.user_agent matches "^/abc$"', 'http.user_agent eq "/abc"'],
    [String.raw`http.user_agent ~ r"/abc\."`, 'http.user_agent contains "/abc."'],
    ['http.user_agent matches "^$"', 'http.user_agent eq ""'],
  ])('%s becomes %s, which holds for the same values', (text, fixed) => {
    expect(applyFixes(text, checkExpression(text).findings)).toBe(fixed);
    const answers = (expr: string) =>
      ['', '/abc', '/abc\n', 'x/abc', '/abcd', '/abc.', 'x/abc.d', '/ABC'].map((agent) =>
        answerLine(JSON.stringify({ expr, values: { 'http.user_agent': agent } }), 'eval'),
      );
    expect(answers(fixed)).toEqual(answers(text));
    expect(new Set(answers(text)).size).toBe(2);
  });

  test('keeps the meaning of texts that parse, apart from renamed fields', () => {
    const changed = FIXES.filter(([text, fixed]) => {
      const before = parseExpression(text.replaceAll('ip.geoip', 'ip.src'));
      const after = parseExpression(fixed);
      return before.ok && !(after.ok && sameMeaning(before.tree, after.tree));
    });
    expect(changed).toEqual([]);
  });
});

describe('checkCharacteristic', () => {
  test.each([
    'cf.colo.id',
    'ip.src',
    'cf.unique_visitor_id',
    'http.request.headers["x-api-key"]',
    'http.request.cookies["Session"]',
    'http.request.uri.args["a b"]',
    'http.request.body.form["user"]',
    'lookup_json_string(http.request.body.raw, "user", 0, "id")',
    'lookup_json_string(http.request.jwt.claims["0123"][0], "sub")',
    'cf.bot_management.ja4',
    'lower(http.request.uri.path)',
    'len(http.request.uri.path)',
    'lookup_json_string(http.request.body.form["user"][0], "id")',
  ])('accepts %s', (text) => {
    expect(checkCharacteristic(text)).toEqual([]);
  });

  test.each([
    ['ssl', 'expression/characteristic'],
    ['ip.src eq 1.1.1.1', 'expression/characteristic'],
    ['http.request.headers["x"][0]', 'expression/characteristic'],
    ['http.request.headers["X-Api-Key"]', 'expression/header-case'],
    ['ip.geoip.country', 'expression/deprecated-field'],
    ['lowr(http.host)', 'expression/characteristic'],
    ['lower(http.request.new_field)', 'expression/characteristic'],
    ['newer(http.request.headers["a)"][0], "b")', 'expression/characteristic'],
    ['lower(http.request.new_field', 'expression/unknown-field'],
    ['newer(http.host))', 'expression/unknown-function'],
    ['newer(http.host) and ssl', 'expression/unknown-function'],
    ['newer(http.host, "a)', 'expression/unknown-function'],
    ['lower(ip.src)', 'expression/arguments'],
    ['lower(http.request.headers["X-Key"][0])', 'expression/header-case'],
  ])('reports of %s the code %s', (text, code) => {
    expect(checkCharacteristic(text)).toMatchObject([{ code }]);
  });

  it('warns about an unknown function, which the service may know, and suggests a similar one', () => {
    const warned = { code: 'expression/characteristic', severity: 'warning' };
    expect(checkCharacteristic('lowr(http.host)')).toMatchObject([
      { ...warned, hint: 'did you mean lower?', span: { start: 0, end: 4 } },
    ]);
    expect(checkCharacteristic('fresh_from_2027(http.host)')).toMatchObject([
      { ...warned, hint: 'there is no function fresh_from_2027' },
    ]);
  });

  test.each([
    ['ip.scr', 'did you mean ip.src?'],
    ['ip.src.contry', 'did you mean ip.src.country?'],
    ['cf.colo_id', 'did you mean cf.colo.id?'],
    ['http.request.header["X-Key"]', 'did you mean http.request.headers["x-key"]?'],
    ['http.request.cookie["Session"][0]', 'did you mean http.request.cookies["Session"]?'],
    ['ssl', 'it is a field, but rate limits are not known to count by it'],
    ['user', 'characteristics are names such as ip.src, or http.request.headers["name"]'],
  ])('gives the hint for %s: %s', (text, hint) => {
    expect(checkCharacteristic(text)).toMatchObject([{ code: 'expression/characteristic', hint }]);
  });

  test.each([
    ['http.request.headers["x"][0]', 'http.request.headers["x"]'],
    ['http.request.headers["X-Api-Key"]', 'http.request.headers["x-api-key"]'],
    ["http.request.headers['X-Api-Key'][*]", 'http.request.headers["x-api-key"]'],
    ['http.request.cookies["Session"][0]', 'http.request.cookies["Session"]'],
    ['IP.src ', 'ip.src'],
    ['ip.geoip.country', 'ip.src.country'],
  ])('fixes %s to %s, which is accepted', (text, replacement) => {
    const end = Buffer.byteLength(text);
    expect(checkCharacteristic(text)).toMatchObject([{ fix: { span: { start: 0, end }, replacement } }]);
    expect(checkCharacteristic(replacement)).toEqual([]);
  });

  test.each(['ssl', 'ip.src eq 1.1.1.1', 'http.response.headers["X"][0]', ''])(
    'offers no fix for %j',
    (text) => {
      expect(checkCharacteristic(text).map(({ fix }) => fix)).toEqual([undefined]);
    },
  );
});
