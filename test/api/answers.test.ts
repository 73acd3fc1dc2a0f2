import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { everythingIn, serviceError } from './caught.ts';
import type { Handler } from './loopback.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { CANARY, openReader, openWriter } from './open.ts';

const PATH = '/zones/0123456789abcdef0123456789abcdef/rulesets/phases/http_request_origin/entrypoint';

interface BadAnswer {
  readonly title: string;
  readonly handler: Handler;
  readonly code: string;
  readonly status: number | null;
  /** What the message must contain. */
  readonly says: string;
  /** What the hint must contain. */
  readonly hints: string;
  readonly attempts: number;
  /** The effect of a write that gets this answer. */
  readonly effect: 'none' | 'unknown';
}

const envelope =
  (status: number, body: unknown): Handler =>
  (_seen, response) => {
    sendJson(response, status, body, { 'cf-ray': '8f00-FRA' });
  };

const page =
  (status: number, text: string, headers: Record<string, string> = {}): Handler =>
  (_seen, response) => {
    response.writeHead(status, { 'content-type': 'text/html', 'cf-ray': '8f00-FRA', ...headers });
    response.end(text);
  };

const BAD: readonly BadAnswer[] = [
  {
    title: '401 with an envelope',
    handler: envelope(401, failure({ code: 10000, message: 'Authentication error' })),
    code: 'api/unauthorized',
    status: 401,
    says: '401 Authentication error (10000)',
    hints: 'CLOUDFLARE_API_TOKEN',
    attempts: 1,
    effect: 'none',
  },
  {
    title: '400 for a malformed credential, with its chain',
    handler: envelope(
      400,
      failure({
        code: 6003,
        message: 'Invalid request headers',
        error_chain: [{ code: 6111, message: 'Invalid format for Authorization header' }],
      }),
    ),
    code: 'api/unauthorized',
    status: 400,
    says: 'Invalid request headers (6003); Invalid format for Authorization header (6111)',
    hints: 'CLOUDFLARE_API_TOKEN',
    attempts: 1,
    effect: 'none',
  },
  {
    title: '403 without a code',
    handler: envelope(403, failure({ message: 'request is not authorized' })),
    code: 'api/forbidden',
    status: 403,
    says: '403 request is not authorized',
    hints: '"Origin"',
    attempts: 1,
    effect: 'none',
  },
  {
    title: '404',
    handler: envelope(404, failure({ code: 10001, message: 'could not find ruleset' })),
    code: 'api/not-found',
    status: 404,
    says: '404 could not find ruleset (10001)',
    hints: 'check the id',
    attempts: 1,
    effect: 'none',
  },
  {
    title: '429 that stays',
    handler: envelope(
      429,
      failure({ code: 10100, message: 'More than 1200 requests per 300 seconds reached' }),
    ),
    code: 'api/rate-limited',
    status: 429,
    says: '(4 attempts): 429 More than 1200 requests',
    hints: 'wait five minutes',
    attempts: 4,
    effect: 'none',
  },
  {
    title: '500 with an envelope',
    handler: envelope(500, failure({ code: 1, message: 'internal' })),
    code: 'api/server-error',
    status: 500,
    says: '500 internal (1)',
    hints: 'try again later',
    attempts: 4,
    effect: 'unknown',
  },
  {
    title: '502 with an HTML page',
    handler: page(
      502,
      '<html><head><style>p{color:red}</style></head><body><h1>bad\n gateway</h1></body></html>',
    ),
    code: 'api/server-error',
    status: 502,
    says: '502 with a web page (text/html) instead of an answer of the service: "bad gateway"',
    hints: 'try again later',
    attempts: 4,
    effect: 'unknown',
  },
  ...[400, 401, 403, 404].map((status): BadAnswer => ({
    title: `${status} with the page of a gateway`,
    handler: page(status, '<html><body><h1>Access denied</h1></body></html>'),
    code: 'api/not-json',
    status,
    says: `${status} with a web page (text/html) instead of an answer of the service: "Access denied"`,
    hints: 'says nothing about the permissions of the token',
    attempts: 1,
    effect: 'none',
  })),
  {
    title: '403 with a login page',
    handler: page(403, '<html><form><input type="password"></form>Welcome</html>'),
    code: 'api/not-json',
    status: 403,
    says: '403 with a login page (text/html) instead of an answer of the service: "Welcome"',
    hints: 'HTTPS_PROXY',
    attempts: 1,
    effect: 'none',
  },
  {
    title: '429 of a gateway',
    handler: page(429, '<h1>Slow down</h1>'),
    code: 'api/rate-limited',
    status: 429,
    says: '429 with a web page',
    hints: 'a gateway or proxy in between limits requests, not the service',
    attempts: 4,
    effect: 'none',
  },
  {
    title: '200 with an HTML page',
    handler: page(200, '<title>Sign in</title>'),
    code: 'api/not-json',
    status: 200,
    says: '"Sign in"',
    hints: 'login page',
    attempts: 1,
    effect: 'unknown',
  },
  {
    title: '200 with half a JSON text',
    handler: page(200, '{"result": {"id": "01'),
    code: 'api/not-json',
    status: 200,
    says: 'instead of an answer of the service',
    hints: 'proxy',
    attempts: 1,
    effect: 'unknown',
  },
  {
    title: '200 with success false',
    handler: envelope(200, failure({ code: 7, message: 'no' })),
    code: 'api/unsuccessful',
    status: 200,
    says: '200 no (7)',
    hints: '',
    attempts: 1,
    effect: 'unknown',
  },
  {
    title: '200 without success',
    handler: envelope(200, { result: {}, errors: [] }),
    code: 'api/unexpected-answer',
    status: 200,
    says: 'without a reason',
    hints: 'base URL',
    attempts: 1,
    effect: 'unknown',
  },
  {
    title: 'a failure with no errors and null messages',
    handler: envelope(400, { result: null, success: false, errors: [], messages: null }),
    code: 'api/refused',
    status: 400,
    says: '400 without a reason',
    hints: '',
    attempts: 1,
    effect: 'none',
  },
  {
    title: 'a failure with null errors',
    handler: envelope(400, { result: null, success: false, errors: null, messages: null }),
    code: 'api/refused',
    status: 400,
    says: '400 without a reason',
    hints: '',
    attempts: 1,
    effect: 'none',
  },
  {
    title: 'a failure with an empty body',
    handler: page(503, ''),
    code: 'api/server-error',
    status: 503,
    says: '503 with an empty body',
    hints: 'try again later',
    attempts: 4,
    effect: 'unknown',
  },
  {
    title: '408, with which the service gave up waiting',
    handler: envelope(408, failure({ message: 'too slow' })),
    code: 'api/refused',
    status: 408,
    says: '408 too slow',
    hints: '',
    attempts: 1,
    effect: 'unknown',
  },
  {
    title: 'a redirect',
    handler: page(301, '', { location: 'https://elsewhere.example/' }),
    code: 'api/redirected',
    status: 301,
    says: '301 to https://elsewhere.example/',
    hints: 'not followed',
    attempts: 1,
    effect: 'unknown',
  },
  {
    title: 'a connection that ends without an answer',
    handler: (_seen, response) => {
      response.destroy();
    },
    code: 'api/connection-lost',
    status: null,
    says: 'ended before the answer did',
    hints: 'later',
    attempts: 4,
    effect: 'unknown',
  },
  {
    title: 'a connection that ends within the body',
    handler: (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"result":', () => response.destroy());
    },
    code: 'api/connection-lost',
    status: null,
    says: 'ended before the answer did',
    hints: 'later',
    attempts: 4,
    effect: 'unknown',
  },
  {
    title: 'no answer in time',
    handler: () => undefined,
    code: 'api/timeout',
    status: null,
    says: 'did not answer in time (no answer within 150 ms)',
    hints: 'later',
    attempts: 4,
    effect: 'unknown',
  },
];

