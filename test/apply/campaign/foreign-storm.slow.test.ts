import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultKind } from '../../../src/app/run/result-kind.ts';
import type { PlanOutcome, PlanRun } from '../../../src/apply/apply-plan.ts';
import { openJournal } from '../../../src/apply/journal/journal.ts';
import { readLastRun } from '../../../src/apply/journal/read-journal.ts';
import { restoreRulesetEdits, findOverwrittenEdits } from '../../../src/apply/rollback/overwritten-edits.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import { isAchieved } from '../../../src/model/outcome.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { contentToWire } from '../../../src/model/rule.ts';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { DesiredRuleset } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import { propertyRuns } from '../../property-runs.ts';
import type { Bench } from '../run-against-service.ts';
import {
  carryOut,
  carryOutPlan,
  clientThrough,
  openBench,
  plan,
  read,
  resetService,
  zone,
} from '../run-against-service.ts';
import { DISTURBANCES, faultOf } from './campaign-run.ts';
import type { Fault, Passing } from './fault-proxy.ts';
import { openFaultProxy } from './fault-proxy.ts';
import type { Strangers, Visit } from './strangers.ts';
import { ACTS, markOf, openStrangers } from './strangers.ts';

// Others write between any two requests of an apply, while requests fail and runs crash. Runs a quarter of RULEWRIGHT_PROPERTY_RUNS cases.

const CUSTOM = 'http_request_firewall_custom';
const LIMITS = 'http_ratelimit';
const OURS = { kind: 'patterns', patterns: ['our-*'] } as const;

const rule = (ref: string, over: Partial<Parameters<typeof desiredRule>[0]> = {}): DesiredRule =>
  desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"`, ...over });
const limit = (ref: string, requests: number): DesiredRule =>
  rule(ref, {
    ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: requests },
  });
const LOGGED = { action: 'log', description: 'only looked at' } as const;
const RUN = rule('our-run', { action: 'execute', action_parameters: { id: 'custom:inner' } });

/** The desired rules of two entry points and of a custom ruleset. */
function state(rules: readonly DesiredRule[], limits: readonly DesiredRule[], inner: readonly DesiredRule[]) {
  const of = (address: DesiredRuleset['address'], list: readonly DesiredRule[]): DesiredRuleset =>
    desiredRuleset(list, { address, ownership: OURS });
  return zone([
    of({ kind: 'entrypoint', phase: CUSTOM }, rules),
    of({ kind: 'entrypoint', phase: LIMITS }, limits),
    of({ kind: 'custom', phase: CUSTOM, name: 'Inner' }, inner),
  ]);
}

const STATES: readonly DesiredScope[] = [
  state([rule('our-a'), rule('our-b'), rule('our-c')], [limit('our-l', 10)], [rule('our-i')]),
  state(
    [rule('our-c'), rule('our-n'), rule('our-a', LOGGED)],
    [limit('our-l', 20)],
    [rule('our-j'), rule('our-i')],
  ),
  state([RUN, rule('our-c'), rule('our-a'), rule('our-b', LOGGED)], [limit('our-l', 10)], [rule('our-k')]),
  state([rule('our-b')], [limit('our-m', 5), limit('our-l', 10)], [rule('our-i', LOGGED)]),
];

/** A request of the run: the one `later` requests after the given number of writes. */
interface Moment {
  readonly writes: number;
  readonly later: number;
}

/** What happens at a request. */
type Trouble =
  | { readonly kind: 'visits'; readonly visits: readonly Visit[]; readonly lost: boolean }
  | { readonly kind: 'fault'; readonly by: (typeof DISTURBANCES)[number] }
  | { readonly kind: 'crash'; readonly moment: 'kill-before' | 'kill-after' };

interface Storm {
  /** Indexes in STATES. */
  readonly from: number;
  readonly to: number;
  readonly strategy: WriteStrategy;
  readonly preflight: PlanRun['preflight'];
  readonly onFailure: PlanRun['onFailure'];
  readonly troubles: readonly (readonly [Moment, Trouble])[];
}

