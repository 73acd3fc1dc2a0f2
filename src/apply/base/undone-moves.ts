import type { ExpectedRule } from '../../plan/requests/expect.ts';
import { heaviestIncreasing } from '../../plan/rules/increasing.ts';

/** Where rules stand to each other: as our plan wants it, as our write met them, and as it left them. */
export interface Places {
  /** Ids of the rules that our plan does not place, in the order that they have in it. */
  readonly staying: readonly string[];
  readonly met: readonly ExpectedRule[];
  readonly made: readonly ExpectedRule[];
}

/** A rule that somebody moved and that our write put back. */
export interface UndoneMove {
  readonly id: string;
  /** The rules that it had passed. */
  readonly passed: readonly string[];
}

/**
 * What our write undid of the moves of others, as few as explain where the rules stood, in that order. A list says the order of all rules,
 * also of those that nobody wanted to move. What our plan places itself is meant to stand where it puts it.
 */
export function undoneMoves({ staying, met, made }: Places): readonly UndoneMove[] {
  const alive = placesOf(met);
  const left = placesOf(made);
  const kept = staying.filter((id) => alive.has(id) && left.has(id));
  const wanted = new Map(kept.map((id, index) => [id, index]));
  const placed = kept.map((id) => left.get(id) ?? 0);
  if (placed.some((place, index) => place < (placed[index - 1] ?? 0))) {
    // Requests for single rules leave the others where they are.
    return [];
  }
  const found = kept.toSorted((a, b) => (alive.get(a) ?? 0) - (alive.get(b) ?? 0));
  const chain = heaviestIncreasing(found.map((id) => ({ position: wanted.get(id) ?? 0, weight: 1 })));
  return found
    .filter((_id, index) => !chain.has(index))
    .map((id) => ({ id, passed: passedBy(id, kept, [made, met]) }));
}

/** Which of some rules a rule has passed from one version to another, of those that are in both. */
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
