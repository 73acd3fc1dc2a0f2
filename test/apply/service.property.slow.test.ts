import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateEntrypoint } from '../api/ruleset-writes.ts';
import type { JsonObject } from '../../src/data/json.ts';
import { canonicalContent } from '../../src/model/normalise.ts';
import { contentToWire } from '../../src/model/rule.ts';
import type { LiveRule, RuleContent } from '../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../src/model/ruleset.ts';
import type { LiveScope } from '../../src/model/state.ts';
import { owns } from '../../src/plan/match/name-rules.ts';
import type { WriteStrategy } from '../../src/plan/requests/writes.ts';
import { rulesetCases } from '../plan/arbitraries.ts';
import { firewallContents, plainly } from '../plan/contents.ts';
import { propertyRuns } from '../property-runs.ts';
import type { Bench } from './run-against-service.ts';
import { converge, forgetRequests, openBench, plan, read, requests, zone } from './run-against-service.ts';

const PHASE = 'http_request_firewall_custom';

let bench: Bench;
let scope: LiveScope['scope'];

beforeAll(async () => {
  bench = await openBench();
  scope = (await read(bench, zone([]))).scope;
});
afterAll(() => bench.close());

/** Makes the service hold these rules, and returns their live refs by their refs. The service sets the ref of an unnamed rule to its id. */
async function establish(live: LiveRuleset): Promise<ReadonlyMap<string, string>> {
  await updateEntrypoint(bench.client, scope, PHASE, { rules: [] });
  const rules = live.rules.map((rule): JsonObject => ({
    ...(rule.ref === rule.id ? {} : { ref: rule.ref }),
    ...contentToWire(rule.content),
  }));
  const made = await updateEntrypoint(bench.client, scope, PHASE, { rules });
  return new Map(live.rules.map((rule, index) => [rule.ref, made.rules[index]?.ref ?? '']));
}

function withRefs(desired: DesiredRuleset, refs: ReadonlyMap<string, string>): DesiredRuleset {
  return {
    ...desired,
    rules: desired.rules.map((rule) => ({ ...rule, ref: refs.get(rule.ref ?? '') ?? rule.ref ?? '' })),
  };
}

function rulesOf(live: LiveScope): readonly LiveRule[] {
  const slot = live.entries[0]?.slot;
  return slot?.kind === 'present' ? slot.ruleset.rules : [];
}

const strategies = fc.constantFrom<WriteStrategy>('auto', 'rules', 'ruleset');
const runs = { numRuns: propertyRuns() };

/** The canonical content of a rule, without regard to the notation of its expression. */
function meaningOf({ content }: { readonly content: RuleContent }): JsonObject {
  return canonicalContent({ ...content, expression: plainly(content.expression) });
}

describe('apply through the embedded service', () => {
  it('makes live equal to desired, keeps ids, touches no foreign rule, and leaves nothing to do', async () => {
    await fc.assert(
      fc.asyncProperty(rulesetCases(7, firewallContents), strategies, async (given, strategy) => {
        const refs = await establish(given.live);
        const desired = withRefs(given.desired, refs);
        const wanted = zone([desired]);
        const before = rulesOf(await read(bench, wanted));
        const after = rulesOf(await converge(bench, wanted, { strategy }));

        const ours = after.filter((rule) => owns(desired.ownership, rule));
        expect(ours.map((rule) => rule.ref)).toEqual(desired.rules.map((rule) => rule.ref));
        expect(ours.map(meaningOf)).toEqual(desired.rules.map(meaningOf));

        const ids = new Map(before.map((rule) => [rule.ref, rule.id]));
        expect(after.filter((rule) => ids.has(rule.ref)).map((rule) => rule.id)).toEqual(
          after.flatMap((rule) => ids.get(rule.ref) ?? []),
        );

        const foreign = (rules: readonly LiveRule[]) =>
          rules.filter((rule) => !owns(desired.ownership, rule));
        expect(foreign(after)).toEqual(foreign(before));
        expect((await plan(bench, wanted)).steps).toEqual([]);
      }),
      runs,
    );
  });

  it('ends in the same state with the strategies "rules" and "ruleset"', async () => {
    await fc.assert(
      fc.asyncProperty(rulesetCases(7, firewallContents), async (given) => {
        const states: unknown[] = [];
        for (const strategy of ['rules', 'ruleset'] as const) {
          const refs = await establish(given.live);
          const desired = withRefs(given.desired, refs);
          const back = new Map([...refs].map(([ours, theirs]) => [theirs, ours]));
          const after = rulesOf(await converge(bench, zone([desired]), { strategy }));
          states.push(after.map((rule) => [back.get(rule.ref) ?? rule.ref, rule.content]));
        }
        expect(states[1]).toEqual(states[0]);
      }),
      { numRuns: Math.ceil(propertyRuns() / 2) },
    );
  });

  it('plans without writing anything', async () => {
    const desired = zone([
      {
        address: { kind: 'entrypoint', phase: PHASE },
        presence: 'present',
        rules: [],
        ownership: { kind: 'all' },
        place: 'any',
        cause: { file: 'x', line: 1, column: 1 },
      },
    ]);
    await forgetRequests(bench);
    await plan(bench, desired);
    const sent = await requests(bench);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((request) => request.method !== 'GET' || request.wrote)).toEqual([]);
  });
});
