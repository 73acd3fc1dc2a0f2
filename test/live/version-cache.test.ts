import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cacheCipher, openCacheFiles } from '../../src/live/cache-files.ts';
import { pruneCache, pruneCacheDaily } from '../../src/live/prune-cache.ts';
import { readScope } from '../../src/live/read-scopes.ts';
import { NO_CACHE } from '../../src/live/ruleset-cache.ts';
import type { RulesetCache } from '../../src/live/ruleset-cache.ts';
import { isSweepDay, versionCache } from '../../src/live/version-cache.ts';
import type { FakeClock } from '../fake-clock.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openWriter } from '../api/open.ts';
import { getRuleset, listRulesets } from '../../src/api/rulesets.ts';
import { addRule } from '../api/ruleset-writes.ts';
import { readLive } from './read-live.ts';
import { custom, desiredScope, entrypoint } from './desired.ts';
import type { Emulated } from './emulated.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED } from './seed.ts';

const WAF = 'http_request_firewall_custom';
const LIMITS = 'http_ratelimit';
const DAY_MS = 24 * 60 * 60 * 1000;

interface World {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly told: string[];
  readonly cache: (token?: string, sweepDays?: number) => RulesetCache;
}

async function world(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-cache-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = createFakeClock();
  const told: string[] = [];
  const warn = (problem: string): void => {
    told.push(problem);
  };
  return {
    folder,
    clock,
    told,
    cache: (token = 'all-permissions', sweepDays) => {
      const cipher = cacheCipher('https://service.example', { kind: 'token', token });
      const files = openCacheFiles({ folder, cipher, clock, warn });
      return versionCache({ files, clock, sweepDays: sweepDays ?? null, warn });
    },
  };
}

const DESIRED = desiredScope(`zone:${IDS.zone}`, [entrypoint(WAF), entrypoint(LIMITS), custom('Extra')]);

/** Reads the scope. Returns the requests for single rulesets, without look-ups and lists. */
async function readsOf(
  emulated: Emulated,
  cache: RulesetCache,
): Promise<{ readonly live: unknown; readonly reads: readonly string[] }> {
  await emulated.takeRequests();
  const live = await readLive(emulated.client, DESIRED, { cache });
  const sent = await emulated.takeRequests();
  return { live, reads: sent.filter((request) => /\/rulesets\/./.test(request)) };
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'v1'), { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('the version cache', () => {
  test('saves the reads of rulesets that the list shows unchanged or that were proven absent', async () => {
    const emulated = await startEmulated(SEED);
    const { cache } = await world();
    const cold = await readsOf(emulated, cache());
    const warm = await readsOf(emulated, cache());
    expect(cold.reads).toHaveLength(3);
    expect(warm.reads).toEqual([]);
    expect(warm.live).toEqual(cold.live);
  });

  test('reads only the ruleset that changed', async () => {
    const emulated = await startEmulated(SEED);
    const { cache } = await world();
    await readsOf(emulated, cache());
    await change(emulated);
    const { live, reads } = await readsOf(emulated, cache());
    expect(reads).toEqual([`GET /client/v4/zones/${IDS.zone}/rulesets/${IDS.entrypoint}`]);
    expect(live).toEqual(await readLive(emulated.client, DESIRED));
  });

  test('discards a proof of absence if a listed ruleset of the phase disappears, but not if its version changes', async () => {
    const emulated = await startEmulated(SEED);
    const { cache } = await world();
    const { scope } = await readLive(emulated.client, DESIRED);
    const [seen = raise(), ...others] = await listRulesets(emulated.client, scope);
    const managed = { ...seen, phase: LIMITS };
    const first = cache();
    await first.keepAbsent(scope, LIMITS, [managed, ...others]);
    const moved = { ...managed, version: '99' };
    expect(await first.knowsAbsent(scope, LIMITS, [moved, ...others.slice(1)])).toBe(true);
    expect(await first.knowsAbsent(scope, LIMITS, others)).toBe(false);
  });

  test('discards a proof of absence when an entry point of the phase is seen', async () => {
    const emulated = await startEmulated(SEED);
    const { cache } = await world();
    const { scope } = await readLive(emulated.client, DESIRED);
    const listed = await listRulesets(emulated.client, scope);
    await cache().keepAbsent(scope, LIMITS, listed);
    const ruleset = await getRuleset(emulated.client, scope, IDS.entrypoint);
    await cache().keep(scope, ruleset);
    expect(await cache().knowsAbsent(scope, LIMITS, listed)).toBe(true);
    await cache().keep(scope, { ...ruleset, phase: LIMITS });
    expect(await cache().knowsAbsent(scope, LIMITS, listed)).toBe(false);
  });

  test('trusts a proof of absence for a day', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, clock } = await world();
    await readsOf(emulated, cache());
    clock.advance(DAY_MS);
    const { reads } = await readsOf(emulated, cache());
    expect(reads).toEqual([`GET /client/v4/zones/${IDS.zone}/rulesets/phases/${LIMITS}/entrypoint`]);
  });

  test('binds a proof of absence without a list to the first list that it is asked about', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, clock } = await world();
    const { scope } = await readLive(emulated.client, DESIRED);
    const [seen = raise(), ...others] = await listRulesets(emulated.client, scope);
    const managed = { ...seen, kind: 'managed' as const, phase: LIMITS };
    await cache().keepAbsent(scope, LIMITS, null);
    clock.advance(DAY_MS - 1);
    expect(await cache().knowsAbsent(scope, LIMITS, [managed, ...others])).toBe(true);
    expect(await cache().knowsAbsent(scope, LIMITS, others)).toBe(false);
    clock.advance(1);
    expect(await cache().knowsAbsent(scope, LIMITS, [managed, ...others])).toBe(false);
  });

  test('shows nothing to other credentials, and stores nothing in plain text', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, folder, told } = await world();
    await readsOf(emulated, cache());
    const { reads } = await readsOf(emulated, cache('another-token'));
    expect(reads).toHaveLength(3);
    expect(told).toEqual([]);
    for (const file of await entriesOf(folder)) {
      const bytes = await readFile(file, 'latin1');
      expect(bytes).not.toMatch(/block|expression|all-permissions/);
      expect(file).not.toContain(IDS.entrypoint);
    }
  });

  test('ignores damaged entries and entries in the place of others, and warns once', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, folder, told } = await world();
    const cold = await readsOf(emulated, cache());
    const [first = '', ...others] = await entriesOf(folder);
    const foreign = await readFile(first);
    for (const file of others) {
      await writeFile(file, foreign);
    }
    await writeFile(first, 'no entry');
    const again = await readsOf(emulated, cache());
    expect(again.live).toEqual(cold.live);
    expect(again.reads).toHaveLength(3);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('is damaged or was written by somebody else');
    expect((await readsOf(emulated, cache())).reads).toEqual([]);
  });

  test('does not fail a run if its folder cannot be used', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, folder, told } = await world();
    await writeFile(join(folder, 'v1'), 'a file where a folder should be');
    expect((await readsOf(emulated, cache())).reads).toHaveLength(3);
    expect(told).toHaveLength(1);
  });
});

