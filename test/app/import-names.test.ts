import { expect, test } from 'vitest';

import { id } from '../plan/build.ts';
import { FILE, follow, live, rulesAfter } from './followed.ts';

// Refs that the files propose for rules whose live ref is still their id, and that no apply has set yet.

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

test('an import keeps proposed refs when live changed nothing else', async () => {
  const head = 'zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n';
  expect(await follow(head + NAMED, live(PASS, STOP))).toMatchObject({
    kind: 'unchanged',
    kept: [],
    removed: [],
  });
});

test('an import keeps the proposed ref of a rule when live changed another rule', async () => {
  const stop = { ref: 'halt', description: 'Stops' };
  const text = await rulesAfter(
    NAMED.replace('ref: stop', 'ref: halt'),
    live(PASS, { ...stop, action: 'block' }),
  );
  expect(text).toBe(NAMED.replace('ref: stop', 'ref: halt').replace(/log\n$/u, 'block\n'));
});

test('an import finds a rule that live changed by its description, and keeps its proposed ref', async () => {
  const text = await rulesAfter(NAMED, live({ ...PASS, action: 'block' }, STOP));
  expect(text).toBe(NAMED.replace('action: log', 'action: block'));
});

test('an import removes the proposed ref of a deleted rule, and gives it to no new rule', async () => {
  const { texts, removed } = await follow(
    `zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n${NAMED}`,
    live({ ref: id(1), description: 'Something new' }, STOP),
  );
  expect(removed).toEqual([expect.stringContaining('pass (zones/shop.yaml:6)')]);
  expect(texts.get(FILE)).toContain(`- ref: "${id(1)}"\n        description: Something new`);
});

test('an import replaces an old rule id as ref by the id of the rule that was created in its place', async () => {
  const [old, fresh] = [id(0x77), id(1)];
  const text = await rulesAfter(NAMED.replace('ref: pass', `ref: "${old}"`), live(PASS, STOP));
  expect(text).toBe(NAMED.replace('ref: pass', `ref: "${fresh}"`));
});

test('an import keeps the proposed ref of a rule that changed in an ignored field, and takes over that field', async () => {
  const ignored = `      - rule: pass\n        field: /action\n        reason: r\n        until: 2099-12-31\n`;
  const list = `${NAMED}    ignore:\n${ignored}`;
  const text = await rulesAfter(list, live({ ...PASS, action: 'block' }, STOP));
  expect(text).toBe(list.replace('action: log', 'action: block'));
});
