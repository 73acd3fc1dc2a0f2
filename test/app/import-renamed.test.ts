import { expect, test } from 'vitest';

import { FILE, follow, live, rulesAfter } from './followed.ts';

// Rules that got another `ref` live: an import takes them for the same rules, and keeps their comments and their style.

const HEAD = 'zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n';
const RULES = `      # who may pass
      - {ref: one,   action: log,   expression: ssl}   # 1
      - ref: two # 2
        description: Second
        expression: not ssl
        action: log
`;
const TWO = { ref: 'two', description: 'Second', expression: 'not ssl' };

test('an import changes only the ref of a renamed rule whose content is the same', async () => {
  const text = await rulesAfter(RULES, live({ ref: 'uno' }, TWO));
  expect(text).toBe(RULES.replace('ref: one', 'ref: uno'));
});

test('an import finds a renamed rule that moved and changed by its description', async () => {
  const text = await rulesAfter(RULES, live({ ...TWO, ref: 'due', action: 'block' }, { ref: 'one' }));
  expect(text).toBe(`      - ref: due # 2
        description: Second
        expression: not ssl
        action: block
      # who may pass
      - {ref: one,   action: log,   expression: ssl}   # 1
`);
});

test('an import reports a renamed rule with both refs, and not as removed', async () => {
  expect(await follow(HEAD + RULES, live({ ref: 'uno' }, TWO))).toMatchObject({
    removed: [],
    renamed: ['http_request_firewall_custom: one (zones/shop.yaml:6) is called uno live'],
  });
});

test('an import does not guess which of two equal new rules a missing rule became', async () => {
  const { texts, removed, renamed } = await follow(
    HEAD + RULES,
    live({ ref: 'uno' }, { ref: 'eins' }, { ...TWO }),
  );
  expect(renamed).toEqual([]);
  expect(removed).toEqual([expect.stringContaining('one (zones/shop.yaml:6)')]);
  expect(texts.get(FILE)).toMatch(/ref: uno[^]*ref: eins[^]*ref: two/u);
});
