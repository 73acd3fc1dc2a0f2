import { expect, test } from 'vitest';
import { redactingCache } from '../../src/live/redacting-cache.ts';
import { NO_CACHE } from '../../src/live/ruleset-cache.ts';
import type { RulesetCache } from '../../src/live/ruleset-cache.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';

const SCOPE = {
  kind: 'zone',
  id: 'a'.repeat(32),
  name: 'shop.example',
  accountId: 'd'.repeat(32),
} as const;
const VALUES = [{ reference: '<sensitive:SECRET>', value: 'secret/4711' }];

function ruleset(value: string): LiveRuleset {
  const content = {
    action: 'rewrite',
    expression: 'true',
    description: '',
    enabled: true,
    action_parameters: { headers: { X: { operation: 'set', value } } },
  };
  return {
    id: 'b'.repeat(32),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_late_transform',
    version: '1',
    lastUpdated: '2030-01-01T00:00:00Z',
    rules: [{ id: 'c'.repeat(32), ref: 'say', content }],
  };
}

/** A cache in memory that holds one ruleset at most. */
function cacheWith(kept: LiveRuleset | null): { readonly cache: RulesetCache; held: LiveRuleset | null } {
  const state = { held: kept };
  const cache: RulesetCache = {
    ...NO_CACHE,
    find: () => Promise.resolve(state.held),
    keep: (_scope, one) => {
      state.held = one;
      return Promise.resolve();
    },
    forget: () => {
      state.held = null;
      return Promise.resolve();
    },
  };
  return Object.assign(state, { cache });
}

test.each(['Bearer secret/4711', 'Bearer <sensitive:SECRET>', '<sensitive>'])(
  'neither stores nor returns a ruleset that holds a sensitive value: %s',
  async (text) => {
    const before = cacheWith(ruleset(text));
    const cache = redactingCache(before.cache, VALUES);
    expect(await cache.find(SCOPE, ruleset(text))).toBeNull();
    expect(before.held).toBeNull();
    const older = cacheWith(ruleset('of before'));
    await redactingCache(older.cache, VALUES).keep(SCOPE, ruleset(text));
    expect(older.held).toBeNull();
  },
);

test('stores and returns all other rulesets', async () => {
  const state = cacheWith(null);
  const cache = redactingCache(state.cache, VALUES);
  await cache.keep(SCOPE, ruleset('public'));
  expect(state.held).toEqual(ruleset('public'));
  expect(await cache.find(SCOPE, ruleset('public'))).toEqual(ruleset('public'));
});