const visit: fc.Arbitrary<Visit> = fc.record({ act: fc.constantFrom(...ACTS), seed: fc.nat({ max: 9999 }) });
const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('visits' as const),
      visits: fc.array(visit, { minLength: 1, maxLength: 3 }),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      by: fc.constantFrom(...DISTURBANCES.filter((one) => one !== 'foreign edit')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      moment: fc.constantFrom('kill-before' as const, 'kill-after' as const),
    }),
  },
);
const moment: fc.Arbitrary<Moment> = fc.record({ writes: fc.nat({ max: 5 }), later: fc.nat({ max: 4 }) });
const storms: fc.Arbitrary<Storm> = fc.record({
  from: fc.nat({ max: STATES.length - 1 }),
  to: fc.nat({ max: STATES.length - 1 }),
  strategy: fc.constantFrom<WriteStrategy>('auto', 'ruleset', 'rules'),
  preflight: fc.constantFrom<PlanRun['preflight']>('auto', 'off'),
  onFailure: fc.constantFrom<PlanRun['onFailure']>('stop', 'rollback'),
  troubles: fc.array(fc.tuple(moment, trouble), { minLength: 1, maxLength: 6 }),
});

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench();
  folder = await mkdtemp(join(tmpdir(), 'rulewright-strangers-'));
});
afterAll(async () => {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

/** Carries out a plan in a storm. Returns null after a crash; the crashed run then writes nothing more, nor does it record anything. */
async function carryOutIn(
  storm: Storm,
  planned: PlannedScope,
  strangers: Strangers,
  path: string,
): Promise<PlanOutcome | null> {
  const at = { writes: 0, later: 0 };
  let isDead = false;
  let die = (): void => undefined;
  const dead = new Promise<null>((resolve) => {
    die = () => {
      isDead = true;
      resolve(null);
    };
  });
  const never = new Promise<never>(() => undefined);
  let visits: Promise<unknown> = Promise.resolve();
  const fault = (trouble: Trouble): Fault => {
    if (trouble.kind === 'crash') {
      return { kind: trouble.moment, kill: () => (die(), never) };
    }
    if (trouble.kind === 'fault') {
      return faultOf(trouble.by, () => never);
    }
    const act = (): Promise<unknown> => {
      for (const one of trouble.visits) {
        visits = visits.then(() => strangers.visit(one));
      }
      return visits;
    };
    return { kind: 'meanwhile', act, ...(trouble.lost ? { lost: true } : {}) };
  };
  const decide = ({ method, path: target }: Passing): Fault => {
    const isWrite = method !== 'GET' && !target.includes('dry_run');
    at.later = isWrite ? 0 : at.later + 1;
    at.writes += isWrite ? 1 : 0;
    const found = storm.troubles.find(([{ writes, later }]) => writes === at.writes && later === at.later);
    return found === undefined ? { kind: 'pass' } : fault(found[1]);
  };
  const proxy = await openFaultProxy(bench.emulator.baseUrl, decide);
  const client = clientThrough(bench, proxy);
  const journal = await openJournal(path, { now: () => 1000, run: 'storm' });
  const { strategy, preflight, onFailure } = storm;
  const recorded = {
    ...journal,
    record: (entry: Parameters<typeof journal.record>[0]) => (isDead ? never : journal.record(entry)),
  };
  const run = carryOutPlan(bench, [planned], { client, strategy, preflight, onFailure, journal: recorded });
  const ended = await Promise.race([run, dead]);
  await (ended === null ? undefined : client.close());
  await proxy.close();
  await journal.close();
  return ended;
}

/** Brings back the rules of others that a crashed run took along, as the next run does first. */
async function bringBackAfterCrash(path: string): Promise<void> {
  const run = await readLastRun(path);
  const journal = await openJournal(path, { now: () => 1000, run: 'storm' });
  for (const { recorded } of run === null ? [] : await findOverwrittenEdits(run, () => bench.client)) {
    await restoreRulesetEdits(recorded, { client: bench.client, journal });
  }
  await journal.close();
}

/** The live rules of ours, as a text to compare. */
async function ours(strangers: Strangers): Promise<string> {
  const rulesets = await strangers.rulesets();
  return JSON.stringify(
    rulesets.map(({ id, rules }) => [
      id,
      rules
        .filter(({ ref }) => ref.startsWith('our-'))
        .map((one) => [one.id, one.ref, contentToWire(one.content)]),
    ]),
  );
}

/** What is not live as others want it, and not reported as lost, at risk or unreadable. */
async function wrongs(strangers: Strangers, outcomes: readonly Outcome[]): Promise<readonly string[]> {
  const rulesets = await strangers.rulesets();
  const live = rulesets.flatMap(({ rules }) => rules);
  const conflicts = outcomes.flatMap((one) => (one.kind === 'conflict' ? [one] : []));
  const undone = conflicts.flatMap(({ others = [] }) =>
    others.flatMap(({ lost, atRisk = [] }) => [...lost, ...atRisk]),
  );
  const back = new Set(conflicts.flatMap(({ broughtBack = [] }) => broughtBack.map(({ ref }) => ref)));
  const isUnread = conflicts.some(({ unread = [] }) => unread.length > 0);
  const isTold = ({ ref }: { readonly ref: string | undefined }): boolean =>
    isUnread || undone.some((one) => (ref === undefined ? one.ref === one.id : one.ref === ref));
  return [
    ...[...strangers.wishes].flatMap(([mark, wish]) => {
      const found = live.filter((one) => markOf(one) === mark).map(({ content }) => content.action);
      return (found.length === 1 && found[0] === wish.action) || isTold(wish)
        ? []
        : [`${mark} of others should ${wish.action}, and is live as ${JSON.stringify(found)}`];
    }),
    ...rulesets.flatMap(({ id, rules }) => {
      const theirs = rules.filter(
        (one) => markOf(one) !== undefined && (back.has(one.ref) || !isTold(nameOf(one))),
      );
      const now = theirs.map((one) => markOf(one) ?? '');
      const wanted = (strangers.orders.get(id) ?? []).filter((mark) => now.includes(mark));
      return now.join() === wanted.join() ? [] : [`others want ${wanted.join()}, and live is ${now.join()}`];
    }),
    ...live
      .filter((one) => strangers.gone.has(markOf(one) ?? ''))
      .map(({ ref }) => `${ref} was taken away, and is there`),
  ];
}

/** The ref of a rule; undefined if the service gave it its id as a ref. */
function nameOf({ id, ref }: LiveRule): { readonly ref: string | undefined } {
  return { ref: ref === id ? undefined : ref };
}

let count = 0;

async function weather(storm: Storm): Promise<readonly string[]> {
  const [from, to] = [STATES[storm.from] ?? zone([]), STATES[storm.to] ?? zone([])];
  await resetService(bench);
  const prepared = await carryOut(bench, await plan(bench, from));
  expect(prepared.filter((outcome) => !isAchieved(outcome))).toEqual([]);
  const strangers = openStrangers(bench.client, (await read(bench, from)).scope, [CUSTOM, LIMITS]);
  for (const seed of [8, 1, 34, 19, 2, 65]) {
    await strangers.visit({ act: seed % 2 === 0 ? 'add' : 'add nameless', seed });
  }
  const before = await ours(strangers);
  count += 1;
  const path = join(folder, `${count}.jsonl`);
  const ended = await carryOutIn(storm, await plan(bench, to), strangers, path);
  await (ended === null ? bringBackAfterCrash(path) : undefined);
  const outcomes = [...(ended?.outcomes ?? []), ...(ended?.rollback?.outcomes ?? [])];
  const problems = [...(await wrongs(strangers, outcomes))];
  if (ended !== null) {
    const kind = resultKind(ended);
    const left = (await plan(bench, to)).steps.map(({ id }) => id);
    const undone = ended.outcomes.filter((outcome) => !isAchieved(outcome)).map(({ step }) => step);
    const isUnsaid = ended.rollback === null && left.some((id) => !undone.includes(id));
    problems.push(...(isUnsaid ? [`${left.join()} is left, but only ${undone.join()} is told`] : []));
    const isUntouched = (await ours(strangers)) === before;
    problems.push(
      ...((kind === 'failed' || kind === 'refused') && !isUntouched
        ? [`${kind}, but something was written`]
        : []),
    );
  }
  const next = await carryOutPlan(bench, [await plan(bench, to)]);
  const refs = (await strangers.rulesets()).map(({ rules }) => rules.map(({ ref }) => ref));
  return [
    ...problems,
    ...next.outcomes
      .filter((outcome) => !isAchieved(outcome))
      .map((one) => `the next run: ${JSON.stringify(one)}`),
    ...(await plan(bench, to)).steps.map(({ id }) => `${id} is left after the next run`),
    ...refs
      .filter((list) => new Set(list).size < list.length)
      .map((list) => `a rule is doubled: ${list.join()}`),
    ...(await wrongs(strangers, outcomes)),
  ];
}

describe('an apply to rulesets that others keep writing to', () => {
  it('reports what it lost of their rules and what it did not do, doubles nothing, and the next run converges', async () => {
    await fc.assert(
      fc.asyncProperty(storms, async (storm) => {
        expect(await weather(storm)).toEqual([]);
      }),
      { numRuns: Math.ceil(propertyRuns() / 4) },
    );
  }, 3_600_000);
});
