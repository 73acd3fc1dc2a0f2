import { describe, expect, test } from 'vitest';
import type { Credentials } from '../../src/api/credentials.ts';
import { everythingIn, rulewrightError, serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { CANARY, openReader, openWriter } from './open.ts';

const token = (value: string): Credentials => ({ kind: 'token', token: value });

describe('credentials that no HTTP header can carry', () => {
  test.each<[string, Credentials, string]>([
    ['a token with a newline', token(`${CANARY}\n`), 'The API token has a line break at its end'],
    [
      'a token with a header in it',
      token(`${CANARY}\r\nx-evil: 1`),
      'The API token has a line break in the middle',
    ],
    ['a token with the scheme', token(`Bearer ${CANARY}`), 'The API token has a blank in the middle'],
    ['a token after a blank', token(` ${CANARY}`), 'The API token has a blank at its start'],
    ['a token with a NUL', token(`${CANARY}\0x`), 'a control character'],
    ['a token with an umlaut', token(`${CANARY}ä`), 'a character outside ASCII'],
    ['an empty token', token(''), 'The API token is empty'],
    [
      'a key with a newline',
      { kind: 'key', email: 'a@b.example', key: `${CANARY}\n` },
      'The API key has a line break',
    ],
    [
      'an address with a newline',
      { kind: 'key', email: `${CANARY}@b.example\n`, key: 'k' },
      'The e-mail address has',
    ],
  ])('%s is refused before any request and is not shown in the error', async (_title, credentials, says) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(null)));
    const error = await rulewrightError(
      (async () => openReader(server.baseUrl, { credentials }).client.get('/zones'))(),
    );
    expect(error).toMatchObject({ code: 'api/bad-credentials', fault: 'user' });
    expect(error.message).toContain(says);
    expect(error.hint).toContain('no line break');
    expect(everythingIn(error)).not.toContain(CANARY);
    expect(server.seen).toEqual([]);
  });
});

test('the e-mail address and the API key are sent in their two headers, without an authorization header', async () => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(null)));
  const { client } = openReader(server.baseUrl, {
    credentials: { kind: 'key', email: 'a@b.example', key: CANARY },
  });
  await client.get('/zones');
  expect(server.seen[0]?.headers).toMatchObject({ 'x-auth-email': 'a@b.example', 'x-auth-key': CANARY });
  expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
});

describe('credentials that the service sends back', () => {
  test.each<[string, number, string, Record<string, string>]>([
    [
      'in an error',
      400,
      JSON.stringify(failure({ code: 1, message: `bad ${CANARY}`, source: { pointer: `/${CANARY}` } })),
      {},
    ],
    ['in a page', 502, `<p>${CANARY}</p>`, {}],
    ['in a redirect', 302, '', { location: `https://x.example/?t=${CANARY}` }],
    ['in the ray id', 404, JSON.stringify(failure({ message: 'no' })), { 'cf-ray': CANARY }],
  ])('%s are masked in the error and in the events', async (_title, status, body, headers) => {
    const server = await startLoopback((_seen, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    const { client, events } = openWriter(server.baseUrl);
    const error = await serviceError(client.send({ method: 'POST', path: '/zones', query: { q: CANARY } }));
    const shown = everythingIn(error) + JSON.stringify(events);
    expect(shown).not.toContain(CANARY);
    expect(shown).toContain('***');
  });

  test('in a message of a successful answer are masked', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 200, success(null, { messages: [`hello ${CANARY}`] })),
    );
    const { client } = openReader(server.baseUrl);
    expect((await client.get('/zones')).messages).toEqual([{ message: 'hello ***' }]);
  });
});

describe('an unusable base URL', () => {
  test.each([
    ['nonsense', 'expected a URL, such as'],
    ['ftp://api.example/v4', 'expected a URL, such as'],
    [`https://user:${CANARY}@api.example/v4`, 'without user name and password'],
    ['https://api.example/v4?x=1', 'without query and fragment'],
  ])('is refused without showing credentials: %s', async (baseUrl, says) => {
    const error = await rulewrightError((async () => openReader(baseUrl).client.get('/zones'))());
    expect(error).toMatchObject({ code: 'api/bad-base-url', fault: 'user' });
    expect(error.message).toContain(says);
    expect(everythingIn(error)).not.toContain(CANARY);
  });
});
