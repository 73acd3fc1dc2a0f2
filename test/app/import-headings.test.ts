import { expect, test } from 'vitest';

import { FILE, follow, live, rulesAfter } from './followed.ts';

// Comments that are headings of a long list of rules: a blank line separates each from its first rule.

const rule = (ref: string): string => `      - { ref: ${ref}, expression: ssl, action: log }\n`;
const BOTS = '      # ---- Bots ----\n\n';
const ADMIN = '\n      # ---- Admin ----\n      # of the shop\n\n';
const LIST = `${BOTS}${rule('a')}${rule('b')}${ADMIN}      # about c\n${rule('c')}${rule('d')}`;

test.each([
  ['the rule before it', ['a', 'c', 'd'], LIST.replace(rule('b'), '')],
  ['its first rule', ['a', 'b', 'd'], LIST.replace(`      # about c\n${rule('c')}`, '')],
  ['the rules around it', ['a', 'd'], `${BOTS}${rule('a')}${ADMIN}${rule('d')}`],
  ['all of its rules', ['a', 'b'], `${BOTS}${rule('a')}${rule('b')}${ADMIN}`],
  ['the first rule of the list', ['b', 'c', 'd'], LIST.replace(rule('a'), '')],
])('an import keeps a heading when it removes %s', async (_, refs, wanted) => {
  expect(await rulesAfter(LIST, live(...refs.map((ref) => ({ ref }))))).toBe(wanted);
});

test('an import moves a heading with its first rule, and puts a new rule before that rule above the heading', async () => {
  expect(await rulesAfter(LIST, live(...['a', 'c', 'b', 'd'].map((ref) => ({ ref }))))).toBe(
    `${BOTS}${rule('a')}${ADMIN}      # about c\n${rule('c')}${rule('b')}${rule('d')}`,
  );
  const text = await rulesAfter(LIST, live(...['a', 'b', 'new', 'c', 'd'].map((ref) => ({ ref }))));
  expect(text.replace(rule('new'), '')).toBe(LIST);
  expect(text.indexOf('ref: new')).toBeLessThan(text.indexOf('Admin'));
});

test('an import removes the last rule of a file with CR LF line ends and no line break at its end', async () => {
  const rules = ['a', 'b'].map(
    (ref) => `      - ref: ${ref}\r\n        expression: ssl\r\n        action: log`,
  );
  const { kept, texts } = await follow(
    `zone: shop.example\r\nentrypoints:\r\n  http_request_firewall_custom:\r\n    rules:\r\n${rules.join('\r\n')}`,
    live({ ref: 'a' }),
  );
  expect(kept).toEqual([]);
  expect(texts.get(FILE)?.endsWith(`rules:\r\n${rules[0]}`)).toBe(true);
});
