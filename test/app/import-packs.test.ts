import { expect, test } from 'vitest';

import { FILE, follow, live } from './followed.ts';

// No file can declare a rule between the rules of a pack, because one `use` stands for all of them.

const PACK = `pack: bots
rules:
  - { ref: bot-a, expression: ssl, action: log }
  - { ref: bot-b, expression: ssl, action: log }
  - { ref: bot-c, expression: ssl, action: log }
`;
const TEXT = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: first, expression: ssl, action: log } # 1
      - use: bots # 2
`;

function liveAs(...refs: readonly string[]) {
  return live(...refs.map((ref) => ({ ref })));
}

test('an import puts a live rule from between pack rules behind the use, and reports that the next apply moves it', async () => {
  const { texts, kept } = await follow(TEXT, liveAs('first', 'bot-a', 'bot-b', 'mid', 'bot-c'), PACK);
  expect(texts.get(FILE)).toBe(`${TEXT}      - ref: mid\n        expression: ssl\n        action: log\n`);
  expect(kept).toEqual([
    'http_request_firewall_custom: live, mid stands between rules of the pack bots (zones/shop.yaml:6), which no file can say: the next apply moves mid',
  ]);
});

test('an import reports the pack rules when those are what the next apply moves', async () => {
  const { kept } = await follow(TEXT, liveAs('first', 'bot-a', 'x', 'y', 'bot-b', 'z', 'mid', 'bot-c'), PACK);
  expect(kept).toEqual([
    'http_request_firewall_custom: live, x, y, z, mid stand between rules of the pack bots (zones/shop.yaml:6), which no file can say: the next apply moves bot-b, bot-c',
  ]);
});
