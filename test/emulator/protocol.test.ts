import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { createApp } from '../../src/emulator/app.ts';
import { SEED_TOKEN } from '../../src/emulator/index.ts';
import { api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';

const KEY = 'e'.repeat(37);
const EMAIL = 'owner@shop.example';
const NO_TOKEN = { authorization: '' };

describe('authentication', () => {
  test.each([
    ['no credentials', NO_TOKEN, 400, 9106],
    ['half a key pair', { ...NO_TOKEN, 'x-auth-email': EMAIL }, 400, 9106],
    ['a token nobody has', { authorization: 'Bearer nobody' }, 403, 10000],
    ['a header that is no bearer token', { authorization: `Token ${SEED_TOKEN}` }, 400, 6003],
    ['a token with a space', { authorization: 'Bearer a b' }, 400, 6003],
    ['a key of the wrong form', { ...NO_TOKEN, 'x-auth-email': EMAIL, 'x-auth-key': 'short' }, 400, 6003],
    ['a wrong address', { ...NO_TOKEN, 'x-auth-email': 'owner', 'x-auth-key': KEY }, 400, 6003],
    ['an unknown key', { ...NO_TOKEN, 'x-auth-email': EMAIL, 'x-auth-key': 'a'.repeat(37) }, 403, 9103],
  ])('%s is refused', async (_, headers, status, code) => {
    const bench = await startBench();
    const reply = await bench.call('GET', '/zones', undefined, headers);
    expect(refusalOf(reply)).toMatchObject({ status, code });
    expect(reply.body).toMatchObject({ result: null, success: false, messages: [] });
  });

  test('the error chain of a malformed header says which header', async () => {
    const bench = await startBench();
    const reply = await bench.call('GET', '/zones', undefined, {
      ...NO_TOKEN,
      'x-auth-email': EMAIL,
      'x-auth-key': 'k',
    });
    expect(reply.body.errors).toEqual([
      {
        code: 6003,
        message: 'Invalid request headers',
        error_chain: [{ code: 6103, message: 'Invalid format for X-Auth-Key header' }],
      },
    ]);
  });

  test('an API key with its email address is accepted', async () => {
    const bench = await startBench();
    const headers = { ...NO_TOKEN, 'x-auth-email': EMAIL, 'x-auth-key': KEY };
    const reply = await bench.call('GET', entryPoint(shop, 'http_ratelimit'), undefined, headers);
    expect(reply.status).toBe(200);
  });

  test('a disabled token is refused', async () => {
    const bench = await startBench();
    const content = bench.service.store.content();
    const tokens = content.tokens.map((token) => ({ ...token, status: 'disabled' as const }));
    bench.service.store.load({ ...content, tokens });
    expect(refusalOf(await bench.call('GET', '/zones'))).toMatchObject({ status: 403, code: 10000 });
  });

  test('credentials are checked before the route', async () => {
    const bench = await startBench();
    const reply = await bench.call('GET', '/nowhere', undefined, NO_TOKEN);
    expect(refusalOf(reply).code).toBe(9106);
  });
});

describe('routing', () => {
  test.each([
    '/nowhere',
    '/zones/not-an-id/rulesets',
    `${shop}/rulesets/${'A'.repeat(32)}`,
    `${shop}/rulesets/phases/http_ratelimit/entrypoint/rules`,
  ])('%s has no route', async (path) => {
    const bench = await startBench();
    const reply = await bench.call('GET', path);
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toEqual([
      { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
      { code: 7000, message: 'No route for that URI' },
    ]);
  });

  test.each([
    ['POST', entryPoint(shop, 'http_ratelimit')],
    ['DELETE', entryPoint(shop, 'http_ratelimit')],
    ['GET', `${shop}/rulesets/${'0'.repeat(32)}/rules/${'0'.repeat(32)}`],
    ['PUT', `${shop}/rulesets/${'0'.repeat(32)}/rules/${'0'.repeat(32)}`],
    ['PATCH', `${shop}/rulesets`],
  ])('%s %s is not available', async (method, path) => {
    const bench = await startBench();
    const reply = await bench.call(method, path);
    expect(refusalOf(reply)).toEqual({
      status: 405,
      code: 7001,
      message: `Method ${method} not available for that URI.`,
      pointer: undefined,
    });
  });

  test('an unknown zone gets the refusal of a zone out of reach (403, code 9109)', async () => {
    const bench = await startBench();
    const reply = await bench.call('GET', `/zones/${'0'.repeat(32)}/rulesets`);
    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 9109 });
  });
});

