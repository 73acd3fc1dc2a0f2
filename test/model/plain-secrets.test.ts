import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/data/json.ts';
import { plainSecrets, secretTexts } from '../../src/model/plain-secrets.ts';

const PHASE = 'http_request_firewall_custom';
const HEADERS = 'http_request_late_transform';

function setting(header: string, said: JsonObject): JsonObject {
  return { action: 'rewrite', expression: 'true', action_parameters: { headers: { [header]: said } } };
}

test('skips a long run of blanks behind an operator quickly', () => {
  const expression = `http.request.headers["x-auth"][0] in${' '.repeat(300_000)}{x`;
  expect(plainSecrets(PHASE, { expression })).toEqual([]);
});

test('finds a secret in the counting expression of a rate limit', () => {
  const counting = 'http.request.headers["x-api-key"][0] ne "abcdefgh"';
  expect(plainSecrets(PHASE, { expression: 'ssl', ratelimit: { counting_expression: counting } })).toEqual([
    {
      path: ['ratelimit', 'counting_expression'],
      name: 'x-api-key',
      what: 'the value of the header x-api-key',
      texts: ['abcdefgh'],
    },
  ]);
});

test.each(['eq "abcdefgh"', 'in {"abcdefgh"}', 'in  {  r#"abcdefgh"#}', 'in{"abcdefgh"}'])(
  'finds a secret behind an operator: %s',
  (test) => {
    const expression = `http.request.headers["x-auth"][0] ${test}`;
    expect(plainSecrets(PHASE, { expression })).toEqual([
      { path: ['expression'], name: 'x-auth', what: 'the value of the header x-auth', texts: ['abcdefgh'] },
    ]);
  },
);

