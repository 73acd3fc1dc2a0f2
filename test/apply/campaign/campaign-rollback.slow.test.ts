import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.ts';
import { isInDoubt } from '../../../src/model/outcome.ts';
import { contentToWire } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { propertyRuns } from '../../property-runs.ts';
import type { Bench } from '../run-against-service.ts';
import { carryOut, openBench, plan } from '../run-against-service.ts';
import type { CampaignPlan } from './campaign-plans.ts';
import { PLANS } from './campaign-plans.ts';
import type { Disturbance } from './campaign-run.ts';
import { DISTURBANCES, applyDisturbed, doubtsInVain, prepare, rulesetsOf, tellsOf } from './campaign-run.ts';

// The fault campaign with `--on-failure rollback`: after a failure the live state is what it was before, except for what the report names.
// Runs about a quarter of RULEWRIGHT_PROPERTY_RUNS cases, and all of them from 10,000 on.

interface Case {
  readonly given: CampaignPlan;
  readonly disturbances: ReadonlyMap<number, Disturbance>;
}

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const isUndone = ({ kind }: Outcome): boolean => kind !== 'done' && kind !== 'skipped';

/** A creation of a custom ruleset whose answer is lost is in doubt: it is not sent again, since that could create two. */
const isLostCreation = (outcome: Outcome): boolean => isInDoubt(outcome) && outcome.step.includes('/custom:');

/** A ruleset in a form to compare; with `ids`, including its own id and those of its rules. */
function saying({ id, kind, phase, name, description, rules }: LiveRuleset, ids: boolean) {
  return {
    place: `${kind} ${phase} ${name}`,
    description,
    id: ids ? id : null,
    rules: rules.map((rule) => ({
      ref: rule.ref,
      id: ids ? rule.id : null,
      content: contentToWire(rule.content),
    })),
  };
}

/** Rulesets in a form to compare. Without `ids`, the ids of executed rulesets in action parameters are replaced by names too. */
function comparable(rulesets: readonly LiveRuleset[], ids: boolean): unknown {
  const names = new Map(rulesets.map((one) => [one.id, one.name]));
  const text = JSON.stringify(rulesets.map((one) => saying(one, ids)));
  return ids ? text : [...names].reduce((all, [id, name]) => all.replaceAll(id, `the id of ${name}`), text);
}

interface Checked {
  readonly result: string;
  readonly problems: readonly string[];
}

async function check({ given, disturbances }: Case): Promise<Checked> {
  const prepared = await prepare(bench, given);
  const done = await applyDisturbed(bench, { given, prepared }, disturbances, 'rollback');
  const { outcomes, rollback, foreign } = done;
  const after = await rulesetsOf(bench, given);
  const left = (await plan(bench, given.desired)).steps.map(({ id }) => id);
  const failed = outcomes.some(({ kind }) => kind === 'failed' || kind === 'refused' || kind === 'conflict');
  const notRestored = (rollback?.outcomes ?? []).filter(isUndone);
  const stranger = after.some(({ rules }) => rules.some(({ ref }) => ref === foreign?.ref));
  const same = isDeepStrictEqual(
    comparable(after, rollback?.result !== 'new-ids'),
    comparable(prepared.before, rollback?.result !== 'new-ids'),
  );
  const told = [...outcomes, ...(rollback?.outcomes ?? [])];

  const next = await carryOut(bench, await plan(bench, given.desired));
  const problems: readonly (readonly [boolean, string])[] = [
    [
      !failed && left.some((id) => !(stranger && id === foreign?.step)),
      'nothing failed, but something is left',
    ],
    [
      failed && notRestored.length === 0 && !same && foreign === null,
      'live is not what it was, and nobody tells',
    ],
    [rollback?.result === 'partial' && notRestored.length === 0, 'a partial rollback names nothing'],
    [
      disturbances.size === 1 && foreign === null && !notRestored.every(isLostCreation),
      `after one fault the way back was free, but ${JSON.stringify(rollback?.outcomes)}`,
    ],
    [
      foreign !== null && !foreign.unseen && !stranger && !tellsOf(told, foreign),
      'what somebody else wrote is gone, and nobody tells',
    ],
    [
      after.some(({ rules }) => new Set(rules.map(({ ref }) => ref)).size !== rules.length),
      'a rule is doubled',
    ],
    [next.some(isUndone), `the next run does not converge: ${JSON.stringify(next)}`],
    [(await plan(bench, given.desired)).steps.length > 0, 'a second plan is not empty'],
    [doubtsInVain(told, disturbances), 'a write is in doubt of which the service said what it did'],
  ];
  const faults = [...disturbances].map(([at, kind]) => `${kind} at request ${at}`).join(', ');
  return {
    result: failed ? (rollback?.result ?? 'nothing written') : 'not failed',
    problems: problems.flatMap(([is, problem]) => (is ? [`${given.name}: ${faults}: ${problem}`] : [])),
  };
}

