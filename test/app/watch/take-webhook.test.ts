import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { judgeWebhook } from '../../../src/app/watch/take-webhook.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"object_kind":"push"}';

/** Returns the headers of a webhook that is signed as Standard Webhooks say. */
function signed(
  change: Partial<Record<'id' | 'time' | 'body' | 'said', string>> = {},
): Record<string, string> {
  const { id = 'evt-1', time = String(NOW / 1000), body = BODY, said = id } = change;
  const digest = createHmac('sha256', KEY).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': said, 'webhook-timestamp': time, 'webhook-signature': `v1,${digest}` };
}

test.each<[string, Record<string, string>, number]>([
  ['signed', signed(), 202],
  [
    'with the signature of an older secret before it',
    { ...signed(), 'webhook-signature': `v1,${'A'.repeat(43)}= ${signed()['webhook-signature']}` },
    202,
  ],
  ['of four minutes ago', signed({ time: String(NOW / 1000 - 240) }), 202],
  ['sent again later', signed({ time: String(NOW / 1000 - 301) }), 401],
  ['from the future', signed({ time: String(NOW / 1000 + 301) }), 401],
  ['with another body', signed({ body: '{}' }), 401],
  ['with another id', signed({ said: 'evt-2' }), 401],
  ['without an id', signed({ id: '' }), 401],
  ['of another version', { ...signed(), 'webhook-signature': `v2,${'A'.repeat(43)}=` }, 401],
  ['with a short signature', { ...signed(), 'webhook-signature': 'v1,AAAA' }, 401],
  ['with the bare secret', { 'x-gitlab-token': SECRET }, 401],
])('a webhook %s', async (_what, headers, status) => {
  const server = createServer((request, response) => {
    void judgeWebhook(request, { secret: SECRET, now: NOW }).then((judged) =>
      response.writeHead(judged, { connection: 'close' }).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const answer = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body: BODY, headers });
  expect(answer.status).toBe(status);
});
