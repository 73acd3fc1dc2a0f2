import type { LiveRule } from '../../model/rule.ts';
import type { RefusedClaim, Pair } from './pair.ts';
import type { NamedRule } from './name-rules.ts';
import { isNameless } from './name-rules.ts';
import { pairSame } from './pair-same.ts';
import type { MatchOptions, Search } from './search.ts';
import { stillOpen, take } from './search.ts';
import { takeByLikeness } from './take-by-likeness.ts';

/** Which desired rule corresponds to which live rule; numbers are indices into the two lists. */
export interface Matching {
  readonly pairs: readonly Pair[];
  /** Pairs that would match if the desired rule said `adopt: true`: it says the same as a live rule with another `ref`. */
  readonly adoptable: readonly Pair[];
  /** Rules that name a live rule they cannot have. */
  readonly refused: readonly RefusedClaim[];
}

/**
 * Matches desired rules with live ones: by the `ref` of the file; by `id` if the file has one; then by likeness (see `takeByLikeness`). A rule of
 * others is matched only by a rule with `adopt: true`, or by its anchor. O(n).
 */
export function matchRules(
  desired: readonly NamedRule[],
  live: readonly LiveRule[],
  options: MatchOptions,
): Matching {
  const inOrder = pairInOrder(desired, live, options.owns);
  if (inOrder.length === desired.length) {
    return { pairs: inOrder, adoptable: [], refused: [] };
  }
  const search: Search = {
    desired,
    live,
    ours: live.map((rule) => options.owns(rule)),
    pairs: [],
    openDesired: new Set(desired.keys()),
    openLive: new Set(live.keys()),
  };
  const refused = takeByName(search);
  takeByLikeness(search, options);
  return { pairs: search.pairs, adoptable: pairSame(stillOpen(search)), refused };
}

/** Takes the pairs that the files name by `ref`, then by `id`; returns the claims that cannot be met. */
function takeByName(search: Search): readonly RefusedClaim[] {
  const { desired, live, openDesired } = search;
  const byRef = new Map(live.map((rule, index) => [rule.ref, index]));
  const byId = desired.some((rule) => rule.id !== undefined)
    ? new Map(live.map((rule, index) => [rule.id, index]))
    : undefined;
  const refused: RefusedClaim[] = [];
  const bearer = (rule: NamedRule) => (rule.madeUp === true ? undefined : byRef.get(rule.ref));
  const named = (rule: NamedRule) => byId?.get(rule.id ?? '');
  for (const find of [bearer, named]) {
    for (const index of openDesired) {
      const rule = desired[index];
      const at = rule === undefined ? undefined : find(rule);
      if (rule === undefined || at === undefined) {
        continue;
      }
      const other = namesTwo(rule, { bearer: bearer(rule), named: named(rule) });
      const problem = other === undefined ? problemOf(rule, at, search) : 'two-rules';
      if (problem === undefined) {
        take(search, { desired: index, live: at });
      } else if (!refused.some(({ desired: known }) => known === index)) {
        refused.push({ desired: index, live: other ?? at, problem });
      }
    }
  }
  return refused;
}

/**
 * Returns the live rule that a rule names by `id` while another live rule bears its `ref`: nobody can tell which is meant, and the other one
 * would be deleted. An anchor or a rule from a version states both names of its former self; there the `ref` decides.
 */
function namesTwo(
  { exact, anchor }: NamedRule,
  { bearer, named }: { readonly bearer: number | undefined; readonly named: number | undefined },
): number | undefined {
  return exact === true || anchor === true || bearer === undefined || bearer === named ? undefined : named;
}

/** Returns why a rule cannot have the live rule that it names. */
function problemOf(
  { adopt, anchor, madeUp, ref }: NamedRule,
  at: number,
  { live, ours, openLive }: Search,
): RefusedClaim['problem'] | undefined {
  if (!openLive.has(at)) {
    return 'claimed-twice';
  }
  if (!adopt && anchor !== true && ours[at] !== true) {
    return 'not-ours';
  }
  const found = live[at];
  const mayName =
    adopt || madeUp === true || (found !== undefined && (ref === found.ref || isNameless(found)));
  return mayName ? undefined : 'other-ref';
}

/**
 * Pairs the rules that the files name, as long as they stand in the same order on both sides: the usual case, without building an index. The
 * rest is left to the search.
 */
function pairInOrder(
  desired: readonly NamedRule[],
  live: readonly LiveRule[],
  isOurs: MatchOptions['owns'],
): readonly Pair[] {
  const pairs: Pair[] = [];
  let at = 0;
  for (const rule of desired) {
    while (at < live.length && live[at]?.ref !== rule.ref) {
      at += 1;
    }
    const found = live[at];
    if (
      rule.madeUp === true ||
      found === undefined ||
      !(rule.adopt || isOurs(found)) ||
      !isMeant(rule, found)
    ) {
      break;
    }
    pairs.push({ desired: pairs.length, live: at });
    at += 1;
  }
  return pairs;
}

/** Whether a rule can mean the live rule that bears its `ref`, that is, names no other one by `id`. */
export function isMeant({ id, exact }: NamedRule, live: LiveRule): boolean {
  return id === undefined || id === live.id || exact === true;
}
