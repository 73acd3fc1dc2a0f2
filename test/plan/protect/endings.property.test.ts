import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { LiveRuleset, RulesetAddress } from '../../../src/model/ruleset.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { nameTargets } from '../../../src/plan/names/resolve-targets.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { shareAmong } from '../../../src/plan/impact/every-request.ts';
import { phasesOf } from '../../../src/plan/impact/phase-rules.ts';
import { walkRules } from '../../../src/plan/impact/walk-rules.ts';
import { onlyStrengthening } from '../../../src/plan/strengthen/only-strengthening.ts';
import { ordinaryRequest, TRIED } from '../../../src/simulate/ordinary-requests.ts';
import { prepareScope } from '../../../src/simulate/prepare.ts';
import { walkRuleset } from '../../../src/simulate/walk-ruleset.ts';
import type { TraceState } from '../../../src/simulate/trace.ts';
import { propertyRuns } from '../../property-runs.ts';
import { scenario } from '../../simulate/build.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import type { World } from '../world.ts';
import { carryOut, planned, read, SCOPE } from '../world.ts';

const PHASE = 'http_request_firewall_custom';
const ENTRY: RulesetAddress = { kind: 'entrypoint', phase: PHASE };
const SHARED: RulesetAddress = { kind: 'custom', phase: PHASE, name: 'Shared' };
const SHARED_KEY = `${PHASE}/Shared`;
const SHARED_ID = id(0xabc);

// Conditions that tell ordinary requests apart.
const clause = fc.constantFrom(
  'true',
  'http.host eq "shop.example"',
  'http.host ne "shop.example"',
  'ip.src in {0.0.0.0/0}',
  'ip.src in {0.0.0.0/1}',
  'ip.src in {128.0.0.0/1}',
  'ip.src in {::/0}',
  'ip.src.country eq "DE"',
  'cf.bot_management.score gt 60',
  'http.request.uri.path eq "/login"',
);
const expression = fc.oneof(
  { weight: 4, arbitrary: clause },
  { weight: 1, arbitrary: fc.tuple(clause, clause).map(([one, other]) => `${one} and not ${other}`) },
  { weight: 1, arbitrary: fc.tuple(clause, clause).map(([one, other]) => `${one} or ${other}`) },
);
const enabled = fc.integer({ min: 0, max: 5 }).map((number) => number > 0);
const ending = fc.record({
  action: fc.constantFrom('block', 'managed_challenge', 'log'),
  expression,
  enabled,
});
const skipping = (inner: boolean) =>
  fc.record({
    action: fc.constant('skip'),
    expression,
    enabled,
    action_parameters: fc.constantFrom(
      { ruleset: 'current' },
      { phases: [PHASE] },
      { products: ['bic'] },
      ...(inner ? [] : [{ rulesets: [SHARED_ID] }, { rules: { [SHARED_ID]: [id(101), 'rule:r1'] } }]),
    ),
  });
const running = fc.record({
  action: fc.constant('execute'),
  expression,
  enabled,
  action_parameters: fc.constantFrom({ id: SHARED_ID }, { id: SHARED_ID }, { id: id(0xfed) }),
});
const contents = (inner: boolean): fc.Arbitrary<RuleContent> =>
  fc
    .oneof(
      { weight: 4, arbitrary: ending },
      { weight: 1, arbitrary: skipping(inner) },
      { weight: inner ? 0 : 2, arbitrary: running },
    )
    .map((over) => content(over));

/** Rules before and after: some are added, deleted or changed, and their order may differ. */
const lists = (inner: boolean) =>
  fc
    .array(fc.tuple(contents(inner), contents(inner), fc.integer({ min: 0, max: 9 })), { maxLength: 4 })
    .chain((rules) =>
      fc.tuple(
        fc.constant(rules),
        fc.shuffledSubarray([...rules.keys()], { minLength: rules.length }),
        fc.boolean(),
      ),
    )
    .map(([rules, shuffled, isMoved]) => {
      const named = rules.map(([before, after, change], index) => ({
        ref: `r${index}`,
        before: change === 0 ? null : before,
        after: change === 1 ? null : change < 6 ? before : after,
      }));
      return { before: named, after: isMoved ? shuffled.flatMap((index) => named[index] ?? []) : named };
    });
