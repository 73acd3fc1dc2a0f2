import { expect, it } from 'vitest';
import { sendWebhook } from '../../src/forge/webhook.ts';
import { startLoopback } from '../api/loopback.ts';
import { createFakeClock } from '../fake-clock.ts';

it.each([
  ['a failure that passes', [503, 429, 200], 3],
  ['a refusal, which stays', [404], 1],
  ['a failure that stays', [500, 500, 500, 500, 500], 4],
])('retries failures but no refusals, and never shows the address: %s', async (_what, statuses, requests) => {
  const left = [...statuses];
  const hook = await startLoopback((_seen, response) => {
    response.statusCode = left.shift() ?? 200;
    response.end('no');
  });
  const sent = sendWebhook(`${hook.baseUrl}/secret`, '{}', { clock: createFakeClock() });
  const told = await sent.then(
    () => 'sent',
    (error: unknown) => String(error),
  );
  expect(hook.seen).toHaveLength(requests);
  expect(told).toMatch(statuses.includes(200) ? /^sent$/ : /did not accept the message: (404|500)$/);
  expect(told).not.toContain('secret');
});

it('a redirect is not followed, and said', async () => {
  const hook = await startLoopback((_seen, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await expect(
    sendWebhook(`${hook.baseUrl}/secret`, '{}', { clock: createFakeClock() }),
  ).rejects.toMatchObject({
    message: 'the webhook did not accept the message: 302, a redirect, which is not followed',
    hint: expect.stringContaining('the address that it leads to'),
  });
  expect(hook.seen).toHaveLength(1);
});
