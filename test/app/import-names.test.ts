import { expect, test } from 'vitest';

import { id } from '../plan/build.ts';
import { FILE, follow, live, rulesAfter } from './followed.ts';

// Names that the files give to rules that nobody has named live yet, and that no apply has brought there.

const NAMED = `      # who may pass
      - ref: pass
        description: Passes
        expression: ssl
        action: log
      - ref: stop
        description: Stops
        expression: ssl
        action: log
`;
const PASS = { ref: id(1), description: 'Passes' };
const STOP = { ref: id(2), description: 'Stops' };

test('stay where nothing else was changed', async () => {
  const head = 'zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n';
  expect(await follow(head + NAMED, live(PASS, STOP))).toMatchObject({
    kind: 'unchanged',
    kept: [],
    removed: [],
  });
});

test('stay where other rules were changed', async () => {
  const stop = { ref: 'halt', description: 'Stops' };
  const text = await rulesAfter(
    NAMED.replace('ref: stop', 'ref: halt'),
    live(PASS, { ...stop, action: 'block' }),
  );
  expect(text).toBe(NAMED.replace('ref: stop', 'ref: halt').replace(/log\n$/u, 'block\n'));
});

test('stay with a rule that was changed itself, by its description', async () => {
  const text = await rulesAfter(NAMED, live({ ...PASS, action: 'block' }, STOP));
  expect(text).toBe(NAMED.replace('action: log', 'action: block'));
});

test('go with a rule that is gone; another one does not take them', async () => {
  const { texts, removed } = await follow(
    `zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n${NAMED}`,
    live({ ref: id(1), description: 'Something new' }, STOP),
  );
  expect(removed).toEqual([expect.stringContaining('pass (zones/shop.yaml:6)')]);
  expect(texts.get(FILE)).toContain(`- ref: "${id(1)}"\n        description: Something new`);
});

test('are none where they are the ids of rules that somebody made anew: those follow', async () => {
  const [old, fresh] = [id(0x77), id(1)];
  const text = await rulesAfter(NAMED.replace('ref: pass', `ref: "${old}"`), live(PASS, STOP));
  expect(text).toBe(NAMED.replace('ref: pass', `ref: "${fresh}"`));
});

test('stay with a rule that was changed where the files let it differ: it says then what live says', async () => {
  const ignored = `      - rule: pass\n        field: /action\n        reason: r\n        until: 2099-12-31\n`;
  const list = `${NAMED}    ignore:\n${ignored}`;
  const text = await rulesAfter(list, live({ ...PASS, action: 'block' }, STOP));
  expect(text).toBe(list.replace('action: log', 'action: block'));
});