test.each([
  ['/zones', 'is the base URL whole, such as https://api.cloudflare.com/client/v4?'],
  [PATH, undefined],
])('no route to %s: hints at the base URL only for a path that always exists', async (path, hint) => {
  const server = await startLoopback(
    envelope(400, failure({ code: 7003, message: 'Could not route' }, { code: 7000, message: 'No route' })),
  );
  const error = await serviceError(openReader(server.baseUrl).client.get(path));
  expect([error.code, error.hint]).toEqual(['api/refused', hint]);
});

describe('a request without a successful answer', () => {
  test.each(BAD)('fails as a read: $title', async (bad) => {
    const server = await startLoopback(bad.handler);
    const { client, events } = openReader(server.baseUrl, {
      timeoutMs: bad.code === 'api/timeout' ? 150 : 5000,
    });
    const error = await serviceError(client.get(PATH));
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: bad.code,
      fault: 'remote',
      status: bad.status,
      method: 'GET',
      path: PATH,
      attempts: bad.attempts,
      effect: 'none',
      rayId: bad.status === null ? null : '8f00-FRA',
    });
    expect(error.message).toContain(bad.says);
    expect(error.message).toContain(`GET ${PATH}`);
    expect(error.hint ?? '').toContain(bad.hints);
    expect(error.hint === undefined).toBe(bad.hints === '');
    expect(server.seen).toHaveLength(bad.attempts);
    expect(everythingIn(error) + JSON.stringify(events)).not.toContain(CANARY);
  });

  test.each(BAD)('fails as a write: $title', async (bad) => {
    const server = await startLoopback(bad.handler);
    const { client, events } = openWriter(server.baseUrl, {
      timeoutMs: bad.code === 'api/timeout' ? 150 : 5000,
    });
    const error = await serviceError(client.send({ method: 'PUT', path: PATH, body: { rules: [] } }));
    const attempts = bad.status === 429 ? 4 : 1;
    expect(error).toMatchObject({ code: bad.code, status: bad.status, attempts, effect: bad.effect });
    expect(error.message.includes('whether it had an effect is not known')).toBe(bad.effect === 'unknown');
    expect(server.seen).toHaveLength(attempts);
    expect(everythingIn(error) + JSON.stringify(events)).not.toContain(CANARY);
  });

  test('is tried again after a refused connection, as a read and as a write, and had no effect', async () => {
    const server = await startLoopback(() => undefined);
    await server.close();
    const { client } = openWriter(server.baseUrl);
    for (const attempt of [client.get(PATH), client.send({ method: 'POST', path: PATH, body: {} })]) {
      const error = await serviceError(attempt);
      expect(error).toMatchObject({ code: 'api/unreachable', status: null, attempts: 4, effect: 'none' });
      expect(error.message).toContain('ECONNREFUSED');
      expect(error.message).toContain('127.0.0.1');
    }
  });

  test('fails with api/tls and without effect if a plain HTTP server answers the TLS handshake', async () => {
    const server = await startLoopback(envelope(200, success(null)));
    const { client } = openWriter(server.baseUrl.replace('http:', 'https:'));
    const error = await serviceError(client.send({ method: 'DELETE', path: PATH }));
    expect(error).toMatchObject({ code: 'api/tls', status: null, attempts: 1, effect: 'none' });
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('fails with the pointers and messages of the service unchanged', async () => {
    const message = "'\u001b[31m' is not a valid value:\nline 2\n^^^ <b>unknown</b>";
    const item = { code: 20127, message, source: { pointer: '/rules/0/expression' } };
    const server = await startLoopback(envelope(400, failure(item, { message: 'second' })));
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(client.send({ method: 'PUT', path: PATH, body: {} }));
    expect(error.errors).toEqual([
      { code: 20127, message, pointer: '/rules/0/expression' },
      { message: 'second' },
    ]);
    expect(error.message).toContain(`${message} (20127) at /rules/0/expression; second`);
  });

  test('is given up if the answer is larger than any of the service', async () => {
    const server = await startLoopback((_seen, response) => {
      response.writeHead(200, { 'content-length': String(65 * 1024 * 1024) });
      response.end(Buffer.alloc(65 * 1024 * 1024, 32));
    });
    const { client } = openReader(server.baseUrl);
    expect(await serviceError(client.get(PATH))).toMatchObject({ code: 'api/not-json', attempts: 1 });
  });
});

