import { gzipSync, brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serviceError } from './caught.ts';
import type { Handler } from './loopback.ts';
import { startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const PATH = '/zones/a/rulesets';
const ANSWER = Buffer.from(JSON.stringify(success('größer 💶 '.repeat(500))));

function packed(bytes: Buffer, encoding = 'gzip'): Handler {
  return (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(bytes);
  };
}

test('reads and writes ask for gzip and no other encoding', async () => {
  const server = await startLoopback(packed(gzipSync(ANSWER)));
  const { client } = openWriter(server.baseUrl);
  await client.get(PATH);
  await client.send({ method: 'PUT', path: PATH, body: {} });
  expect(server.seen.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', 'gzip']);
});

describe('the body of an answer', () => {
  test.each([
    ['as it was asked for', packed(gzipSync(ANSWER))],
    ['whatever the case of the word', packed(gzipSync(ANSWER), 'GZIP')],
    ['under the older name of gzip', packed(gzipSync(ANSWER), 'X-Gzip')],
    ['when it is not packed, and says so', packed(ANSWER, 'identity')],
    ['when each that it passed says that it did nothing', packed(ANSWER, 'Identity, identity')],
    ['when one packed it and another did nothing', packed(gzipSync(ANSWER), 'gzip ,identity')],
    [
      'of several parts',
      packed(Buffer.concat([gzipSync(ANSWER.subarray(0, 999)), gzipSync(ANSWER.subarray(999))])),
    ],
  ])('is read whole %s', async (_title, handler) => {
    const server = await startLoopback(handler);
    const { client } = openReader(server.baseUrl);
    expect(await client.get(PATH)).toMatchObject({ result: 'größer 💶 '.repeat(500) });
  });

  test('may be empty although Content-Encoding is gzip', async () => {
    const server = await startLoopback(packed(Buffer.alloc(0)));
    const { client } = openReader(server.baseUrl);
    expect(await client.get(PATH)).toMatchObject({ status: 200, result: null });
  });
});

describe('an answer that cannot be decompressed', () => {
  const whole = gzipSync(ANSWER);
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 0xff;
  test.each([
    ['ends early', packed(whole.subarray(0, -20)), 'Z_BUF_ERROR'],
    ['is damaged', packed(damaged), 'Z_DATA_ERROR'],
    ['is not packed at all', packed(ANSWER), 'Z_DATA_ERROR'],
  ])('is asked for again by a read, but not by a write, if it %s', async (_title, handler, detail) => {
    const server = await startLoopback(handler);
    const { client } = openWriter(server.baseUrl);
    const read = await serviceError(client.get(PATH));
    expect(read).toMatchObject({ code: 'api/not-json', status: null, attempts: 4, effect: 'none' });
    expect(read.message).toContain(`cannot be unpacked (${detail})`);
    const written = await serviceError(client.send({ method: 'PUT', path: PATH, body: {} }));
    expect(written).toMatchObject({ code: 'api/not-json', attempts: 1, effect: 'unknown' });
  });

  test.each(['br', 'gzip, br', 'gzip, gzip'])(
    'is not asked for again if its Content-Encoding is %s, which would not change',
    async (encoding) => {
      const server = await startLoopback(packed(brotliCompressSync(ANSWER), encoding));
      const { client } = openWriter(server.baseUrl);
      const read = await serviceError(client.get(PATH));
      expect(read).toMatchObject({ code: 'api/not-json', status: null, attempts: 1, effect: 'none' });
      expect(read.message).toContain(
        `is compressed in a way that was not asked for (Content-Encoding: ${encoding})`,
      );
      const written = await serviceError(client.send({ method: 'PUT', path: PATH, body: {} }));
      expect(written).toMatchObject({ code: 'api/not-json', attempts: 1, effect: 'unknown' });
    },
  );

  test('is replaced by the answer to the next attempt if that is whole', async () => {
    const server = await startLoopback((seen, response, index) => {
      packed(index === 0 ? whole.subarray(0, -20) : whole)(seen, response, index);
    });
    const { client } = openReader(server.baseUrl);
    expect(await client.get(PATH)).toMatchObject({ status: 200, request: { attempts: 2 } });
  });
});

test('a small answer that decompresses to more than any answer of the service is given up', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '), { level: 1 });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  const server = await startLoopback(packed(bomb));
  const { client } = openReader(server.baseUrl);
  const error = await serviceError(client.get(PATH));
  expect(error).toMatchObject({ code: 'api/not-json', attempts: 1 });
  expect(error.message).toContain('is larger than any answer of the service (ERR_BUFFER_TOO_LARGE)');
});