const cases = fc.record({ entry: lists(false), shared: lists(true) });
type Case = Readonly<Record<'entry' | 'shared', Readonly<Record<Side, readonly Named[]>>>>;
interface Named {
  readonly ref: string;
  readonly before: RuleContent | null;
  readonly after: RuleContent | null;
}

type Side = 'before' | 'after';

function worldOf({ entry, shared }: Case, side: Side): World {
  const rules = (list: readonly Named[], first: number) =>
    list.flatMap((rule) => {
      const said = rule[side];
      return said === null
        ? []
        : [{ id: id(first + Number(rule.ref.slice(1))), ref: rule.ref, content: said }];
    });
  const rulesets: readonly (readonly [string, LiveRuleset])[] = [
    [PHASE, liveRuleset(rules(entry[side], 1))],
    [SHARED_KEY, liveRuleset(rules(shared[side], 100), { id: SHARED_ID, name: 'Shared', kind: 'custom' })],
  ];
  return new Map(rulesets);
}

function desiredOf(world: World) {
  const rulesets = (
    [
      [PHASE, ENTRY],
      [SHARED_KEY, SHARED],
    ] as const
  ).map(([key, address]) =>
    desiredRuleset(
      (world.get(key)?.rules ?? []).map((rule) => ({
        ref: rule.ref,
        adopt: false,
        content: rule.content,
        cause: CAUSE,
      })),
      { address },
    ),
  );
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
  } as const;
}

function planOf(from: World, to: World): PlannedScope {
  return planned(planScope(desiredOf(to), read(from, [ENTRY, SHARED])));
}

/** The ways that the ordinary requests take through the phase, simulated one by one. */
function waysIn(world: World): readonly TraceState[] {
  const heads = [...world.values()];
  const rulesets = (
    [
      [PHASE, ENTRY],
      [SHARED_KEY, SHARED],
    ] as const
  ).map(([key, address]) => ({
    address,
    id: world.get(key)?.id ?? '',
    rules: (world.get(key)?.rules ?? []).map((rule) => ({
      ...rule,
      content: nameTargets(rule.content, PHASE, heads),
    })),
  }));
  const scope = prepareScope({ scope: SCOPE, rulesets }, { context: {}, lists: new Set() });
  const ruleset = scope.entrypoints.get(PHASE);
  const ways: TraceState[] = [];
  for (let bit = 0; 1 << bit <= TRIED; bit += 1) {
    const values = ordinaryRequest(bit, { zone: 'shop.example' });
    if (values !== undefined && ruleset !== undefined) {
      const way = wayOf(values);
      walkRuleset(way, { ruleset, scope });
      ways.push(way);
    }
  }
  return ways;
}

/** The ordinary requests that the simulation ends in the phase, as bits. */
function endedIn(world: World): number {
  return waysIn(world).reduce((ended, { end }, bit) => ended | (end === undefined ? 0 : 1 << bit), 0);
}

function wayOf(values: TraceState['values']): TraceState {
  const sent = scenario({ request: { url: '/' } });
  return {
    scenario: sent,
    assumed: new Map(),
    open: [],
    state: { zone: { name: '', plan: '' }, original: sent.request, request: sent.request },
    values,
    skips: [],
    end: undefined,
    solved: undefined,
    errorPage: undefined,
    phaseEnd: undefined,
    path: undefined,
    query: undefined,
    headers: [],
    settings: new Map(),
    products: new Set(),
    gaps: [],
    states: new Map(),
  };
}

const told = ({ steps }: PlannedScope, key: 'forth' | 'back') =>
  steps.flatMap(({ id: step, changes }) =>
    changes.flatMap(({ ref, ends }) => (ends?.[key] === undefined ? [] : [`${step} ${ref}: ${ends[key]}`])),
  );
/** Rules of which only one, a skip, is added, changed or moved. */
const skipCases = fc
  .record({
    given: cases,
    key: fc.constantFrom('entry', 'shared'),
    before: fc.option(skipping(false), { nil: null }),
    after: fc
      .tuple(skipping(false), fc.boolean())
      .map(([skip, isForAll]) => (isForAll ? { ...skip, expression: 'true', enabled: true } : skip)),
    from: fc.nat(4),
    to: fc.nat(4),
  })
  .map(({ given, key, before, after, from, to }): Case => {
    const still = (rules: readonly Named[]) => rules.map((rule) => ({ ...rule, after: rule.before }));
    const entry = still(given.entry.before);
    const shared = still(given.shared.before);
    const said = before === null ? null : content(before);
    const skip = { ref: 'r8', before: said, after: content(after) };
    const list = key === 'entry' ? entry : shared;
    const changed = { before: list.toSpliced(from, 0, skip), after: list.toSpliced(to, 0, skip) };
    return {
      entry: key === 'entry' ? changed : { before: entry, after: entry },
      shared: key === 'shared' ? changed : { before: shared, after: shared },
    };
  });

