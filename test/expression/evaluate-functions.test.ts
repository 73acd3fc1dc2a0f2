import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS as KNOWN } from '../../src/expression/language/catalogue.ts';
import { compileExpression } from '../../src/expression/evaluate/compile-expression.ts';
import { FUNCTIONS } from '../../src/expression/functions/table.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { evaluated } from './evaluated.ts';

type Row = readonly [expression: string, values: Readonly<Record<string, unknown>>, wanted: unknown];

const TEXT: readonly Row[] = [
  ['lower(s1)', { s1: 'AbÉ' }, 'abÉ'],
  ['upper(s1)', { s1: 'aBé' }, 'ABé'],
  ['lower(s1)', {}, null],
  ['len(s1)', { s1: 'é' }, 2],
  ['len(s1)', { s1: '' }, 0],
  ['len(as)', { as: ['a', 'b'] }, 2],
  ['len(as)', { as: [] }, 0],
  ['len(s1)', {}, null],
  ['starts_with(s1, "ab")', { s1: 'abc' }, true],
  ['starts_with(s1, "AB")', { s1: 'abc' }, false],
  ['starts_with(s1, "")', { s1: '' }, true],
  ['starts_with(s1, s2)', { s1: 'a' }, null],
  ['ends_with(s1, "bc")', { s1: 'abc' }, true],
  ['ends_with(s1, "b")', {}, null],
  ['concat("String1", " ", "String", "2")', {}, 'String1 String2'],
  ['concat(s1, "b")', {}, 'b'],
  ['concat(s1, s2)', {}, null],
  ['concat(as, as)', { as: ['a', 'b'] }, ['a', 'b', 'a', 'b']],
  ['concat(ai, ai)', {}, null],
  ['coalesce(s1, "x")', {}, 'x'],
  ['coalesce(s1, "x")', { s1: '' }, ''],
  ['coalesce(s1, s2)', {}, null],
  ['coalesce(i1, 0)', {}, 0],
  ['substring(s1, 2, 5)', { s1: 'asdfghjk' }, 'dfg'],
  ['substring(s1, 2)', { s1: 'asdfghjk' }, 'dfghjk'],
  ['substring(s1, -2)', { s1: 'asdfghjk' }, 'jk'],
  ['substring(s1, 0, -2)', { s1: 'asdfghjk' }, 'asdfgh'],
  ['substring(s1, 5, 2)', { s1: 'asdfghjk' }, ''],
  ['substring(s1, 0, 99)', { s1: 'abc' }, 'abc'],
  ['substring(s1, -99, 1)', { s1: 'abc' }, 'a'],
  ['substring(s1, 0, 1)', { s1: 'é' }, [0xc3]],
  ['substring(s1, i1)', { s1: 'abc' }, null],
  ['to_string(i1)', { i1: -5 }, '-5'],
  ['to_string(i1)', { i1: '9223372036854775807' }, '9223372036854775807'],
  ['to_string(b1)', { b1: true }, 'true'],
  ['to_string(ip1)', { ip1: '::ffff:10.0.0.1' }, '::ffff:10.0.0.1'],
  ['to_string(ip1)', {}, null],
  ['remove_bytes(s1, "\\x2e\\x77")', { s1: 'www.cloudflare.com' }, 'cloudflarecom'],
  ['remove_bytes(s1, "")', { s1: 'abc' }, 'abc'],
  ['remove_query_args(s1, "country")', { s1: 'order=asc&country=GB' }, 'order=asc'],
  ['remove_query_args(s1, "a", "b")', { s1: 'a=1&b&c=3&a=2&ab=1' }, 'c=3&ab=1'],
  ['remove_query_args(s1, "a")', { s1: '' }, ''],
];

const COLLECTIONS: readonly Row[] = [
  ['has_key(ms, "k")', { ms: { k: '' } }, true],
  ['has_key(ms, "K")', { ms: { k: '' } }, false],
  ['has_key(ms, s1)', { ms: { k: '' }, s1: 'k' }, true],
  ['has_key(ms, "k")', {}, null],
  ['has_value(as, "b")', { as: ['a', 'b'] }, true],
  ['has_value(as, "B")', { as: ['a', 'b'] }, false],
  ['has_value(ms, "b")', { ms: { k: 'b' } }, true],
  ['has_value(ai, 5)', { ai: [4, 5] }, true],
  ['has_value(aip, ip1)', { aip: ['10.0.0.1'], ip1: '10.0.0.1' }, true],
  ['has_value(aip, ip1)', { aip: ['10.0.0.1'], ip1: '::ffff:10.0.0.1' }, false],
  ['has_value(as, s1)', { as: ['a'] }, null],
  ['has_value(as, "a")', {}, null],
  ['join(as, ", ")', { as: ['a', 'b'] }, 'a, b'],
  ['join(as, ",")', { as: [] }, ''],
  ['join(as, ",")', { as: ['a'] }, 'a'],
  ['join(as, ",")', {}, null],
  ['split(s1, ",", 3)', { s1: 'groceries,electronics,diy,auto' }, ['groceries', 'electronics', 'diy,auto']],
  ['split(s1, ",", 9)', { s1: 'a,,b,' }, ['a', '', 'b', '']],
  ['split(s1, ",", 1)', { s1: 'a,b' }, ['a,b']],
  ['split(s1, ", ", 9)', { s1: '' }, ['']],
  ['split(s1, ",", 9)', {}, null],
];

