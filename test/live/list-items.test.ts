import { expect, test } from 'vitest';
import { readListItems } from '../../src/live/read-live-lists.ts';
import { sendJson, startLoopback, success } from '../api/loopback.ts';
import { openReader } from '../api/open.ts';

const ACCOUNT = 'a'.repeat(32);
const IP = { id: '1'.repeat(32), name: 'office', kind: 'ip', num_items: 1 };
const NEW = { id: '2'.repeat(32), name: 'fingerprints', kind: 'ja4', num_items: 1 };

test('leaves out a list of an unknown kind, and reads the others', async () => {
  const server = await startLoopback(({ url }, response) => {
    const items = url.includes(IP.id) ? [{ id: 'i', ip: '192.0.2.1' }] : [{ id: 'j', ja4: 't13d' }];
    sendJson(response, 200, success(url.includes('/items') ? items : [IP, NEW]));
  });
  const { client } = openReader(server.baseUrl);
  expect(await readListItems(client, ACCOUNT, new Set(['office', 'fingerprints']))).toEqual({
    items: { office: ['192.0.2.1'] },
    changedOn: null,
  });
});