describe('secretTexts', () => {
  test.each([
    [
      'all of a set',
      'http.request.headers["x-api-key"][0] in {"abcdefgh" "none" r"ijklmnop"}',
      ['abcdefgh', 'ijklmnop'],
    ],
    [
      'up to the end of the text',
      String.raw`http.request.headers["x-auth"][0] eq "abc\"defgh"`,
      [String.raw`abc\"defgh`],
    ],
    ['a cookie', 'http.request.cookies["session_id"][0] eq "abcdefgh"', ['abcdefgh']],
    ['a key', 'is_timed_hmac_valid_v0("abcdefgh", http.request.uri, 9, 1)', ['abcdefgh']],
    ['a parameter', 'any(http.request.uri.args["token"][*] eq "abcdefgh")', ['abcdefgh']],
    ['a form', 'http.request.body.form["password"][0] eq "abcdefgh"', ['abcdefgh']],
    [
      'one drawn by lot, whatever it is called',
      'http.request.headers["x-shop"][0] eq "Zk3v9QpL2xTb7RnW4sYd8HcMf6JgA1eU"',
      ['Zk3v9QpL2xTb7RnW4sYd8HcMf6JgA1eU'],
    ],
    [
      'one of a known form',
      'http.request.uri.query contains "ghp_abcdefghij0123456789"',
      ['ghp_abcdefghij0123456789'],
    ],
    ['without blanks', 'http.request.headers["x-api-key"][0]=="abcdefgh"', ['abcdefgh']],
    ['after many blanks', `http.request.headers["x-api-key"][0]${' '.repeat(99)}eq "abcdefgh"`, ['abcdefgh']],
    ['a name as raw text', 'http.request.headers[r"x-api-key"][0] eq "abcdefgh"', ['abcdefgh']],
    [
      'a set that has a brace in a text',
      'http.request.headers["x-api-key"][0] in {"ab}cdefgh" "ijklmnop"}',
      ['ab}cdefgh', 'ijklmnop'],
    ],
    ['a part of it', 'http.request.headers["x-api-key"][0] contains "abcd1234"', ['abcd1234']],
    ['its beginning', 'starts_with(http.request.headers["x-api-key"][0], "abcd1234")', ['abcd1234']],
    ['an order', 'http.request.headers["x-api-key"][0] ge "abcdefgh"', ['abcdefgh']],
    ['a cookie among all cookies', 'http.cookie contains "a=b; session=abcd1234"', ['abcd1234']],
    ['a parameter of a query', 'http.request.uri.query contains "token=abcd1234"', ['abcd1234']],
    [
      'after a raw text that ends in a backslash',
      String.raw`http.request.uri.path contains r"..\" and http.request.headers["x-api-key"][0] eq "abcdefgh"`,
      ['abcdefgh'],
    ],
    ['no word that is searched for', 'http.request.headers["x-auth-method"][0] contains "password"', []],
    ['no longer scheme', 'starts_with(http.request.headers["authorization"][0], "AWS4-HMAC-SHA256 ")', []],
    ['no word as a parameter', 'http.request.uri.query contains "token=undefined"', []],
    ['no scheme', 'http.request.headers["authorization"][0] contains "Negotiate "', []],
    ['no name of a cookie', 'any(http.request.headers["cookie"][*] contains "wordpress_logged_in")', []],
    ['no pattern', 'http.request.headers["authorization"][0] matches "^Bearer [a-z]{20}$"', []],
    ['no author', 'http.request.headers["x-author"][0] eq "somebody"', []],
    ['no word', 'http.request.headers["x-auth"][0] eq "none"', []],
    [
      'no name of a field',
      'http.request.headers["x-shop-authority"][0] eq http.request.headers["x-api-key"][0]',
      [],
    ],
    ['no other text', 'http.request.headers["x-auth"][0] ne "" and http.host eq "shop.example"', []],
  ])('reads an expression: %s', (_what, expression, texts) => {
    expect(secretTexts(PHASE, { expression })).toEqual(texts);
  });

  test('returns the values of request headers that a rule sets, fixed or computed', () => {
    expect(secretTexts(HEADERS, setting('X-Auth', { operation: 'set', value: 'correct horse' }))).toEqual([
      'correct horse',
    ]);
    const expression = 'concat("correct horse", http.request.headers["x-api-key"][0])';
    expect(secretTexts(HEADERS, setting('X-Auth', { operation: 'set', expression }))).toEqual([
      'correct horse',
    ]);
  });

  test('returns no values of response headers, and no texts that contain a sensitive reference', () => {
    const value = 'correct horse';
    expect(secretTexts('http_response_headers_transform', setting('X-Auth', { value }))).toEqual([]);
    expect(secretTexts(HEADERS, setting('X-Auth', { value: 'Bearer <sensitive:ORIGIN_SECRET>' }))).toEqual(
      [],
    );
    const url = 'https://shop:<sensitive:ORIGIN_SECRET>@shop.example/';
    expect(secretTexts(HEADERS, { description: url })).toEqual([]);
  });

  test('returns neither the action of the rule nor host names', () => {
    const challenged = 'http.request.headers["x-auth-mode"][0] eq "managed_challenge"';
    expect(secretTexts(PHASE, { expression: challenged, action: 'managed_challenge' })).toEqual([]);
    expect(secretTexts(PHASE, { expression: challenged, action: 'block' })).toEqual(['managed_challenge']);
    const hosts =
      'http.request.headers["authority"][0] eq "not.a-host" and http.request.headers["x-auth-host"][0] eq "auth.example.com"';
    expect(secretTexts(PHASE, { expression: hosts })).toEqual([]);
  });

  test('returns the longest text first, and each text once', () => {
    const headers = {
      'X-Auth': { value: 'correct' },
      'X-Key': { value: 'correct horse' },
      'X-Token': { value: 'correct horse' },
    };
    expect(
      secretTexts(HEADERS, { action_parameters: { headers }, description: 'AKIAABCDEFGHIJKLMNOP' }),
    ).toEqual(['AKIAABCDEFGHIJKLMNOP', 'correct horse']);
  });
});