test('an answer that is nested too deeply is refused, and the effect of a write is then unknown', async () => {
  const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
  const server = await startLoopback(page(200, `{"success":true,"errors":[],"result":${deep}}`));
  const { client } = openWriter(server.baseUrl);
  expect(await serviceError(client.get(PATH))).toMatchObject({
    code: 'api/unexpected-answer',
    effect: 'none',
    message: expect.stringContaining('nested deeper than'),
  });
  const written = await serviceError(client.send({ method: 'PUT', path: PATH, body: { rules: [] } }));
  expect(written).toMatchObject({ code: 'api/unexpected-answer', effect: 'unknown' });
});

describe('a successful answer', () => {
  test.each([
    { title: 'with an empty body', handler: page(204, ''), result: null },
    { title: 'with a null result', handler: envelope(200, success(null)), result: null },
    {
      title: 'with null errors and messages',
      handler: envelope(200, { result: [], success: true, errors: null, messages: null }),
      result: [],
    },
    {
      title: 'whose message has an error code',
      handler: envelope(200, success({ id: 'x' }, { messages: [{ code: 10000, message: 'valid' }] })),
      result: { id: 'x' },
    },
  ])('is one $title', async ({ handler, result }) => {
    const server = await startLoopback(handler);
    const { client } = openReader(server.baseUrl);
    const answer = await client.get(PATH);
    expect(answer.result).toEqual(result);
    expect(answer.request).toEqual({ method: 'GET', path: PATH, attempts: 1, rayId: '8f00-FRA' });
  });

  test('carries the information about pages, with either form of the cursor', async () => {
    const infos = [
      { cursors: { after: 'a' } },
      { cursor: 'b', per_page: 50 },
      { page: 2, total_pages: 3, total_count: 120, count: 50 },
    ];
    const server = await startLoopback((_seen, response, index) => {
      sendJson(response, 200, success([], { result_info: infos[index] }));
    });
    const { client } = openReader(server.baseUrl);
    expect((await client.get(PATH)).resultInfo).toEqual({ after: 'a' });
    expect((await client.get(PATH)).resultInfo).toEqual({ after: 'b', perPage: 50 });
    expect((await client.get(PATH)).resultInfo).toEqual({
      page: 2,
      totalPages: 3,
      totalCount: 120,
      count: 50,
    });
  });
});

