import { groupBy } from '../../model/group-by.ts';
import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import type { RefusedClaim, Pair, Open } from './pair.ts';
import type { NamedRule } from './name-rules.ts';
import { isNameless } from './name-rules.ts';
import { pairSame } from './pair-same.ts';

/** Which desired rule corresponds to which live rule; numbers are indices into the two lists. */
export interface Matching {
  readonly pairs: readonly Pair[];
  /** Pairs that would match if the desired rule said `adopt: true`: it says the same as a live rule with another `ref`. */
  readonly adoptable: readonly Pair[];
  /** Rules that name a live rule they cannot have. */
  readonly refused: readonly RefusedClaim[];
}

/** Which live rules may be matched. */
export interface MatchOptions {
  /** Whether a live rule is ours. */
  readonly owns: (rule: LiveRule) => boolean;
  /** Whether a live rule may differ as a whole; such a rule is matched by name only, never by content. */
  readonly ignores: (rule: LiveRule) => boolean;
}

/** A key that recognises a rule; undefined when the rule has none. */
type Key = (rule: { readonly ref: string; readonly content: RuleContent }) => string | undefined;

/**
 * The keys that recognise rules without a chosen name, surest first. Rules with equal content are interchangeable, so copies pair in order. A
 * made-up `ref` comes after content, since it derives from content that the rule once had.
 */
const KEYS: readonly { readonly key: Key; readonly copies: 'in-order' | 'ambiguous' }[] = [
  { key: (rule) => canonicalJson(canonicalContent(rule.content)), copies: 'in-order' },
  { key: (rule) => rule.ref, copies: 'ambiguous' },
  { key: (rule) => rule.content.description || undefined, copies: 'ambiguous' },
  { key: (rule) => rule.content.expression.trim() || undefined, copies: 'ambiguous' },
];

/**
 * Matches desired rules with live ones: by the `ref` of the file; by `id` if the file has one; then, for rules without a `ref` in the file or
 * that may adopt, by identical content, made-up `ref`, description, expression. A new `ref` names the nameless live rule of ours that says the
 * same. A rule of others is matched only by a rule with `adopt: true`, or by its anchor. O(n).
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
  takeByLikeness(search, options.ignores);
  const open = { desired, live, openDesired: [...search.openDesired], openLive: [...search.openLive] };
  const adoptable = KEYS.slice(0, 1).flatMap((key) => pairAlike(open, key));
  return { pairs: search.pairs, adoptable, refused };
}

/** The pairs found so far, and what is still open on both sides. */
interface Search {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  /** Whether each live rule is ours, by index. */
  readonly ours: readonly boolean[];
  readonly pairs: Pair[];
  readonly openDesired: Set<number>;
  readonly openLive: Set<number>;
}

function take({ pairs, openDesired, openLive }: Search, pair: Pair): void {
  pairs.push(pair);
  openDesired.delete(pair.desired);
  openLive.delete(pair.live);
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

/** A kind of rules that are recognised by content: which desired rules these are, and which live rules they may match. */
interface Seeking {
  readonly isOne: (rule: NamedRule) => boolean;
  readonly mayBe: (live: LiveRule, isOurs: boolean) => boolean;
  /** Whether they must say the same: then there is no guessing by similarity, and among equal rules any one will do. */
  readonly mustSaySame: boolean;
}

const SEEKING: readonly Seeking[] = [
  {
    isOne: ({ adopt, madeUp }) => !adopt && madeUp === true,
    mayBe: (_, isOurs) => isOurs,
    mustSaySame: false,
  },
  { isOne: ({ adopt }) => adopt, mayBe: () => true, mustSaySame: false },
  // A new `ref` names a nameless rule. A rule from a version comes back as it was, and takes nothing over.
  {
    isOne: ({ adopt, madeUp, exact }) => !adopt && madeUp !== true && exact !== true,
    mayBe: (live, isOurs) => isOurs && isNameless(live),
    mustSaySame: true,
  },
];

/** Pairs rules with equal or similar content. Rules that must not be matched are left out first, so that they cannot use up a partner. */
function takeByLikeness(search: Search, ignores: MatchOptions['ignores']): void {
  const { desired, live, ours, openDesired, openLive } = search;
  const guessable = live.map((rule) => !ignores(rule));
  for (const key of KEYS) {
    for (const { isOne, mayBe, mustSaySame } of SEEKING) {
      const wanted = [...openDesired].filter((index) => {
        const rule = desired[index];
        return rule !== undefined && isOne(rule);
      });
      const free = [...openLive].filter((at) => {
        const rule = live[at];
        return rule !== undefined && guessable[at] === true && mayBe(rule, ours[at] === true);
      });
      const part = { desired, live, openDesired: wanted, openLive: free };
      const isGuess = key.copies === 'ambiguous';
      const alike = mustSaySame && isGuess ? pairSame(part) : pairAlike(part, key);
      alike.forEach((pair) => take(search, pair));
    }
  }
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

function pairAlike(
  { desired, live, openDesired, openLive }: Open,
  { key, copies }: (typeof KEYS)[number],
): readonly Pair[] {
  const left = groupBy(openDesired, (index) => textOf(desired[index], key));
  const right = groupBy(openLive, (index) => textOf(live[index], key));
  const pairs: Pair[] = [];
  for (const [text, wanted] of left) {
    const found = text === undefined ? [] : (right.get(text) ?? []);
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

function textOf(rule: NamedRule | LiveRule | undefined, key: Key): string | undefined {
  return rule === undefined ? undefined : key(rule);
}
