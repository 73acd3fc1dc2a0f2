import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import type { RefusedClaim } from './pair-rules.ts';
import type { NamedRule } from './name-rules.ts';

/** A desired rule together with the live rule that it describes. */
export interface Pair {
  readonly desired: number;
  readonly live: number;
}

/** Which desired rule is which live rule; numbers are indices into the two lists. */
export interface Matching {
  readonly pairs: readonly Pair[];
  /** Rules that would take over a live rule of another `ref` if they said `adopt: true`. */
  readonly adoptable: readonly Pair[];
  /** Rules that name a live rule they cannot have. */
  readonly refused: readonly RefusedClaim[];
}

/** Which live rules may be matched. */
export interface MatchOptions {
  /** Whether a live rule is ours. */
  readonly owns: (rule: LiveRule) => boolean;
  /** Whether a live rule may differ as a whole; it is matched by its name only, never by what it says. */
  readonly ignores: (rule: LiveRule) => boolean;
}

/** What a rule is recognised by; `undefined` where it says nothing. */
type Key = (rule: { readonly ref: string; readonly content: RuleContent }) => string | undefined;

/**
 * What rules without a chosen name are recognised by, surest first. Equal content is interchangeable, so
 * copies pair in order. A made-up `ref` comes after it: it stands for the content that a rule once had.
 */
const KEYS: readonly { readonly key: Key; readonly copies: 'in-order' | 'ambiguous' }[] = [
  { key: (rule) => canonicalJson(canonicalContent(rule.content)), copies: 'in-order' },
  { key: (rule) => rule.ref, copies: 'ambiguous' },
  { key: (rule) => rule.content.description || undefined, copies: 'ambiguous' },
  { key: (rule) => rule.content.expression.trim() || undefined, copies: 'ambiguous' },
];

/**
 * Matches desired rules with live ones: by the `ref` of the file; by `id` where the file carries one; then,
 * for rules that the file gave no `ref` or that may adopt, by identical content, made-up `ref`, description,
 * expression.
 * A rule of others is matched only by a rule that says `adopt: true`, or by its anchor. O(n).
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
  const ours = live.map((rule) => options.owns(rule));
  const pairs: Pair[] = [];
  const openDesired = new Set(desired.keys());
  const openLive = new Set(live.keys());
  const take = (pair: Pair): void => {
    pairs.push(pair);
    openDesired.delete(pair.desired);
    openLive.delete(pair.live);
  };
  const refused: RefusedClaim[] = [];
  const mayTake = (rule: NamedRule, at: number): boolean =>
    rule.adopt || rule.anchor === true || ours[at] === true;
  const keepsRef = (rule: NamedRule, at: number): boolean =>
    rule.adopt || rule.madeUp === true || rule.ref === live[at]?.ref;

  const byRef = new Map(live.map((rule, index) => [rule.ref, index]));
  const byId = desired.some((rule) => rule.id !== undefined)
    ? new Map(live.map((rule, index) => [rule.id, index]))
    : undefined;
  for (const find of [
    (rule: NamedRule) => (rule.madeUp === true ? undefined : byRef.get(rule.ref)),
    (rule: NamedRule) => byId?.get(rule.id ?? ''),
  ]) {
    for (const index of openDesired) {
      const rule = desired[index];
      const at = rule === undefined ? undefined : find(rule);
      if (rule === undefined || at === undefined) {
        continue;
      }
      if (!openLive.has(at)) {
        refused.push({ desired: index, live: at, problem: 'claimed-twice' });
      } else if (!mayTake(rule, at)) {
        refused.push({ desired: index, live: at, problem: 'not-ours' });
      } else if (!keepsRef(rule, at)) {
        refused.push({ desired: index, live: at, problem: 'other-ref' });
      } else {
        take({ desired: index, live: at });
      }
    }
  }
  const guessable = live.map((rule) => !options.ignores(rule));
  for (const { key, copies } of KEYS) {
    for (const adopt of [false, true]) {
      // Only what may be matched takes part, so that what may not never stands in a pair's way.
      const wanted = [...openDesired].filter((index) => {
        const rule = desired[index];
        return rule !== undefined && rule.adopt === adopt && (adopt || rule.madeUp === true);
      });
      const free = [...openLive].filter((at) => guessable[at] === true && (adopt || ours[at] === true));
      const open = { openDesired: new Set(wanted), openLive: new Set(free) };
      pairByKey({ desired, live, ...open, key, copies }).forEach(take);
    }
  }
  const identical = KEYS.slice(0, 1).flatMap(({ key, copies }) =>
    pairByKey({ desired, live, openDesired, openLive, key, copies }),
  );
  return { pairs, adoptable: identical, refused };
}

/**
 * The pairs of rules that the files name, as long as they stand in the same order on both sides: the usual
 * case, told without an index. What does not fit is left to the search.
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
    if (rule.madeUp === true || found === undefined || !(rule.adopt || isOurs(found))) {
      break;
    }
    pairs.push({ desired: pairs.length, live: at });
    at += 1;
  }
  return pairs;
}

interface KeyedSearch {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  readonly openDesired: ReadonlySet<number>;
  readonly openLive: ReadonlySet<number>;
  readonly key: Key;
  readonly copies: 'in-order' | 'ambiguous';
}

function pairByKey(search: KeyedSearch): readonly Pair[] {
  const { desired, live, openDesired, openLive, key, copies } = search;
  const left = groupBy(openDesired, desired, key);
  const right = groupBy(openLive, live, key);
  const pairs: Pair[] = [];
  for (const [text, wanted] of left) {
    const found = right.get(text) ?? [];
    if (copies === 'ambiguous' && (wanted.length > 1 || found.length > 1)) {
      continue;
    }
    wanted.forEach((index, copy) => {
      const at = found[copy];
      if (at !== undefined) {
        pairs.push({ desired: index, live: at });
      }
    });
  }
  return pairs;
}

function groupBy(
  indices: ReadonlySet<number>,
  rules: readonly { readonly ref: string; readonly content: RuleContent }[],
  key: Key,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const index of indices) {
    const rule = rules[index];
    const text = rule === undefined ? undefined : key(rule);
    if (text !== undefined) {
      const group = groups.get(text);
      if (group === undefined) {
        groups.set(text, [index]);
      } else {
        group.push(index);
      }
    }
  }
  return groups;
}
