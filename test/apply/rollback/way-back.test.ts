import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Trail } from '../../../src/apply/write/scope-run.ts';
import { planWayBack } from '../../../src/apply/rollback/way-back.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { createRuleset } from '../../api/ruleset-writes.ts';
import { desiredRuleset } from '../../plan/build.ts';
import { block, entry } from '../blocking.ts';
import type { Bench } from '../run-against-service.ts';
import { blockHosts, liveRules, openBench, plan, zone } from '../run-against-service.ts';

const PHASE = 'http_request_firewall_custom';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

/** Creates a custom ruleset, and returns the trail of a run that created it. */
async function made(name: string): Promise<Trail> {
  const { scope, steps } = await plan(
    bench,
    zone([desiredRuleset([block('in')], { address: { kind: 'custom', phase: PHASE, name } })]),
  );
  const rules = [{ ref: 'in', action: 'block', expression: 'ssl' }];
  const left = await createRuleset(bench.client, scope, { name, kind: 'custom', phase: PHASE, rules });
  return trailOf(steps, { before: null, left });
}

function trailOf([step]: PlannedScope['steps'], led: Pick<Trail, 'before' | 'left'>): Trail {
  if (step === undefined) {
    throw new Error('there is no step');
  }
  return { step, ...led, inFlight: null };
}

it('planWayBack still reports a ruleset as touched if the way back of others cannot be planned', async () => {
  const scope = await blockHosts(bench, ['a']);
  const before = await liveRules(bench, scope);
  const wanted = await plan(bench, zone([entry('a', 'b')]));
  await blockHosts(bench, ['a', 'b']);
  const touched = trailOf(wanted.steps, { before, left: await liveRules(bench, scope) });
  await blockHosts(bench, ['a', 'theirs']);
  const trails = [touched, await made('Inner'), await made('inner')];
  const back = await planWayBack(wanted, trails, bench.client);
  expect(back.plan).toBeNull();
  expect(back.outcomes).toMatchObject([
    { kind: 'refused', code: 'apply/touched', step: touched.step.id },
    { kind: 'failed', code: 'plan/ambiguous-name' },
    { kind: 'failed', code: 'plan/ambiguous-name' },
  ]);
});

it('planWayBack reports no outcome for an unchanged ruleset if the way back of others cannot be planned', async () => {
  const scope = await blockHosts(bench, ['a']);
  const before = await liveRules(bench, scope);
  const wanted = await plan(bench, zone([entry('a', 'b')]));
  const trails = [trailOf(wanted.steps, { before, left: before }), await made('Inner'), await made('inner')];
  const { outcomes } = await planWayBack(wanted, trails, bench.client);
  expect(outcomes.map(({ kind, step }) => [kind, step.toLowerCase()])).toEqual([
    ['failed', `zone:shop.example/${PHASE}/custom:inner`],
    ['failed', `zone:shop.example/${PHASE}/custom:inner`],
  ]);
});
