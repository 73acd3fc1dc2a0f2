import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateEntrypoint } from '../api/ruleset-writes.ts';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import { isJsonObject } from '../../src/data/json.ts';
import type { DesiredRule } from '../../src/model/rule.ts';
import { contentToWire } from '../../src/model/rule.ts';
import type { Scope } from '../../src/model/scope.ts';
import { byUrgency, plannedWrites } from '../../src/plan/requests/writes.ts';
import { rulesetCases } from '../plan/arbitraries.ts';
import { firewallContents } from '../plan/contents.ts';
import { desiredRule, desiredRuleset } from '../plan/build.ts';
import { propertyRuns } from '../property-runs.ts';
import type { Bench } from './run-against-service.ts';
import {
  blockHosts,
  carryOut,
  carryOutPlan,
  expectConverged,
  forgetRequests,
  memoryJournal,
  openBench,
  plan,
  read,
  requests,
  resetService,
  zone,
} from './run-against-service.ts';

const PHASE = 'http_request_firewall_custom';

let bench: Bench;
let scope: Scope;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  await resetService(bench);
  scope = (await read(bench, zone([]))).scope;
});

const rule = (ref: string, over: Partial<Parameters<typeof desiredRule>[0]> = {}): DesiredRule =>
  desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"`, ...over });

const skip = (ref: string): DesiredRule =>
  rule(ref, { action: 'skip', action_parameters: { ruleset: 'current' }, logging: { enabled: true } });

/** Applies, and returns the writes in the order of their intents in the journal. */
async function intents(desired: Parameters<typeof plan>[1]): Promise<readonly string[]> {
  const { journal, entries } = memoryJournal();
  const outcomes = await carryOut(bench, await plan(bench, desired), { strategy: 'rules', journal });
  expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'done'));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'intent') {
      return [];
    }
    const { write } = entry;
    const { kind, ref } = isJsonObject(write) ? write : {};
    const words = [kind, ref].filter((word) => typeof word === 'string').join(' ');
    return [`${entry.step.split('/').slice(2).join('/') || 'entry point'}: ${words}`];
  });
}

