import { describe, expect, test } from 'vitest';

import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import { id, liveRuleset } from '../plan/build.ts';
import { FILE, follow, inPhase, live, rulesAfter } from './followed.ts';

// Values that a file says once and repeats by alias, and that change live in some of their places.

const THREE = `      - ref: a
        description: &d Old # why
        expression: ssl
        action: log
      - { ref: b, description: *d, expression: ssl, action: log }
      - ref: c
        description: *d # again
        expression: ssl
        action: log
`;
const [OLD, NEW] = ['Old', 'New'];

describe('a value that is repeated by alias', () => {
  test('changes where the anchor stands: the first of the others gets the value and the anchor', async () => {
    const whole = live(
      { ref: 'a', description: NEW },
      { ref: 'b', description: OLD },
      { ref: 'c', description: OLD },
    );
    expect(await rulesAfter(THREE, whole)).toBe(
      THREE.replace('&d Old', 'New').replace('{ ref: b, description: *d', '{ ref: b, description: &d Old'),
    );
  });

  test('changes where an alias stands: that one says it itself', async () => {
    const whole = live(
      { ref: 'a', description: OLD },
      { ref: 'b', description: OLD },
      { ref: 'c', description: NEW },
    );
    expect(await rulesAfter(THREE, whole)).toBe(THREE.replace('*d # again', 'New # again'));
  });

  test('changes in all places to the same: only the anchor says it', async () => {
    const whole = live(
      { ref: 'a', description: NEW },
      { ref: 'b', description: NEW },
      { ref: 'c', description: NEW },
    );
    expect(await rulesAfter(THREE, whole)).toBe(THREE.replace('Old', 'New'));
  });

  test('changes in some of them: the others say it themselves', async () => {
    const whole = live(
      { ref: 'a', description: NEW },
      { ref: 'b', description: OLD },
      { ref: 'c', description: NEW },
    );
    expect(await rulesAfter(THREE, whole)).toBe(
      THREE.replace('Old', 'New').replace('{ ref: b, description: *d', '{ ref: b, description: Old'),
    );
  });

  test('goes with its rule, and another one is left: that one says it, without a name', async () => {
    const whole = live({ ref: 'b', description: NEW }, { ref: 'c', description: OLD });
    expect(await rulesAfter(THREE, whole))
      .toBe(`      - { ref: b, description: New, expression: ssl, action: log }
      - ref: c
        description: Old # again
        expression: ssl
        action: log
`);
  });

  test('comes to stand behind an alias of it: each says it itself', async () => {
    const whole = live(
      { ref: 'c', description: OLD },
      { ref: 'a', description: OLD },
      { ref: 'b', description: OLD },
    );
    const text = await rulesAfter(THREE, whole);
    expect(text).not.toMatch(/[&*]d/u);
    expect(text.match(/description: Old/gu)).toHaveLength(3);
    expect(text).toContain('description: Old # why\n');
  });
});

const SKIPS = `      - ref: a
        expression: ssl
        action: skip
        action_parameters: &all # what is skipped
          # both
          phases: [http_ratelimit, http_request_sbfm]
          products: [bic]
      - ref: b
        expression: ssl
        action: skip
        action_parameters: *all
        enabled: false
`;

function skips(first: readonly string[], second: readonly string[]): WholeScope {
  const of = (products: readonly string[]) => ({
    phases: ['http_ratelimit', 'http_request_sbfm'],
    products: [...products],
  });
  return live(
    { ref: 'a', action: 'skip', action_parameters: of(first) },
    { ref: 'b', action: 'skip', action_parameters: of(second), enabled: false },
  );
}

describe('a mapping that is repeated by alias', () => {
  test('changes where the anchor stands: the other is written out', async () => {
    expect(await rulesAfter(SKIPS, skips(['bic', 'hot'], ['bic']))).toBe(
      SKIPS.replace(': &all #', ': #')
        .replace('[bic]', '[bic, hot]')
        .replace(
          ': *all\n',
          ':\n          phases: [http_ratelimit, http_request_sbfm]\n          products: [bic]\n',
        ),
    );
  });

  test('changes where the alias stands: that is written out', async () => {
    expect(await rulesAfter(SKIPS, skips(['bic'], ['hot']))).toBe(
      SKIPS.replace(
        ': *all\n',
        ':\n          phases: [http_ratelimit, http_request_sbfm]\n          products: [hot]\n',
      ),
    );
  });

  test('changes in both', async () => {
    expect(await rulesAfter(SKIPS, skips(['hot'], ['hot']))).toBe(SKIPS.replace('[bic]', '[hot]'));
  });
});

test('a rule and a list of rules that are repeated follow as well', async () => {
  const before = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules: &rules
      # the first
      - &rule
        ref: a
        expression: ssl
        action: log
      - { ref: b, expression: ssl, action: log }
rulesets:
  - name: Mine
    phase: http_request_firewall_custom
    rules: *rules
  - name: Yours
    phase: http_request_firewall_custom
    rules: [*rule]
`;
  const [custom] = live({ ref: 'a', expression: 'not ssl' }, { ref: 'b' }).rulesets;
  const same = live({ ref: 'a' }, { ref: 'b' }).rulesets[0]?.rules ?? [];
  const rulesets = [
    ...(custom === undefined ? [] : [custom]),
    liveRuleset(same, { id: id(0x31), kind: 'custom', name: 'Mine' }),
    liveRuleset(same.slice(0, 1), { id: id(0x32), kind: 'custom', name: 'Yours' }),
  ];
  const whole = { ...live(), rulesets };
  const { texts, kept } = await follow(before, whole);
  expect(kept).toEqual([]);
  expect(texts.get(FILE)).toBe(`zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      # the first
      - ref: a
        expression: not ssl
        action: log
      - { ref: b, expression: ssl, action: log }
rulesets:
  - name: Mine
    phase: http_request_firewall_custom
    rules:
      - ref: a
        expression: ssl
        action: log
      - ref: b
        expression: ssl
        action: log
  - name: Yours
    phase: http_request_firewall_custom
    rules: [{ ref: a, expression: ssl, action: log }]
`);
});

test('aliases inside of what others repeat, and in rules that go', async () => {
  const text = `zone: shop.example
vars:
  ttl: &ttl 86400
  name: &name Images
entrypoints:
  http_request_cache_settings:
    rules:
      - ref: a
        description: *name
        expression: ssl
        action: set_cache_settings
        action_parameters:
          edge_ttl: &edge { mode: override_origin, default: *ttl }
          cache: true
      - ref: gone
        expression: ssl
        action: set_cache_settings
        action_parameters: { edge_ttl: *edge, cache: true }
`;
  const whole = live({
    ref: 'a',
    description: 'Images',
    action: 'set_cache_settings',
    action_parameters: { cache: true, edge_ttl: { mode: 'override_origin', default: 3600 } },
  });
  const { texts } = await follow(text, inPhase(whole, 'http_request_cache_settings'));
  expect(texts.get(FILE)).toBe(
    text.slice(0, text.indexOf('      - ref: gone')).replace('&edge ', '').replace('*ttl', '3600'),
  );
});
