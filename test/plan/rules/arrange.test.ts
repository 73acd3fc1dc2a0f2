import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArrangementRole, Wanted } from '../../../src/plan/match/arrange.ts';
import type { PlaceAmongOthers } from '../../../src/model/ruleset.ts';
import type { Range } from '../../../src/plan/impact/judge-moves.ts';
import { arrange, heaviestIncreasing } from '../../../src/plan/match/arrange.ts';
import { propertyRuns } from '../../property-runs.ts';

interface Case {
  readonly live: readonly ArrangementRole[];
  readonly wanted: readonly Wanted[];
  readonly place: PlaceAmongOthers;
}

/** Up to seven live rules with random roles; ours are wanted in random order, with new rules between. */
const cases: fc.Arbitrary<Case> = fc
  .array(fc.constantFrom('foreign', 'untouched', 'patched', 'gone'), { maxLength: 7 })
  .chain((roles) => {
    const ours = roles.flatMap((role, index) => (role === 'untouched' || role === 'patched' ? [index] : []));
    return fc.record({
      live: fc.constant(roles),
      wanted: fc
        .tuple(
          fc.shuffledSubarray(ours, { minLength: ours.length }),
          fc.array(fc.nat({ max: 8 }), { maxLength: 3 }),
        )
        .map(([order, gaps]) =>
          gaps.reduce<readonly Wanted[]>(
            (list, gap) => [...list.slice(0, gap), undefined, ...list.slice(gap)],
            order,
          ),
        ),
      place: fc.constantFrom('first', 'last', 'any'),
    });
  });

/** Every set of our rules that can stay in place. */
function stayingSets({ live, wanted, place }: Case): readonly (readonly number[])[] {
  const ours = wanted.filter((at) => at !== undefined);
  const others = live.flatMap((role, at) => (role === 'foreign' ? [at] : []));
  const fits = (at: number): boolean =>
    place === 'any' || others.every((other) => (place === 'first' ? at < other : at > other));
  return [...Array(1 << ours.length).keys()]
    .map((mask) => ours.filter((_at, index) => (mask >> index) & 1))
    .filter((set) => set.every((at, index) => fits(at) && (index === 0 || at > (set[index - 1] ?? -1))));
}

/** The number of untouched rules that move when these rules stay. */
function movesOf({ live, wanted }: Case, staying: readonly number[]): number {
  return wanted.filter((at) => at !== undefined && live[at] === 'untouched' && !staying.includes(at)).length;
}

/** Whether a rule of ours should not pass this rule of others: one number is odd, the other even. */
const isBad = (ours: number, other: number): boolean => (ours + other) % 2 === 1;

/** The range in which a rule can move without passing a rule of others that it should not pass. */
const safeRangesIn =
  (live: readonly ArrangementRole[]) =>
  (at: number): Range => {
    const bad = live.flatMap((role, other) => (role === 'foreign' && isBad(at, other) ? [other] : []));
    return {
      after: bad.findLast((other) => other < at) ?? -1,
      before: bad.find((other) => other > at) ?? Infinity,
    };
  };

/** The number of rules that leave their safe range when these stay. All others go beside their predecessor in the file, else their successor. */
function straysOf({ live, wanted }: Case, staying: readonly number[]): number {
  let beside = staying[0] ?? -1;
  return wanted.filter((at) => {
    beside = at !== undefined && staying.includes(at) ? at : beside;
    const { after, before } = safeRangesIn(live)(at ?? -1);
    return at !== undefined && !staying.includes(at) && !(after < beside && beside < before);
  }).length;
}