describe('several entry points', () => {
  const PLAIN = desiredScope(`zone:${IDS.zone}`, [
    entrypoint(WAF),
    entrypoint(LIMITS),
    entrypoint('http_request_origin'),
  ]);
  const LIST = `GET /client/v4/zones/${IDS.zone}/rulesets`;

  async function requestsOf(emulated: Emulated, cache: RulesetCache): Promise<readonly string[]> {
    await emulated.takeRequests();
    await readScope(emulated.client, PLAIN, { cache });
    const sent = (await emulated.takeRequests()).filter((request) => request.includes('/rulesets'));
    return sent.map((request) => request.replace(`${LIST}/phases/`, '').replace(/[?].*/, '')).sort();
  }

  test('are read without the list if they are not cached, and by the list alone afterwards', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, clock } = await world();
    const cold = [LIMITS, WAF, 'http_request_origin'].map((phase) => `${phase}/entrypoint`).sort();
    expect(await requestsOf(emulated, cache())).toEqual(cold);
    expect(await cache().estimateRequests(PLAIN)).toBe(1);
    expect(await requestsOf(emulated, cache())).toEqual([LIST]);
    await change(emulated);
    expect(await requestsOf(emulated, cache())).toEqual([LIST, `${LIST}/${IDS.entrypoint}`]);
    clock.advance(DAY_MS);
    expect(await cache().estimateRequests(PLAIN)).toBe(3);
    expect(await requestsOf(emulated, cache())).toEqual(cold);
    expect(await requestsOf(emulated, cache('all-permissions', 1))).toEqual(cold);
    expect(await requestsOf(emulated, NO_CACHE)).toEqual(cold);
  });

  test('are cached as far as they could be read', async () => {
    const emulated = await startEmulated(SEED);
    const limited = { ...emulated, client: emulated.clientWith('waf-only') };
    const { cache } = await world();
    expect(await requestsOf(limited, cache())).toHaveLength(3);
    expect(await cache().estimateRequests(PLAIN)).toBe(2);
    expect(await requestsOf(limited, cache())).toEqual([LIST, 'http_request_origin/entrypoint']);
  });

  test('are reported if they changed without a new version', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, told } = await world();
    const live = await readLive(emulated.client, PLAIN, { cache: cache() });
    const { scope } = live;
    const ruleset = await getRuleset(emulated.client, scope, IDS.entrypoint);
    await cache().keep(scope, { ...ruleset, rules: [] });
    await requestsOf(emulated, cache('all-permissions', 1));
    expect(told).toEqual([expect.stringContaining('its version 7 did not move')]);
  });
});