describe('request bodies', () => {
  const path = entryPoint(api, 'http_request_firewall_custom');

  test.each([
    ['no body', ''],
    ['text', 'rules'],
    ['a cut body', '{"rules": ['],
    ['nesting without end', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ])('%s is refused as malformed and changes nothing', async (_, body) => {
    const bench = await startBench();
    const before = bench.service.store.content();
    const reply = await bench.call('PUT', path, body);
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 6007 });
    expect(bench.service.store.content()).toEqual(before);
  });

  test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonp']])(
    'the content type %s is refused',
    async (type) => {
      const bench = await startBench();
      const reply = await bench.call('PUT', path, '{}', { 'content-type': type });
      expect(reply.body.errors).toMatchObject([{ code: 6003, error_chain: [{ code: 6105 }] }]);
    },
  );

  test('a content type with a charset is accepted', async () => {
    const bench = await startBench();
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await bench.call('PUT', path, { rules: [] }, headers)).status).toBe(200);
  });

  test('a body over the limit is refused before it is read as JSON', async () => {
    const bench = await startBench({ maxBodyBytes: 1000 });
    const reply = await bench.call('PUT', path, `{"rules": "${'x'.repeat(2000)}"`);
    expect(reply.status).toBe(413);
    expect(reply.body.success).toBe(false);
    // The limit counts bytes: the 600 characters here are 1,200 bytes.
    expect((await bench.call('PUT', path, `{"description": "${'ß'.repeat(600)}"}`)).status).toBe(413);
  });

  test('null members count as absent', async () => {
    const bench = await startBench();
    const rule = blockRule({ description: null, ratelimit: null, action_parameters: null, ref: 'r' });
    const ruleset = await bench.ok('PUT', path, { description: null, rules: [rule] });
    expect(ruleset.rules).toMatchObject([{ ref: 'r', action: 'block', enabled: true }]);
    expect(ruleset.rules?.[0]).not.toHaveProperty('ratelimit');
  });

  test('a member called __proto__ is an unknown field like any other', async () => {
    const bench = await startBench();
    const reply = await bench.call('PUT', path, '{"__proto__": {"rules": []}}');
    expect(refusalOf(reply).message).toBe('invalid JSON: unknown field "__proto__"');
  });
});

describe('the request budget', () => {
  test('refuses all requests for a whole window after one over the limit', async () => {
    const bench = await startBench({ budget: { requests: 3, seconds: 300 } });
    const first = await bench.call('GET', '/zones');
    expect(first.headers.get('x-ratelimit-limit')).toBe('3');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('2');
    expect(first.headers.get('x-ratelimit-reset')).toBe('Wed, 04 Mar 2026 05:11:07 GMT');
    expect(first.headers.get('retry-after')).toBeNull();
    await bench.call('GET', '/zones');
    bench.clock.advance(60_000);
    expect((await bench.call('GET', '/zones')).status).toBe(200);
    const over = await bench.call('GET', '/zones');
    expect(refusalOf(over)).toEqual({
      status: 429,
      code: 10100,
      message:
        'More than 3 requests per 300 seconds reached. Please wait and consider throttling your request speed',
      pointer: undefined,
    });
    expect(over.headers.get('retry-after')).toBe('300');
    bench.clock.advance(299_001);
    const late = await bench.call('GET', '/zones');
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toBe('1');
    bench.clock.advance(999);
    expect((await bench.call('GET', '/zones')).status).toBe(200);
  });

  test('is shared by all credentials of a user', async () => {
    const bench = await startBench({ budget: { requests: 1, seconds: 300 } });
    expect((await bench.call('GET', '/zones')).status).toBe(200);
    const headers = { ...NO_TOKEN, 'x-auth-email': EMAIL, 'x-auth-key': KEY };
    expect((await bench.call('GET', '/zones', undefined, headers)).status).toBe(429);
  });

  test('is full again after a window that was not used up', async () => {
    const bench = await startBench({ budget: { requests: 2, seconds: 300 } });
    await bench.call('GET', '/zones');
    bench.clock.advance(300_000);
    expect((await bench.call('GET', '/zones')).headers.get('x-ratelimit-remaining')).toBe('1');
  });

  test('refuses a write without storing anything', async () => {
    const bench = await startBench({ budget: { requests: 1, seconds: 300 } });
    await bench.call('GET', '/zones');
    const before = bench.service.store.content();
    const path = entryPoint(shop, 'http_ratelimit');
    expect((await bench.call('PUT', path, { rules: [] })).status).toBe(429);
    expect(bench.service.store.content()).toEqual(before);
  });
});

test('answers carry cf-ray, and answers to writes cf-auditlog-id, as recorded answers do', async () => {
  const bench = await startBench();
  const read = await bench.call('GET', '/zones');
  const write = await bench.call('PUT', entryPoint(shop, 'http_ratelimit'), { rules: [] });
  expect(read.headers.get('content-type')).toBe('application/json');
  expect(read.headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-EMU$/u);
  expect(read.headers.get('cf-ray')).not.toBe(write.headers.get('cf-ray'));
  expect(read.headers.get('cf-auditlog-id')).toBeNull();
  expect(write.headers.get('cf-auditlog-id')).toMatch(/^[0-9a-f]{32}$/u);
});

describe('compression of answers', () => {
  const path = `http://emulator.test/client/v4${shop}/rulesets`;
  const authorization = `Bearer ${SEED_TOKEN}`;

  test.each([
    ['gzip', 'gzip'],
    ['br;q=1.0, gzip;q=0.5, *;q=0', 'gzip'],
    ['GZip', 'gzip'],
    ['gzip;q=0', null],
    ['gzip;q=0.000, br', null],
    ['x-gzip, br', null],
    ['', null],
  ])('follows Accept-Encoding: %s', async (accepted, encoding) => {
    const app = createApp((await startBench()).service);
    const plain = await app.request(path, { headers: { authorization } });
    const reply = await app.request(path, { headers: { authorization, 'accept-encoding': accepted } });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(reply.headers.get('vary')).toBe('Accept-Encoding');
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect((encoding === null ? bytes : gunzipSync(bytes)).toString()).toBe(await plain.text());
  });

  test('leaves a short answer uncompressed', async () => {
    const app = createApp((await startBench()).service);
    const headers = { authorization, 'accept-encoding': 'gzip' };
    const reply = await app.request(`${path}/${'0'.repeat(32)}`, { headers });
    expect(reply.headers.get('content-encoding')).toBeNull();
    expect(await reply.json()).toMatchObject({ success: false });
  });
});