describe('arrange', () => {
  it('puts our rules in the order of the file', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { order } = arrange(given.live, given.wanted, given);
        const ours = order.flatMap((entry) =>
          entry.kind === 'new' ? [undefined] : given.live[entry.live] === 'foreign' ? [] : [entry.live],
        );
        expect(ours).toEqual(given.wanted);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('keeps rules of others in their order and moves none', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { order, moved } = arrange(given.live, given.wanted, given);
        const foreign = given.live.flatMap((rule, index) => (rule === 'foreign' ? [index] : []));
        const kept = order.flatMap((entry) =>
          entry.kind === 'live' && foreign.includes(entry.live) ? [entry.live] : [],
        );
        expect(kept).toEqual(foreign);
        expect(foreign.filter((index) => moved.has(index))).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('keeps the rules that stay in their live order', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { order, moved } = arrange(given.live, given.wanted, given);
        const staying = order.flatMap((entry) =>
          entry.kind === 'live' && !moved.has(entry.live) ? [entry.live] : [],
        );
        expect(staying).toEqual([...staying].sort((a, b) => a - b));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('moves as few untouched rules as possible (brute force)', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { moved } = arrange(given.live, given.wanted, given);
        const paid = [...moved].filter((index) => given.live[index] === 'untouched').length;
        expect(paid).toBe(Math.min(...stayingSets(given).map((set) => movesOf(given, set))));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('moves as few rules as possible out of their safe range with the fewest moves (brute force)', () => {
    fc.assert(
      fc.property(cases, (any) => {
        const given: Case = { ...any, place: 'any' };
        fc.pre(given.wanted.some((at) => at !== undefined));
        const safeRange = safeRangesIn(given.live);
        const { order, moved } = arrange(given.live, given.wanted, { place: 'any', safeRange });
        const placeOf = (at: number): number =>
          order.findIndex((entry) => entry.kind === 'live' && entry.live === at);
        const passing = [...moved].filter((at) =>
          given.live.some(
            (role, other) =>
              role === 'foreign' && isBad(at, other) && at < other !== placeOf(at) < placeOf(other),
          ),
        );
        const sets = stayingSets(given).filter((set) => set.length > 0);
        const fewest = Math.min(...sets.map((set) => movesOf(given, set)));
        const cheapest = sets.filter((set) => movesOf(given, set) === fewest);
        expect(passing).toHaveLength(Math.min(...cheapest.map((set) => straysOf(given, set))));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('moves the rule that passes nothing, if another move would be as cheap', () => {
    const live: readonly ArrangementRole[] = ['untouched', 'foreign', 'foreign', 'untouched'];
    const movedBy = (bad: number): readonly number[] => {
      const safeRange = (at: number): Range =>
        at === bad
          ? { after: at === 0 ? -1 : 2, before: at === 0 ? 1 : Infinity }
          : { after: -1, before: Infinity };
      return [...arrange(live, [3, 0], { place: 'any', safeRange }).moved];
    };
    expect([movedBy(0), movedBy(3)]).toEqual([[3], [0]]);
  });

  it('puts our rules before or behind all others, and then has nothing to move a second time', () => {
    fc.assert(
      fc.property(cases, (given) => {
        fc.pre(given.place !== 'any');
        const { order } = arrange(given.live, given.wanted, given);
        const roles = order.map((entry) =>
          entry.kind === 'live' ? (given.live[entry.live] ?? 'gone') : 'patched',
        );
        const ours = roles.map((role) => (role === 'foreign' ? 'theirs' : 'ours'));
        const sorted = [...ours].sort();
        expect(ours).toEqual(given.place === 'first' ? sorted : sorted.toReversed());
        const again = roles.flatMap((role, index): readonly Wanted[] => (role === 'foreign' ? [] : [index]));
        expect(arrange(roles, again, given).moved).toEqual(new Set());
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('moves nothing for place "first" if a rule of others is listed in front of ours', () => {
    const { moved } = arrange(['foreign', 'untouched'], [0, 1], { place: 'first' });
    expect(moved).toEqual(new Set());
  });

  it('puts a new rule directly behind its predecessor in the file, before rules of others', () => {
    const live: readonly ArrangementRole[] = ['untouched', 'foreign', 'untouched'];
    const { order } = arrange(live, [0, undefined, 2], { place: 'any' });
    expect(order).toEqual([
      { kind: 'live', live: 0 },
      { kind: 'new', wanted: 1 },
      { kind: 'live', live: 1 },
      { kind: 'live', live: 2 },
    ]);
  });

  it('puts a new first rule before its successor, and a lone new rule where the place option says', () => {
    const live: readonly ArrangementRole[] = ['foreign', 'untouched'];
    expect(arrange(live, [undefined, 1], { place: 'any' }).order.map((entry) => entry.kind)).toEqual([
      'live',
      'new',
      'live',
    ]);
    expect(arrange(['foreign'], [undefined], { place: 'first' }).order[0]?.kind).toBe('new');
    expect(arrange(['foreign'], [undefined], { place: 'last' }).order[0]?.kind).toBe('live');
    expect(arrange(['foreign'], [undefined], { place: 'any' }).order[0]?.kind).toBe('live');
  });
});

describe('heaviestIncreasing', () => {
  it('finds an increasing subsequence of the greatest weight (brute force)', () => {
    const items = fc
      .uniqueArray(fc.nat({ max: 30 }), { maxLength: 9 })
      .chain((positions) =>
        fc.tuple(
          ...positions.map((position) =>
            fc.record({ position: fc.constant(position), weight: fc.nat({ max: 5 }) }),
          ),
        ),
      );
    fc.assert(
      fc.property(items, (list) => {
        const weigh = (indices: readonly number[]): number =>
          indices.reduce((sum, index) => sum + (list[index]?.weight ?? 0), 0);
        let best = 0;
        for (let mask = 0; mask < 1 << list.length; mask += 1) {
          const indices = [...list.keys()].filter((index) => (mask >> index) & 1);
          const rising = indices.every(
            (index, at) =>
              at === 0 || (list[index]?.position ?? 0) > (list[indices[at - 1] ?? 0]?.position ?? 0),
          );
          best = rising ? Math.max(best, weigh(indices)) : best;
        }
        const chosen = [...heaviestIncreasing(list)].sort((a, b) => a - b);
        expect(weigh(chosen)).toBe(best);
        expect(
          chosen.every(
            (index, at) =>
              at === 0 || (list[index]?.position ?? 0) > (list[chosen[at - 1] ?? 0]?.position ?? 0),
          ),
        ).toBe(true);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
