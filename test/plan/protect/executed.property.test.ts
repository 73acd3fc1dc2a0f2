import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import type { LiveRule, RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { nameTargets } from '../../../src/plan/names/resolve-targets.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { propertyRuns } from '../../property-runs.ts';
import { custom, entry, send, zone } from '../../simulate/build.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import type { World } from '../world.ts';
import { carryOut, planned, read } from '../world.ts';

const PHASE = 'http_request_firewall_custom';
const ENTRY: RulesetAddress = { kind: 'entrypoint', phase: PHASE };
const SHARED: RulesetAddress = { kind: 'custom', phase: PHASE, name: 'Shared' };
const SHARED_ID = id(0xabc);

const HOSTS = ['a', 'b'];
const PATHS = ['/', '/login'];
const REQUESTS = HOSTS.flatMap((host) => PATHS.map((path) => `https://${host}.shop.example${path}`));

const condition = fc.constantFrom(
  'true',
  'http.host eq "a.shop.example"',
  'http.host eq "b.shop.example"',
  'http.request.uri.path eq "/login"',
  'http.host eq "a.shop.example" and http.request.uri.path eq "/login"',
);
const rule = (...actions: readonly Partial<RuleContent>[]): fc.Arbitrary<RuleContent> =>
  fc
    .record({
      what: fc.constantFrom(...actions),
      expression: condition,
      enabled: fc.constantFrom(true, true, true, false),
    })
    .map(({ what, expression, enabled }) => content({ ...what, expression, enabled }));
const ENDINGS: readonly Partial<RuleContent>[] = [
  { action: 'block' },
  { action: 'managed_challenge' },
  { action: 'log' },
];
const skip = (action_parameters: JsonObject) => ({ action: 'skip', action_parameters });
const own = rule(
  ...ENDINGS,
  ...ENDINGS,
  skip({ ruleset: 'current' }),
  skip({ rulesets: [SHARED_ID] }),
  skip({ rules: { [SHARED_ID]: [id(200)] } }),
);
const run = rule({ action: 'execute', action_parameters: { id: SHARED_ID } });
const inner = rule(...ENDINGS, ...ENDINGS, skip({ ruleset: 'current' }), skip({ phases: [PHASE] }));

interface Rules {
  readonly entry: readonly (readonly [string, RuleContent])[];
  readonly shared: readonly (readonly [string, RuleContent])[];
}

/** Rules of an entry point before and after, around one that executes a custom ruleset, which may change too. */
const cases = fc
  .record({
    others: fc.array(own, { maxLength: 3 }),
    runs: fc.tuple(run, run),
    there: fc.constantFrom('both', 'both', 'both', 'before', 'after'),
    shared: fc.array(inner, { minLength: 1, maxLength: 3 }),
    sharedAfter: fc.option(fc.array(inner, { maxLength: 3 }), { nil: undefined, freq: 2 }),
    places: fc.tuple(fc.nat(3), fc.nat(3)),
    isMoved: fc.boolean(),
    isChanged: fc.boolean(),
  })
  .map(({ others, runs, there, shared, sharedAfter, places, isMoved, isChanged }) => {
    const named = others.map((one, at) => [`r${at}`, one] as readonly [string, RuleContent]);
    const numbered = (rules: readonly RuleContent[]) =>
      rules.map((one, at) => [`s${at}`, one] as readonly [string, RuleContent]);
    const side = (at: 0 | 1, isThere: boolean): Rules['entry'] =>
      isThere ? named.toSpliced(places[isMoved ? at : 0], 0, ['run', runs[isChanged ? at : 0]]) : named;
    const [before, after]: readonly [Rules, Rules] = [
      { entry: side(0, there !== 'after'), shared: numbered(shared) },
      { entry: side(1, there !== 'before'), shared: numbered(sharedAfter ?? shared) },
    ];
    return { before, after };
  });

function worldOf({ entry: rules, shared }: Rules): World {
  const live = (list: Rules['entry'], first: number): readonly LiveRule[] =>
    list.map(([ref, said]) => ({
      id: id(first + (ref === 'run' ? 90 : Number(ref.slice(1)))),
      ref,
      content: said,
    }));
  return new Map([
    [PHASE, liveRuleset(live(rules, 1))],
    [`${PHASE}/Shared`, liveRuleset(live(shared, 200), { id: SHARED_ID, name: 'Shared', kind: 'custom' })],
  ]);
}

/** A plan in which the custom ruleset is declared in the files, or is only live and was read, or was not read. */
function planOf(before: Rules, after: Rules, known: 'declared' | 'read' | 'unread') {
  const wanted = (rules: Rules['entry'], address: RulesetAddress) =>
    desiredRuleset(
      rules.map(([ref, said]) => ({ ref, adopt: false, content: said, cause: CAUSE })),
      { address },
    );
  const desired = {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets: [wanted(after.entry, ENTRY), ...(known === 'declared' ? [wanted(after.shared, SHARED)] : [])],
    cause: CAUSE,
  } as const;
  const world = worldOf(before);
  const { entries, ...rest } = read(world, known === 'declared' ? [ENTRY, SHARED] : [ENTRY]);
  const shared = world.get(`${PHASE}/Shared`);
  const live = {
    ...rest,
    entries,
    ...(known === 'read' && shared !== undefined ? { users: [shared] } : {}),
  };
  return { world, desired, live, plan: planned(planScope(desired, live)) };
}

const HEIGHTS: Readonly<Record<string, number>> = { block: 2, managed_challenge: 1 };

/** How firmly each request, sent on its own, is stopped. */
function stops(world: World): readonly number[] {
  const rulesOf = (key: string) =>
    (world.get(key)?.rules ?? []).map((one) => ({
      ...one,
      content: nameTargets(one.content, PHASE, [...world.values()]),
    }));
  const scope = zone(entry(rulesOf(PHASE)), custom('Shared', rulesOf(`${PHASE}/Shared`)));
  return REQUESTS.map((request) => HEIGHTS[send([scope], { request }).end?.action ?? ''] ?? 0);
}

const kinds = ({ steps }: PlannedScope): readonly string[] =>
  steps.flatMap(({ changes }) => changes.map(({ protection }) => protection.kind));

/** The requests that are stopped less firmly than before. */
function losses(before: World, after: World): readonly string[] {
  const now = stops(after);
  return stops(before).flatMap((height, at) => (height > (now[at] ?? 0) ? [REQUESTS[at] ?? ''] : []));
}

const runs = { numRuns: propertyRuns() * 3 };

describe('a rule that executes a custom ruleset', () => {
  it.each(['declared', 'read', 'unread'] as const)(
    'stops every request as firmly as before unless a change weakens, with a ruleset that is %s',
    (known) => {
      let [lost, kept] = [0, 0];
      fc.assert(
        fc.property(cases, ({ before, after: wanted }) => {
          const after = known === 'declared' ? wanted : { ...wanted, shared: before.shared };
          const { world, plan } = planOf(before, after, known);
          const less = losses(world, carryOut(world, plan, 'auto'));
          lost += less.length > 0 ? 1 : 0;
          kept += plan.steps.length > 0 && !kinds(plan).includes('weakening') ? 1 : 0;
          expect(kinds(plan).includes('weakening') ? [] : less).toEqual([]);
        }),
        runs,
      );
      expect(lost).toBeGreaterThan(0);
      expect(kept).toBeGreaterThan(0);
    },
  );

  it('is weakening drift if its ruleset lets requests past, and strengthening if it blocks them', () => {
    const [run, skipping] = [
      content({ action: 'execute', expression: 'true', action_parameters: { id: SHARED_ID } }),
      content({ ...skip({ phase: 'current' }), expression: 'true' }),
    ];
    const shared = (rule: RuleContent): Rules['shared'] => [['s0', rule]];
    const severities = (rule: RuleContent) => {
      const lives = { entry: [['run', run]] as const, shared: shared(rule) };
      const { plan } = planOf(lives, { ...lives, entry: [] }, 'read');
      return driftChanges({ scopes: [plan] }).map(({ severity }) => severity);
    };
    expect(severities(skipping)).toEqual(['weakening']);
    expect(severities(content({ expression: 'true' }))).toEqual(['strengthening']);
  });
});