describe('the order of single rule writes', () => {
  it('strengthens protection first and weakens it last, whatever the positions of the rules', async () => {
    await updateEntrypoint(bench.client, scope, PHASE, {
      rules: [rule('old-block'), rule('kept')].map((one) => ({
        ref: one.ref ?? '',
        ...contentToWire(one.content),
      })),
    });
    const desired = zone([desiredRuleset([skip('open'), rule('kept'), rule('shut')])]);
    expect(await intents(desired)).toEqual([
      'entry point: add-rule shut',
      'entry point: add-rule open',
      'entry point: delete-rule',
    ]);
    const live = await getEntrypoint(bench.client, scope, PHASE);
    expect(live?.rules.map(({ ref }) => ref)).toEqual(['open', 'kept', 'shut']);
    await expectConverged(bench, desired);
  });

  it('gives way to one PUT if a managed ruleset moves from one rule to another, since a zone executes it only once', async () => {
    const managed = 'http_request_firewall_managed';
    const run = (ref: string, id: string): DesiredRule =>
      rule(ref, { action: 'execute', expression: 'true', action_parameters: { id } });
    const [one, other] = ['efb7b8c949ac4650a09736fc376e9aee', '4814384a9e5d4991b9815dcfc25d2f1f'] as const;
    await updateEntrypoint(bench.client, scope, managed, {
      rules: [run('a', one), run('b', other)].map(({ ref = '', content }) => ({
        ref,
        ...contentToWire(content),
      })),
    });
    const address = { kind: 'entrypoint', phase: managed } as const;
    const swapped = zone([desiredRuleset([run('a', other), run('b', one)], { address })]);
    expect(await intents(swapped)).toEqual(['entry point: put-ruleset']);
    await expectConverged(bench, swapped);
    const renamed = zone([desiredRuleset([run('c', one), run('a', other)], { address })]);
    expect(await intents(renamed)).toEqual(['entry point: put-ruleset']);
    await expectConverged(bench, renamed);
    const apart = zone([desiredRuleset([run('c', one)], { address })]);
    expect(await intents(apart)).toEqual(['entry point: delete-rule']);
    await expectConverged(bench, apart);
  });

  it('holds across rulesets too, as far as their dependencies allow', async () => {
    const address = { kind: 'custom', phase: PHASE, name: 'Inner' } as const;
    const execute = rule('run', { action: 'execute', action_parameters: { id: 'custom:inner' } });
    const first = zone([
      desiredRuleset([rule('in-1'), rule('in-2')], { address }),
      desiredRuleset([execute, rule('e')]),
    ]);
    await carryOut(bench, await plan(bench, first));
    const second = zone([
      desiredRuleset([rule('in-2'), rule('in-3')], { address }),
      desiredRuleset([execute, rule('f'), skip('open')]),
    ]);
    expect(await intents(second)).toEqual([
      'custom:inner: add-rule in-3',
      'entry point: add-rule f',
      'custom:inner: delete-rule',
      'entry point: add-rule open',
      'entry point: delete-rule',
    ]);
    await expectConverged(bench, second);
  });

  it('deletes before it adds only if the step says so because of the quota', async () => {
    await blockHosts(bench, ['a', 'b']);
    const [step] = (await plan(bench, zone([desiredRuleset([rule('b'), rule('c')])]))).steps;
    if (step?.operation !== 'update') {
      throw new Error('an update was expected');
    }
    const kinds = (over: object) =>
      plannedWrites({ ...step, ...over }, 'rules').map(({ write }) => write.kind);
    expect(kinds({})).toEqual(['add-rule', 'delete-rule']);
    expect(kinds({ deletesFirst: true })).toEqual(['delete-rule', 'add-rule']);
  });

  it('is kept in every plan, which ends in the same rules as a PUT by ids or of whole rules', async () => {
    await fc.assert(
      fc.asyncProperty(rulesetCases(6, firewallContents), async ({ live, desired }) => {
        const states: unknown[] = [];
        for (const way of [
          { strategy: 'rules', untouched: 'by-id' },
          { strategy: 'ruleset', untouched: 'by-id' },
          { strategy: 'ruleset', untouched: 'whole' },
        ] as const) {
          await updateEntrypoint(bench.client, scope, PHASE, { rules: [] });
          const made = await updateEntrypoint(bench.client, scope, PHASE, {
            rules: live.rules.map((one) => ({
              ...(one.ref === one.id ? {} : { ref: one.ref }),
              ...contentToWire(one.content),
            })),
          });
          const theirs = new Map(live.rules.map((one, index) => [one.ref, made.rules[index]?.ref ?? '']));
          const ours = new Map([...theirs].map(([a, b]) => [b, a]));
          const wanted = zone([
            {
              ...desired,
              rules: desired.rules.map((one) => ({
                ...one,
                ref: theirs.get(one.ref ?? '') ?? one.ref ?? '',
              })),
            },
          ]);
          const scopePlan = await plan(bench, wanted);
          const urgencies = scopePlan.steps.flatMap((step) =>
            plannedWrites(step, way.strategy).map(({ urgency }) => urgency),
          );
          expect(urgencies).toEqual([...urgencies].sort(byUrgency));
          const outcomes = await carryOut(bench, scopePlan, way);
          expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'done'));
          const after = await getEntrypoint(bench.client, scope, PHASE);
          states.push(after?.rules.map((one) => [ours.get(one.ref) ?? one.ref, one.content]));
          await expectConverged(bench, wanted);
        }
        expect(states[1]).toEqual(states[0]);
        expect(states[2]).toEqual(states[0]);
      }),
      { numRuns: Math.ceil(propertyRuns() / 4) },
    );
  });
});

describe('the number of requests of an apply', () => {
  it('is three per ruleset, two for the proof of dry runs, and one after a new custom ruleset', async () => {
    const desired = zone([
      desiredRuleset([rule('a'), rule('b')]),
      desiredRuleset([rule('n', { action: 'log' })], {
        address: { kind: 'custom', phase: PHASE, name: 'Another' },
      }),
    ]);
    const scopePlan = await plan(bench, desired);
    await forgetRequests(bench);
    await carryOutPlan(bench, [scopePlan]);
    const sent = await requests(bench);
    expect(sent.filter(({ wrote }) => wrote).length).toBe(scopePlan.steps.length);
    expect(sent.length).toBe(scopePlan.steps.length * 3 + 2 + 1);
    await expectConverged(bench, desired);
  });
});
