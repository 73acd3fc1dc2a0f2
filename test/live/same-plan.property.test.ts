import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createRuleset, deleteRuleset, updateRuleset } from '../api/ruleset-writes.ts';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import type { ReadClient } from '../../src/api/client.ts';
import { cacheCipher, openCacheFiles } from '../../src/live/cache-files.ts';
import { NO_CACHE } from '../../src/live/ruleset-cache.ts';
import type { RulesetCache } from '../../src/live/ruleset-cache.ts';
import { versionCache } from '../../src/live/version-cache.ts';
import type { JsonObject } from '../../src/data/json.ts';
import type { DesiredScope } from '../../src/model/state.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openWriter } from '../api/open.ts';
import { propertyRuns } from '../property-runs.ts';
import { readLive } from './read-live.ts';
import { custom, desiredScope, entrypoint, executing } from './desired.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED } from './seed.ts';

const WAF = 'http_request_firewall_custom';
const EXPRESSION = 'http.host eq "a"';
/** A rule that is valid in each phase. */
const RULES: ReadonlyMap<string, JsonObject> = new Map([
  [WAF, { action: 'block', expression: EXPRESSION }],
  [
    'http_request_origin',
    { action: 'route', expression: EXPRESSION, action_parameters: { host_header: 'b' } },
  ],
  [
    'http_request_cache_settings',
    { action: 'set_cache_settings', expression: EXPRESSION, action_parameters: { cache: false } },
  ],
  [
    'http_config_settings',
    { action: 'set_config', expression: EXPRESSION, action_parameters: { email_obfuscation: true } },
  ],
]);
const PHASES = [...RULES.keys()];
const ZONE = { kind: 'zone', id: IDS.zone } as const;
const EXECUTE = { action: 'execute', expression: 'true', action_parameters: { id: IDS.zoneExtra } };

/** The new state of a phase: no entry point, an empty one, one with a rule, or one whose rule names another ruleset. */
const states = fc.record({
  phase: fc.constantFrom(...PHASES),
  rules: fc.constantFrom('none', 'empty', 'plain', 'naming'),
});

/** What the files declare: some phases, whose rules may name a ruleset; maybe a custom ruleset; and maybe ownership of all of those. */
const declared = fc.record({
  phases: fc.subarray(PHASES, { minLength: 1 }),
  custom: fc.constantFrom(null, null, 'Extra', 'Nowhere'),
  names: fc.constantFrom(false, false, true),
  all: fc.constantFrom(false, false, false, true),
});

test('makes the same plan with a cache, empty or filled, as without one', async () => {
  const emulated = await startEmulated(SEED);
  const { client: writer } = openWriter(emulated.client.baseUrl, {
    credentials: { kind: 'token', token: 'all-permissions' },
  });
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-same-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = createFakeClock();
  const cipher = cacheCipher('https://service.example', { kind: 'token', token: 'all-permissions' });
  let caches = 0;
  const newCache = (): RulesetCache => {
    caches += 1;
    const warn = (problem: string): never => {
      throw new Error(problem);
    };
    return versionCache({
      files: openCacheFiles({ folder: join(folder, String(caches)), cipher, clock, warn }),
      clock,
      sweepDays: null,
      warn,
    });
  };

  await fc.assert(
    fc.asyncProperty(declared, fc.array(states, { maxLength: 3 }), states, async (wanted, before, change) => {
      const desired = desiredOf(wanted);
      const cache = newCache();
      for (const state of before) {
        await bring(writer, emulated.client, state);
      }
      const first = await planOf(emulated.client, desired, NO_CACHE);
      expect(await planOf(emulated.client, desired, cache)).toEqual(first);
      await emulated.takeRequests();
      expect(await planOf(emulated.client, desired, cache)).toEqual(first);
      // The look-up; the list of the zone or its only entry point; and the account's list, or the zone's if the entry point requires it.
      expect((await emulated.takeRequests()).length).toBeLessThanOrEqual(3);
      await bring(writer, emulated.client, change);
      const then = await planOf(emulated.client, desired, NO_CACHE);
      expect(await planOf(emulated.client, desired, cache)).toEqual(then);
    }),
    // Each run sends some twenty requests.
    { numRuns: Math.ceil(propertyRuns() / 10) },
  );
});

function desiredOf(wanted: {
  readonly phases: readonly string[];
  readonly custom: string | null;
  readonly names: boolean;
  readonly all: boolean;
}): DesiredScope {
  const rules = (phase: string) => (wanted.names && phase === WAF ? [executing(IDS.zoneExtra)] : []);
  return desiredScope(
    `zone:${IDS.zone}`,
    [
      ...wanted.phases.map((phase) => entrypoint(phase, { rules: rules(phase) })),
      ...(wanted.custom === null ? [] : [custom(wanted.custom)]),
    ],
    { rulesetOwnership: wanted.all ? 'all' : 'declared' },
  );
}

async function planOf(client: ReadClient, desired: DesiredScope, cache: RulesetCache) {
  return planScope(desired, await readLive(client, desired, { cache }));
}

/** Brings a phase to the wanted state; the service increments versions. */
async function bring(
  writer: ReturnType<typeof openWriter>['client'],
  reader: ReadClient,
  { phase, rules }: { readonly phase: string; readonly rules: 'none' | 'empty' | 'plain' | 'naming' },
): Promise<void> {
  const there = await getEntrypoint(reader, ZONE, phase);
  if (rules === 'none') {
    await (there === null ? undefined : deleteRuleset(writer, ZONE, there.id));
    return;
  }
  const plain = RULES.get(phase);
  const naming = phase === WAF ? EXECUTE : plain;
  const rule = { empty: undefined, plain, naming }[rules];
  const wanted = rule === undefined ? [] : [rule];
  await (there === null
    ? createRuleset(writer, ZONE, { name: 'default', kind: 'zone', phase, rules: wanted })
    : updateRuleset(writer, ZONE, there.id, { rules: wanted }));
}