describe('the estimate of the requests of the next reading', () => {
  test('follows from the reading before', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, clock } = await world();
    expect(await cache().estimateRequests(DESIRED)).toBeNull();
    await readsOf(emulated, cache());
    expect(await cache().estimateRequests(DESIRED)).toBe(1);
    const more = { ...DESIRED, rulesets: [...DESIRED.rulesets, entrypoint('http_request_origin')] };
    expect(await cache().estimateRequests(more)).toBe(2);
    expect(await cache().estimateRequests({ ...DESIRED, rulesets: [entrypoint(WAF)] })).toBe(1);
    expect(await cache('another-token').estimateRequests(DESIRED)).toBeNull();
    expect(await cache('all-permissions', 1).estimateRequests(DESIRED)).toBeNull();
    clock.advance(DAY_MS);
    expect(await cache().estimateRequests(DESIRED)).toBe(2);
  });

  test('is not renewed by a reading that reads no ruleset', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, clock } = await world();
    await readsOf(emulated, cache());
    clock.advance(DAY_MS - 1000);
    await readsOf(emulated, cache());
    clock.advance(1000);
    expect(await cache().estimateRequests(DESIRED)).toBe(2);
  });
});

describe('a sweep', () => {
  test('reads each scope in full on one day of the period', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, clock } = await world();
    await readsOf(emulated, cache());
    const counts: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      counts.push((await readsOf(emulated, cache('all-permissions', 7))).reads.length);
      clock.advance(DAY_MS);
    }
    expect(counts.filter((count) => count === 3)).toHaveLength(1);
  });

  test('reads about an equal share of the scopes each day', () => {
    const scopes = Array.from({ length: 700 }, (_, index) => `scope-${index}`);
    for (let day = 20_000; day < 20_007; day += 1) {
      const due = scopes.filter((scope) => isSweepDay(scope, day, 7)).length;
      expect(due).toBeGreaterThan(60);
      expect(due).toBeLessThan(140);
    }
  });

  test('reports a ruleset that changed without a new version', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, told } = await world();
    const { scope } = await readLive(emulated.client, DESIRED, { cache: cache() });
    const ruleset = await getRuleset(emulated.client, scope, IDS.entrypoint);
    const sweeping = cache('all-permissions', 1);
    await sweeping.keep(scope, ruleset);
    expect(told).toEqual([]);
    await sweeping.keep(scope, { ...ruleset, rules: [] });
    expect(told).toEqual([
      `zone:a.example: ruleset ${IDS.entrypoint} changed, but its version ${ruleset.version} did not move; use --no-cache until this is understood`,
    ]);
  });
});

describe('pruning', () => {
  test('removes entries beyond a size, and entries that were not used for long', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, folder, clock } = await world();
    clock.advance(Date.now() - clock.now());
    await readsOf(emulated, cache());
    expect(await pruneCache(folder, clock, { maxAgeMs: Infinity, maxBytes: Infinity })).toMatchObject({
      removed: 0,
      kept: 4,
    });
    const { bytes } = await pruneCache(folder, clock, { maxAgeMs: Infinity, maxBytes: Infinity });
    const files = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name));
    const [oldest = ''] = await files();
    const hourAgo = new Date(clock.now() - 3_600_000);
    await utimes(oldest, hourAgo, hourAgo);
    expect(await pruneCache(folder, clock, { maxAgeMs: Infinity, maxBytes: bytes - 1 })).toMatchObject({
      removed: 1,
      kept: 3,
    });
    expect(await files()).not.toContain(oldest);
    clock.advance(31 * DAY_MS);
    expect(await pruneCache(folder, clock, { maxAgeMs: 30 * DAY_MS, maxBytes: Infinity })).toEqual({
      removed: 3,
      kept: 0,
      bytes: 0,
    });
  });

  test('is done by the daily call once entries are too old', async () => {
    const emulated = await startEmulated(SEED);
    const { cache, folder, clock } = await world();
    clock.advance(Date.now() - clock.now());
    await readsOf(emulated, cache());
    await pruneCacheDaily(folder, clock);
    clock.advance(31 * DAY_MS);
    await pruneCacheDaily(folder, clock);
    expect(await entriesOf(folder)).toEqual([]);
  });
});

async function change(emulated: Emulated): Promise<void> {
  const { client } = openWriter(emulated.client.baseUrl, {
    credentials: { kind: 'token', token: 'all-permissions' },
  });
  const scope = { kind: 'zone', id: IDS.zone } as const;
  await addRule(client, { scope, rulesetId: IDS.entrypoint }, { action: 'log', expression: 'false' });
}

function raise(): never {
  throw new Error('the list is empty');
}