/** The disturbances that most often end a run. The long run tries all others too. */
const FATAL: readonly Disturbance[] = ['refused 400', 'foreign edit', 'late 504'];

/** Combinations of disturbances after which a report once hid something. */
const FOUND: readonly { readonly name: string; readonly storm: Readonly<Record<number, Disturbance>> }[] = [
  { name: 'a list that becomes empty', storm: { 5: 'foreign edit', 6: 'truncated' } },
  { name: 'a list that becomes empty', storm: { 5: 'foreign edit', 6: 'refused 400' } },
  { name: 'a list that becomes empty', storm: { 2: 'foreign edit', 3: 'truncated' } },
  { name: 'a list that becomes empty', storm: { 2: 'foreign edit', 3: 'refused 400' } },
  { name: 'one rule added', storm: { 1: 'error 500', 3: 'late 504', 4: 'refused 400' } },
  { name: 'one rule added', storm: { 2: 'late 504', 3: 'refused 400' } },
  {
    name: 'a mixed edit as one PUT of whole rules',
    storm: { 1: 'error 500', 3: 'late 504', 4: 'foreign edit' },
  },
];

function planNamed(name: string): CampaignPlan {
  const given = PLANS.find((one) => one.name === name);
  if (given === undefined) {
    throw new Error(`there is no plan ${name}`);
  }
  return given;
}

/** The number of requests of the longest plan, without a rollback. */
const MOST = 20;

describe('an apply that is disturbed and rolls back', () => {
  it('leaves the live state as it was or reports what is not restored, and the next run converges', async () => {
    const every = propertyRuns() >= 10_000;
    const cases: Case[] = [];
    for (const given of PLANS) {
      const prepared = await prepare(bench, given);
      const { requests, rollback } = await applyDisturbed(bench, { given, prepared }, new Map(), 'rollback');
      expect(rollback).toBeNull();
      for (let at = 1; at <= requests; at += 1) {
        const kinds = every ? DISTURBANCES : FATAL;
        cases.push(...kinds.map((kind): Case => ({ given, disturbances: new Map([[at, kind]]) })));
      }
    }
    const stride = Math.max(1, every ? 1 : (4 * cases.length) / propertyRuns());
    const chosen = cases.filter(
      (_case, index) => Math.floor(index / stride) !== Math.floor((index - 1) / stride),
    );
    const counts = new Map<string, number>();
    const problems: string[] = [];
    for (const one of chosen) {
      const checked = await check(one);
      problems.push(...checked.problems);
      counts.set(checked.result, (counts.get(checked.result) ?? 0) + 1);
    }
    expect(problems).toEqual([]);
    const told = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
    process.stdout.write(`rollback campaign: ${chosen.length} of ${cases.length} cases; ${told}\n`);
  }, 3_600_000);

  it('ends "as-before" or with "new-ids", depending on the request at which it failed', async () => {
    const given = planNamed('a custom ruleset and its entry point changed, rule by rule');
    const results = new Set<string>();
    for (let at = 1; at <= MOST; at += 1) {
      const { result, problems } = await check({ given, disturbances: new Map([[at, 'refused 400']]) });
      expect(problems).toEqual([]);
      results.add(result);
    }
    expect([...results]).toEqual(expect.arrayContaining(['as-before', 'new-ids']));
  });

  it.each(FOUND)('leaves nothing unreported: $name, $storm', async ({ name, storm }) => {
    const given = planNamed(name);
    const disturbances = new Map(Object.entries(storm).map(([at, kind]) => [Number(at), kind]));
    expect((await check({ given, disturbances })).problems).toEqual([]);
  });

  it('does not report as restored what is not, even if the rollback is disturbed too', async () => {
    const storms = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: MOST }), fc.constantFrom(...DISTURBANCES)),
      { minLength: 2, maxLength: 6, selector: ([at]) => at },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PLANS), storms, async (given, storm) => {
        expect((await check({ given, disturbances: new Map(storm) })).problems).toEqual([]);
      }),
      { numRuns: Math.min(Math.ceil(propertyRuns() / 4), 2000) },
    );
  }, 3_600_000);
});