/**
 * Whether a request gets past something that it did not get past before. Skips count as if requests reached them: one that another rule kept
 * from acting is nothing new.
 */
function loses(before: TraceState, after: TraceState | undefined): boolean {
  if (before.end !== undefined) {
    return after?.end === undefined;
  }
  const reachedAll = before.skips.every(({ skip }) => skip.products.length > 0);
  return reachedAll && [...(after?.products ?? [])].some((name) => !before.products.has(name));
}

const isMoving = ({ steps }: PlannedScope): boolean =>
  steps.some(({ changes }) => changes.some((change) => 'move' in change && change.move !== undefined));
const runs = { numRuns: propertyRuns() * 3 };

describe('rules that end every request', () => {
  it('are found from the same ordinary requests that a simulation ends', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const [before, after] = [worldOf(given, 'before'), worldOf(given, 'after')];
        const { steps } = planOf(before, after);
        for (const phase of phasesOf(steps, read(before, [ENTRY, SHARED]), new Set([PHASE]))) {
          for (const [side, world] of [
            ['before', before],
            ['after', after],
          ] as const) {
            const context = { scope: SCOPE, phase: PHASE };
            const walked = phase.entrypoint && walkRules(phase.entrypoint, { phase, side, context });
            expect([side, walked?.ended]).toEqual([side, endedIn(world)]);
          }
        }
      }),
      runs,
    );
  });

  it('are reported if the outage of a phase grows, and as ending requests together only then', () => {
    let outages = 0;
    fc.assert(
      fc.property(cases, (given) => {
        const [before, after] = [worldOf(given, 'before'), worldOf(given, 'after')];
        const texts = told(planOf(before, after), 'forth');
        const worse = shareAmong(endedIn(after)) > shareAmong(endedIn(before));
        outages += worse ? 1 : 0;
        expect(texts.length > 0 || !worse).toBe(true);
        expect(worse || !texts.some((text) => /together|with other/u.test(text))).toBe(true);
      }),
      runs,
    );
    expect(outages).toBeGreaterThan(propertyRuns() / 10);
  });

  it('are reported for the way back as a plan in that direction reports them', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const [before, after] = [worldOf(given, 'before'), worldOf(given, 'after')];
        const [forth, back] = [planOf(before, after), planOf(after, before)];
        // When two rules change places, either of them may be the one that moves.
        fc.pre([forth, back].every((plan) => !isMoving(plan)));
        expect(told(forth, 'back').sort()).toEqual(told(back, 'forth').sort());
      }),
      runs,
    );
  });

  it('are neither reported for nor caused by the part of a plan that only strengthens', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const [before, after] = [worldOf(given, 'before'), worldOf(given, 'after')];
        const desired = desiredOf(after);
        const live = read(before, [ENTRY, SHARED]);
        const part = planned(onlyStrengthening({ plan: planOf(before, after), desired, live }));
        expect(told(part, 'forth')).toEqual([]);
        const ended = endedIn(carryOut(before, part, 'auto'));
        expect(shareAmong(ended)).toBeLessThanOrEqual(shareAmong(endedIn(before)));
      }),
      runs,
    );
  });
});

describe('skips that let every request past', () => {
  it('are reported if every ordinary request gets past something that it did not get past before', () => {
    let lost = 0;
    fc.assert(
      fc.property(skipCases, (given) => {
        const [before, after] = [worldOf(given, 'before'), worldOf(given, 'after')];
        const plan = planOf(before, after);
        fc.pre(plan.steps.flatMap(({ changes }) => changes).every(({ ref }) => ref === 'r8'));
        const now = waysIn(after);
        const isLost = waysIn(before).every((way, bit) => loses(way, now[bit]));
        const told = plan.steps.flatMap(({ changes }) => changes.flatMap(({ opens }) => opens?.forth ?? []));
        lost += isLost ? 1 : 0;
        expect(told.length > 0 || !isLost).toBe(true);
      }),
      runs,
    );
    expect(lost).toBeGreaterThan(propertyRuns() / 100);
  });
});
