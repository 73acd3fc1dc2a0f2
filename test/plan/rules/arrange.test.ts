import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role, Wanted } from '../../../src/plan/rules/arrange.ts';
import { arrange } from '../../../src/plan/rules/arrange.ts';
import { heaviestIncreasing } from '../../../src/plan/rules/increasing.ts';
import { propertyRuns } from '../../property-runs.ts';

interface Case {
  readonly live: readonly Role[];
  readonly wanted: readonly Wanted[];
  readonly place: 'first' | 'last';
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
      place: fc.constantFrom('first', 'last'),
    });
  });

/** Fewest untouched rules that have to move, by trying every set of rules that stay. */
function fewestMoves({ live, wanted }: Case): number {
  const ours = wanted.filter((at) => at !== undefined);
  let best = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < 1 << ours.length; mask += 1) {
    const staying = ours.filter((_at, index) => (mask >> index) & 1);
    if (staying.every((at, index) => index === 0 || at > (staying[index - 1] ?? -1))) {
      const moving = ours.filter((at) => !staying.includes(at));
      best = Math.min(best, moving.filter((at) => live[at] === 'untouched').length);
    }
  }
  return best;
}

describe('arrange', () => {
  it('puts our rules in the order of the file', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { order } = arrange(given.live, given.wanted, given.place);
        const ours = order.flatMap((entry) =>
          entry.kind === 'new' ? [undefined] : given.live[entry.live] === 'foreign' ? [] : [entry.live],
        );
        expect(ours).toEqual(given.wanted);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('leaves foreign rules in their relative order and moves none', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { order, moved } = arrange(given.live, given.wanted, given.place);
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

  it('keeps every staying rule in place among the rules that stay', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { order, moved } = arrange(given.live, given.wanted, given.place);
        const staying = order.flatMap((entry) =>
          entry.kind === 'live' && !moved.has(entry.live) ? [entry.live] : [],
        );
        expect(staying).toEqual([...staying].sort((a, b) => a - b));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('moves as few untouched rules as any way could (brute force)', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { moved } = arrange(given.live, given.wanted, given.place);
        const paid = [...moved].filter((index) => given.live[index] === 'untouched').length;
        expect(paid).toBe(fewestMoves(given));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('puts a new rule directly behind its predecessor in the file, past foreign rules', () => {
    const live: readonly Role[] = ['untouched', 'foreign', 'untouched'];
    const { order } = arrange(live, [0, undefined, 2], 'last');
    expect(order).toEqual([
      { kind: 'live', live: 0 },
      { kind: 'new', wanted: 1 },
      { kind: 'live', live: 1 },
      { kind: 'live', live: 2 },
    ]);
  });

  it('puts a leading new rule before its successor, and lone ones where the file says', () => {
    const live: readonly Role[] = ['foreign', 'untouched'];
    expect(arrange(live, [undefined, 1], 'first').order.map((entry) => entry.kind)).toEqual([
      'live',
      'new',
      'live',
    ]);
    expect(arrange(['foreign'], [undefined], 'first').order[0]?.kind).toBe('new');
    expect(arrange(['foreign'], [undefined], 'last').order[0]?.kind).toBe('live');
  });
});

describe('heaviestIncreasing', () => {
  it('finds the greatest weight (brute force)', () => {
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
