import { describe, expect, test } from 'vitest';

import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import { id, liveRuleset } from '../plan/build.ts';
import { FILE, follow, inPhase, live, rulesAfter } from './followed.ts';

// An import into a file that writes a value once, with an anchor, and repeats it by alias, when live changes some of the uses.

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

describe('an import of a scalar that is repeated by alias', () => {
  test('moves the anchor and the old value to the first alias when only the anchored rule changed', async () => {
    const whole = live(
      { ref: 'a', description: NEW },
      { ref: 'b', description: OLD },
      { ref: 'c', description: OLD },
    );
    expect(await rulesAfter(THREE, whole)).toBe(
      THREE.replace('&d Old', 'New').replace('{ ref: b, description: *d', '{ ref: b, description: &d Old'),
    );
  });

  test('writes the new value in place of an alias when only that rule changed', async () => {
    const whole = live(
      { ref: 'a', description: OLD },
      { ref: 'b', description: OLD },
      { ref: 'c', description: NEW },
    );
    expect(await rulesAfter(THREE, whole)).toBe(THREE.replace('*d # again', 'New # again'));
  });

  test('changes only the anchored value when all rules changed to the same value', async () => {
    const whole = live(
      { ref: 'a', description: NEW },
      { ref: 'b', description: NEW },
      { ref: 'c', description: NEW },
    );
    expect(await rulesAfter(THREE, whole)).toBe(THREE.replace('Old', 'New'));
  });

  test('gives the changed value to the anchor and writes out the unchanged use when only some rules changed', async () => {
    const whole = live(
      { ref: 'a', description: NEW },
      { ref: 'b', description: OLD },
      { ref: 'c', description: NEW },
    );
    expect(await rulesAfter(THREE, whole)).toBe(
      THREE.replace('Old', 'New').replace('{ ref: b, description: *d', '{ ref: b, description: Old'),
    );
  });

  test('writes the value out, without an anchor, when the anchored rule is gone and one use is left', async () => {
    const whole = live({ ref: 'b', description: NEW }, { ref: 'c', description: OLD });
    expect(await rulesAfter(THREE, whole))
      .toBe(`      - { ref: b, description: New, expression: ssl, action: log }
      - ref: c
        description: Old # again
        expression: ssl
        action: log
`);
  });

  test('writes the value out everywhere when a rule with an alias moves before the anchored rule', async () => {
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

describe('an import of a mapping that is repeated by alias', () => {
  test('drops the anchor and writes the alias out when only the anchored mapping changed', async () => {
    expect(await rulesAfter(SKIPS, skips(['bic', 'hot'], ['bic']))).toBe(
      SKIPS.replace(': &all #', ': #')
        .replace('[bic]', '[bic, hot]')
        .replace(
          ': *all\n',
          ':\n          phases: [http_ratelimit, http_request_sbfm]\n          products: [bic]\n',
        ),
    );
  });

  test('writes the alias out when only its rule changed', async () => {
    expect(await rulesAfter(SKIPS, skips(['bic'], ['hot']))).toBe(
      SKIPS.replace(
        ': *all\n',
        ':\n          phases: [http_ratelimit, http_request_sbfm]\n          products: [hot]\n',
      ),
    );
  });

  test('changes only the anchored mapping when both rules changed alike', async () => {
    expect(await rulesAfter(SKIPS, skips(['hot'], ['hot']))).toBe(SKIPS.replace('[bic]', '[hot]'));
  });
});

test('an import writes out a rule and a list of rules that are repeated by alias when live changes one use', async () => {
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

test('an import drops anchors of deleted rules and replaces a changed alias inside an anchored mapping', async () => {
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