describe('a request', () => {
  test('is sent to its path below the base URL, with its headers and body', async () => {
    const server = await startLoopback(envelope(200, success(null)));
    const { client } = openWriter(`${server.baseUrl}/`, { userAgent: 'rulewright/9' });
    expect(client.baseUrl).toBe(server.baseUrl);
    await client.get('/zones', { query: { name: 'a b.example', page: 1 } });
    await client.send({
      method: 'PATCH',
      path: PATH,
      body: { description: 'ä' },
      query: { dry_run: 'true' },
    });
    const [read, write] = server.seen;
    expect(read).toMatchObject({ method: 'GET', url: '/client/v4/zones?name=a+b.example&page=1', body: '' });
    expect(read?.headers).toMatchObject({ authorization: `Bearer ${CANARY}`, 'user-agent': 'rulewright/9' });
    expect(read?.headers).not.toHaveProperty('content-type');
    expect(write).toMatchObject({
      method: 'PATCH',
      url: `/client/v4${PATH}?dry_run=true`,
      body: '{"description":"ä"}',
    });
    expect(write?.headers['content-type']).toBe('application/json');
  });

  test('waits for one of the allowed number of connections', async () => {
    // Requests are answered three at a time, so the test would hang if fewer than three were open.
    const held: ServerResponse[] = [];
    let most = 0;
    const server = await startLoopback((_seen, response) => {
      held.push(response);
      most = Math.max(most, held.length);
      if (held.length === 3) {
        setImmediate(() => {
          held.splice(0).forEach((one) => sendJson(one, 200, success(null)));
        });
      }
    });
    const { client } = openReader(server.baseUrl, { concurrency: 3 });
    await Promise.all(Array.from({ length: 30 }, () => client.get(PATH)));
    expect(server.seen).toHaveLength(30);
    expect(most).toBe(3);
  });
});
