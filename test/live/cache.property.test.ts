import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WriteClient } from '../../src/api/client.ts';
import { getEntrypoint, listRulesets } from '../../src/api/rulesets.ts';
import {
  addRule,
  createRuleset,
  deleteRule,
  deleteRuleset,
  updateEntrypoint,
} from '../api/ruleset-writes.ts';
import type { CacheFiles } from '../../src/live/cache-files.ts';
import type { RulesetCache } from '../../src/live/ruleset-cache.ts';
import { versionCache } from '../../src/live/version-cache.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import type { FakeClock } from '../fake-clock.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openWriter } from '../api/open.ts';
import { propertyRuns } from '../property-runs.ts';
import { readLive } from './read-live.ts';
import { custom, desiredScope, entrypoint } from './desired.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED } from './seed.ts';

const SCOPE = { kind: 'zone', id: IDS.zone } as const;
const WAF = 'http_request_firewall_custom';
const PHASES = [WAF, 'http_request_dynamic_redirect', 'http_request_origin'];
const NAMES = ['Extra', 'Other'];

const DESIRED = desiredScope(
  `zone:${IDS.zone}`,
  [...PHASES.map((phase) => entrypoint(phase)), custom('Extra')],
  { rulesetOwnership: 'all' },
);

/** What happens between two runs: somebody else changes something, or time passes. */
type Event =
  | {
      readonly kind: 'phase';
      readonly deed: 'put' | 'add' | 'delete-rule' | 'delete';
      readonly phase: string;
    }
  | { readonly kind: 'custom'; readonly deed: 'create' | 'delete'; readonly name: string }
  | { readonly kind: 'hours'; readonly hours: number };

const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('phase' as const),
    deed: fc.constantFrom('put' as const, 'add' as const, 'delete-rule' as const, 'delete' as const),
    phase: fc.constantFrom(...PHASES),
  }),
  fc.record({
    kind: fc.constant('custom' as const),
    deed: fc.constantFrom('create' as const, 'delete' as const),
    name: fc.constantFrom(...NAMES),
  }),
  fc.record({ kind: fc.constant('hours' as const), hours: fc.integer({ min: 1, max: 30 }) }),
);

const RULES: Readonly<Record<string, object>> = {
  [WAF]: { action: 'log', expression: 'false' },
  http_request_dynamic_redirect: {
    action: 'redirect',
    expression: 'false',
    action_parameters: { from_value: { target_url: { value: 'https://a.example/' }, status_code: 301 } },
  },
  http_request_origin: {
    action: 'route',
    expression: 'false',
    action_parameters: { host_header: 'b.example' },
  },
};

async function happen(event: Event, client: WriteClient, clock: FakeClock): Promise<void> {
  if (event.kind === 'hours') {
    clock.advance(event.hours * 60 * 60 * 1000);
    return;
  }
  if (event.kind === 'custom') {
    const heads = await listRulesets(client, SCOPE);
    const found = heads.find(({ id, name }) => name === event.name && id !== IDS.accountCustom);
    if (event.deed === 'delete' && found !== undefined) {
      await deleteRuleset(client, SCOPE, found.id);
    } else if (event.deed === 'create' && found === undefined) {
      await createRuleset(client, SCOPE, { name: event.name, kind: 'custom', phase: WAF, rules: [] });
    }
    return;
  }
  const rule = { ...RULES[event.phase] };
  const live = await getEntrypoint(client, SCOPE, event.phase);
  const [first] = live?.rules ?? [];
  if (live === null || event.deed === 'put') {
    await updateEntrypoint(client, SCOPE, event.phase, { rules: [rule] });
  } else if (event.deed === 'add') {
    await addRule(client, { scope: SCOPE, rulesetId: live.id }, rule);
  } else if (event.deed === 'delete') {
    await deleteRuleset(client, SCOPE, live.id);
  } else if (first !== undefined) {
    await deleteRule(client, { scope: SCOPE, rulesetId: live.id, ruleId: first.id });
  }
}

function cacheInMemory(clock: FakeClock): RulesetCache {
  const entries = new Map<string, string>();
  const files: CacheFiles = {
    read: async (about) => entries.get(about.join(' ')) ?? null,
    write: async (about, text) => void entries.set(about.join(' '), text),
    remove: async (about) => void entries.delete(about.join(' ')),
  };
  return versionCache({ files, clock, sweepDays: null, warn: expect.unreachable });
}

test('makes the same plan with the cache as without it, whatever others change between runs', async () => {
  const emulated = await startEmulated(SEED);
  const { client } = openWriter(emulated.client.baseUrl, {
    credentials: { kind: 'token', token: 'all-permissions' },
  });
  const planned = async (cache?: RulesetCache): Promise<string> => {
    const live = await readLive(emulated.client, DESIRED, cache === undefined ? {} : { cache });
    return JSON.stringify(planScope(DESIRED, live), null, 1);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(events, { minLength: 1, maxLength: 6 }), async (happened) => {
      const clock = createFakeClock();
      const cache = cacheInMemory(clock);
      for (const event of happened) {
        await happen(event, client, clock);
        expect(await planned(cache)).toBe(await planned());
      }
    }),
    { numRuns: Math.ceil(propertyRuns() / 10) },
  );
});
