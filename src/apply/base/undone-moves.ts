import type { ExpectedRule } from '../../plan/requests/expect.ts';
import { heaviestIncreasing } from '../../plan/rules/increasing.ts';

/** Orders of the rules: as our plan wants it, as our write met it, and as our write left it. */
export interface Places {
  /** Ids of the rules that our plan does not place, in the order that they have in the plan. */
  readonly staying: readonly string[];
  readonly met: readonly ExpectedRule[];
  readonly made: readonly ExpectedRule[];
}

/** A rule that somebody moved and that our write put back. */
export interface UndoneMove {
  readonly id: string;
  /** Ids of the rules that it had passed. */
  readonly passed: readonly string[];
}

/**
 * Returns the fewest moves by others that explain the order which our write met and undid, in that order. A PUT of the rule list sets the order of
 * all rules, including those that nobody wanted to move. Rules that our plan places itself are left out: they are meant to stand where it puts them.
 */
export function undoneMoves({ staying, met, made }: Places): readonly UndoneMove[] {
  const alive = placesOf(met);
  const left = placesOf(made);
  const kept = staying.filter((id) => alive.has(id) && left.has(id));
  const wanted = new Map(kept.map((id, index) => [id, index]));
  const placed = kept.map((id) => left.get(id) ?? 0);
  if (placed.some((place, index) => place < (placed[index - 1] ?? 0))) {
    // Requests for single rules leave the order of the other rules alone.
    return [];
  }
  const found = kept.toSorted((a, b) => (alive.get(a) ?? 0) - (alive.get(b) ?? 0));
  const chain = heaviestIncreasing(found.map((id) => ({ position: wanted.get(id) ?? 0, weight: 1 })));
  return found
    .filter((_id, index) => !chain.has(index))
    .map((id) => ({ id, passed: passedBy(id, kept, [made, met]) }));
}

/** Returns which of some rules a rule has passed from one version to another, among those that are in both versions. */
export function passedBy(
  id: string,
  others: readonly string[],
  [before, after]: readonly [readonly ExpectedRule[], readonly ExpectedRule[]],
): readonly string[] {
  const [from, to] = [placesOf(before), placesOf(after)];
  const isBehind = (places: ReadonlyMap<string | null, number>, other: string): boolean =>
    (places.get(id) ?? 0) > (places.get(other) ?? 0);
  return others.filter(
    (other) =>
      [id, other].every((one) => from.has(one) && to.has(one)) &&
      isBehind(from, other) !== isBehind(to, other),
  );
}

function placesOf(rules: readonly ExpectedRule[]): ReadonlyMap<string | null, number> {
  return new Map(rules.map(({ id }, index) => [id, index]));
}
