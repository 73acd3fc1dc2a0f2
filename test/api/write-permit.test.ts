import { expect, test } from 'vitest';
import { serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openWriter } from './open.ts';

const REASON = 'another run is at work';

test('does not send a write without a permit, and reports no effect; a read needs no permit', async () => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success('fine')));
  const { client } = openWriter(server.baseUrl, { mayWrite: () => Promise.resolve(REASON) });
  const error = await serviceError(client.send({ method: 'PUT', path: '/a' }));
  expect(error).toMatchObject({ code: 'apply/not-held', effect: 'none', attempts: 1 });
  expect(error.message).toBe(`PUT /a: not sent (${REASON})`);
  expect((await client.get('/a')).result).toBe('fine');
  expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
});

test('asks for the permit again after a wait, before it sends the write again', async () => {
  const server = await startLoopback((_seen, response) =>
    sendJson(response, 429, failure({ message: 'not now' }), { 'retry-after': '200' }),
  );
  const { client, clock } = openWriter(server.baseUrl, {
    mayWrite: () => Promise.resolve(clock.slept.length === 0 ? null : REASON),
  });
  const error = await serviceError(client.send({ method: 'POST', path: '/a' }));
  expect(error).toMatchObject({ code: 'apply/not-held', effect: 'none', attempts: 2 });
  expect(server.seen).toHaveLength(1);
});
