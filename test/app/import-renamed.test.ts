import { expect, test } from 'vitest';

import { FILE, follow, live, rulesAfter } from './followed.ts';

// Rules that somebody gave another `ref` live: they are the same rules, with their comments and their style.

const HEAD = 'zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n';
const RULES = `      # who may pass
      - {ref: one,   action: log,   expression: ssl}   # 1
      - ref: two # 2
        description: Second
        expression: not ssl
        action: log
`;
const TWO = { ref: 'two', description: 'Second', expression: 'not ssl' };

test('one that says the same as before', async () => {
  const text = await rulesAfter(RULES, live({ ref: 'uno' }, TWO));
  expect(text).toBe(RULES.replace('ref: one', 'ref: uno'));
});

test('one that has its description still, also at another place', async () => {
  const text = await rulesAfter(RULES, live({ ...TWO, ref: 'due', action: 'block' }, { ref: 'one' }));
  expect(text).toBe(`      - ref: due # 2
        description: Second
        expression: not ssl
        action: block
      # who may pass
      - {ref: one,   action: log,   expression: ssl}   # 1
`);
});

test('is named with both names, and is none of those that go', async () => {
  expect(await follow(HEAD + RULES, live({ ref: 'uno' }, TWO))).toMatchObject({
    removed: [],
    renamed: ['http_request_firewall_custom: one (zones/shop.yaml:6) is called uno live'],
  });
});

test('one of which there are two is not guessed', async () => {
  const { texts, removed, renamed } = await follow(
    HEAD + RULES,
    live({ ref: 'uno' }, { ref: 'eins' }, { ...TWO }),
  );
  expect(renamed).toEqual([]);
  expect(removed).toEqual([expect.stringContaining('one (zones/shop.yaml:6)')]);
  expect(texts.get(FILE)).toMatch(/ref: uno[^]*ref: eins[^]*ref: two/u);
});