const ENCODING: readonly Row[] = [
  ['url_decode(s1)', { s1: 'John%20Doe' }, 'John Doe'],
  ['url_decode(s1)', { s1: 'a+b%2B' }, 'a b+'],
  ['url_decode(s1)', { s1: '%2520' }, '%20'],
  ['url_decode(s1, "r")', { s1: '%2520' }, ' '],
  ['url_decode(s1, "r")', { s1: '%252B%25%32%30' }, '  '],
  ['url_decode(s1, "r")', { s1: '%%34%31' }, 'A'],
  ['url_decode(s1)', { s1: '%zz%4' }, '%zz%4'],
  ['url_decode(s1)', { s1: '%u2601' }, '%u2601'],
  ['url_decode(s1, "u")', { s1: '%u2601' }, '☁'],
  ['url_decode(s1, "u")', { s1: '%uD83D%uDE00' }, '😀'],
  ['url_decode(s1, "u")', { s1: '%uD83D.' }, '%uD83D.'],
  ['url_decode(s1, "ur")', { s1: '%u0025%u0034%u0031' }, 'A'],
  ['url_decode(s1, "ur")', { s1: '%25uD83D%uDE00' }, '😀'],
  ['url_decode(s1)', { s1: '%ff' }, [0xff]],
  ['url_decode(s1)', {}, null],
  ['encode_base64("hello world")', {}, 'aGVsbG8gd29ybGQ'],
  ['encode_base64("hello world", "p")', {}, 'aGVsbG8gd29ybGQ='],
  ['encode_base64(s1)', { s1: [0xfb, 0xff, 0xfe] }, '+//+'],
  ['encode_base64(s1, "u")', { s1: [0xfb, 0xff, 0xfe] }, '-__-'],
  ['encode_base64(s1, "up")', { s1: [0xfb] }, '-w=='],
  ['decode_base64(s1)', { s1: 'MTIzYWJj' }, '123abc'],
  ['decode_base64(s1)', { s1: 'aGVsbG8gd29ybGQ=' }, 'hello world'],
  ['decode_base64(s1)', { s1: 'aGVsbG8gd29ybGQ' }, 'hello world'],
  ['decode_base64(s1)', { s1: '+//+' }, [0xfb, 0xff, 0xfe]],
  ['decode_base64(s1)', { s1: '' }, ''],
  ['decode_base64(s1)', { s1: '-__-' }, null],
  ['decode_base64(s1)', { s1: 'a' }, null],
  ['decode_base64(s1)', { s1: 'aG=sb' }, null],
  ['decode_base64(s1)', {}, null],
  [
    'encode_base64(sha256("abc"), "p")',
    {},
    Buffer.from('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'hex').toString('base64'),
  ],
  ['len(sha256(s1))', { s1: '' }, 32],
];

const JSON_TEXT =
  '{"network":[{"id":42,"name":"caf\\u00e9","big":9007199254740993,"f":42.0}],"":{"s":"x"},"__proto__":1}';

const LOOKUP: readonly Row[] = [
  ['lookup_json_integer(s1, "network", 0, "id")', { s1: JSON_TEXT }, 42],
  ['lookup_json_integer(s1, "network", 0, "big")', { s1: JSON_TEXT }, '9007199254740993'],
  ['lookup_json_integer(s1, "network", 0, "f")', { s1: JSON_TEXT }, null],
  ['lookup_json_integer(s1, "network", 0, "name")', { s1: JSON_TEXT }, null],
  ['lookup_json_integer(s1, "network", 1, "id")', { s1: JSON_TEXT }, null],
  ['lookup_json_integer(s1, "nothing")', { s1: JSON_TEXT }, null],
  ['lookup_json_integer(s1, "__proto__")', { s1: JSON_TEXT }, 1],
  ['lookup_json_integer(s1, "toString")', { s1: JSON_TEXT }, null],
  ['lookup_json_integer(s1, 1)', { s1: '[5,-7]' }, -7],
  ['lookup_json_integer(s1, "a\\"1", 0)', { s1: '{"-1":"\\\\","a\\"1":[-7]}' }, -7],
  ['lookup_json_integer(s1, 0)', { s1: '[1e3]' }, null],
  ['lookup_json_integer(s1, 0)', { s1: '[99999999999999999999]' }, null],
  ['lookup_json_integer(s1, "a")', { s1: '{"a":1,"a":2}' }, 2],
  ['lookup_json_integer(s1, "a")', { s1: '{"a":1' }, null],
  ['lookup_json_integer(s1, "a")', {}, null],
  ['lookup_json_string(s1, "network", 0, "name")', { s1: JSON_TEXT }, 'café'],
  ['lookup_json_string(s1, "", "s")', { s1: JSON_TEXT }, 'x'],
  ['lookup_json_string(s1, "network", 0, "id")', { s1: JSON_TEXT }, null],
  ['lookup_json_string(s1, "network")', { s1: JSON_TEXT }, null],
  ['lookup_json_string(s1, "a\\"b")', { s1: '{"a\\"b":"q\\"\\n"}' }, 'q"\n'],
  ['lookup_json_string(s1, s2)', { s1: JSON_TEXT }, null],
  ['lookup_json_string(s1, "a")', { s1: [0xff] }, null],
];

const NETWORK: readonly Row[] = [
  ['to_string(cidr(ip1, 24, 24))', { ip1: '113.10.0.2' }, '113.10.0.0'],
  ['to_string(cidr(ip1, 24, 24))', { ip1: '2001:0:130F::9C0:876A:130B' }, '2001::'],
  ['to_string(cidr(ip1, 32, 128))', { ip1: '::1' }, '::1'],
  ['to_string(cidr6(ip1, 64))', { ip1: '2001:db8::1:2:3:4' }, '2001:db8::'],
  ['to_string(cidr6(ip1, 64))', { ip1: '10.0.0.1' }, '10.0.0.1'],
  ['cidr(ip1, 24, 24)', {}, null],
  ['bit_slice(s1, 0, 8)', { s1: [0xab, 0xcd] }, 0xab],
  ['bit_slice(s1, 4, 12)', { s1: [0xab, 0xcd] }, 0xbc],
  ['bit_slice(s1, 0, 32)', { s1: [0xff, 0xff, 0xff, 0xff] }, 0xffff_ffff],
  ['bit_slice(s1, 8, 17)', { s1: [0xab, 0xcd] }, null],
];

const REPLACE: readonly Row[] = [
  ['regex_replace("/foo/a/path", "^/foo/([^/]*)/(.*)$", "/bar/${2}/${1}")', {}, '/bar/path/a'],
  ['regex_replace("/a/a", "/a", "/b")', {}, '/b/a'],
  ['regex_replace(s1, "x", "y")', { s1: 'abc' }, 'abc'],
  ['regex_replace(s1, "X", "y")', { s1: 'xX' }, 'xy'],
  ['regex_replace(s1, r"(a)|(b)", "<${1}${2}>")', { s1: 'cb' }, 'c<b>'],
  ['regex_replace(s1, r"b*", "-")', { s1: 'abb' }, '-abb'],
  ['regex_replace(s1, r"b+", "$$1 $x ${9}")', { s1: 'abbc' }, 'a$1 $x ${9}c'],
  ['regex_replace(s1, r"(a){1,2}", "<${1}>")', { s1: 'aab' }, '<a>b'],
  ['regex_replace(s1, r"\\.", "-")', { s1: 'a.b.c' }, 'a-b.c'],
  ['regex_replace(s1, "a", "b")', {}, null],
  [
    'wildcard_replace(s1, "https://*.example.com/*/*", "https://example.com/${1}/${2}/${3}")',
    { s1: 'https://apps.example.com/calendar/admin?expand=true' },
    'https://example.com/apps/calendar/admin?expand=true',
  ],
  ['wildcard_replace(s1, "/apps/*", "/${1}")', { s1: '/Apps/calendar' }, '/calendar'],
  ['wildcard_replace(s1, "/apps/*", "/${1}", "s")', { s1: '/Apps/calendar' }, '/Apps/calendar'],
  ['wildcard_replace(s1, "/apps/*/login", "/${1}/$$")', { s1: '/apps/x/login' }, '/x/$'],
  ['wildcard_replace(s1, r"/\\*", "star")', { s1: '/*' }, 'star'],
  ['wildcard_replace(s1, "*", "x")', {}, null],
];

describe('functions', () => {
  it.each([...TEXT, ...COLLECTIONS, ...ENCODING, ...LOOKUP, ...NETWORK, ...REPLACE])(
    '%s with %j is %j',
    (expression, values, wanted) => {
      expect(evaluated(expression, { mode: 'value', values })).toEqual(wanted);
    },
  );

  it('are all implemented', () => {
    expect([...FUNCTIONS.keys()].sort()).toEqual([...KNOWN.keys()].sort());
  });

  it('look up a value in a JSON document with a very long string', () => {
    const values = { s1: `["${'a'.repeat(9_000_000)}",7]` };
    expect(evaluated('lookup_json_integer(s1, 1)', { mode: 'value', values })).toBe(7);
  });

  it('decode a text that is encoded many times in one pass', () => {
    // Decoding pass by pass would take 50,000 passes over the text.
    const s1 = `%${'25'.repeat(50_000)}41`;
    expect(evaluated('url_decode(s1, "r") eq "A"', { values: { s1 } })).toBe(true);
  });

  it('hash into every value of a range, and to the same value for the same input', () => {
    const bucket = (s1: string): unknown =>
      evaluated('hash_in_range(10, 20, s1)', { mode: 'value', values: { s1 } });
    const buckets = Array.from({ length: 300 }, (_, index) => bucket(`client-${index}`));
    expect(new Set(buckets)).toEqual(new Set([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]));
    expect(bucket('client-1')).toBe(buckets[1]);
    expect(evaluated('hash_in_range(0, 100, s1)', { mode: 'value' })).toBeNull();
    expect(evaluated('hash_in_range(5, 5, "a")', { mode: 'value' })).toBeNull();
  });

  it('use hashInRange of the context if there is one', () => {
    const context = { hashInRange: () => 3 };
    expect(evaluated('hash_in_range(0, 100, "a") lt 10', { context })).toBe(true);
    expect(evaluated('hash_in_range(0, 100, "a") lt 3', { context })).toBe(false);
  });

  it('make a version 4 UUID from a seed', () => {
    const uuid = (s1: string): unknown => evaluated('uuidv4(s1)', { mode: 'value', values: { s1 } });
    expect(uuid('seed')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(uuid('seed')).toBe(uuid('seed'));
    expect(uuid('seed')).not.toBe(uuid('other'));
  });

  it('ask the context about tokens, and find none without one', () => {
    const context = {
      isJwtPresent: (configuration: string) => configuration === 'one',
      isJwtValid: () => false,
    };
    expect(evaluated('is_jwt_present("one")', { context })).toBe(true);
    expect(evaluated('is_jwt_present("two")', { context })).toBe(false);
    expect(evaluated('is_jwt_valid("one")', { context })).toBe(false);
    expect(evaluated('is_jwt_present("one")')).toBe(false);
  });
});

describe('is_timed_hmac_valid_v0', () => {
  const key = 'mysecretkey';
  const time = 1_484_063_137;
  const mac = (message: string): Buffer => createHmac('sha256', key).update(`${message}${time}`).digest();
  const standard = encodeURIComponent(mac('/path/a').toString('base64'));
  const urlSafe = mac('/path/a').toString('base64url');
  const valid = (s1: string, i1: number, more = ''): unknown =>
    evaluated(`is_timed_hmac_valid_v0("${key}", s1, 100, i1${more})`, { values: { s1, i1 } });

  it('accepts a signature until its time has passed', () => {
    const signed = `/path/a?verify=${time}-${standard}`;
    expect(valid(signed, time, ', 8')).toBe(true);
    expect(valid(signed, time + 100, ', 8')).toBe(true);
    expect(valid(signed, time + 101, ', 8')).toBe(false);
  });

  it('skips the given number of bytes before the time', () => {
    expect(valid(`/path/a${time}-${standard}`, time)).toBe(true);
    expect(valid(`/path/a?verify=${time}-${standard}`, time)).toBe(false);
    expect(valid(`/path/a?verify=${time}-${standard}`, time, ', 7')).toBe(false);
  });

  it('accepts URL-safe signatures only with the flag', () => {
    expect(valid(`/path/a?verify=${time}-${urlSafe}`, time, ', 8, "s"')).toBe(true);
    expect(valid(`/path/a?verify=${time}-${standard}`, time, ', 8, "s"')).toBe(false);
  });

  it('refuses altered and malformed messages', () => {
    expect(valid(`/path/b?verify=${time}-${standard}`, time, ', 8')).toBe(false);
    expect(valid(`/path/a?verify=${time + 1}-${standard}`, time, ', 8')).toBe(false);
    expect(valid(`/path/a?verify=${time}-${'A'.repeat(44)}`, time, ', 8')).toBe(false);
    expect(valid('/path/a', time)).toBe(false);
    expect(valid(`${time}-${standard}`, time)).toBe(false);
  });
});

describe('functions that cannot be evaluated', () => {
  it('are reported with their place', () => {
    const parsed = parseExpression('regex_replace(http.host, "(?mR)^a", "b")', { mode: 'value' });
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && compileExpression(parsed.tree)).toEqual({
      ok: false,
      problems: [
        {
          message: 'regular expression: not supported here: line anchors with CRLF line ends',
          span: { start: 0, end: 40 },
        },
      ],
    });
  });
});
