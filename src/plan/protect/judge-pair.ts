import { decidedParts, lastDecides, onlyParts } from '../../model/decided-parts.ts';
import { describedName } from '../../model/described-name.ts';
import { isKnownAction } from '../../model/known-action.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Stand } from './stand.ts';
import { actingRules, executedRuleset } from './executed.ts';
import { stopsRequests, strengthOf } from './role.ts';
import { compareTraits, roleOf, traitsOf } from './traits.ts';
import type { Traits } from './traits.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, unproven, weaker } from './verdict.ts';

/**
 * Whether it can matter to protection that a rule with this action and another one decide in each other's place. Not for a block: no rule does
 * more.
 */
export function mayLose(action: string): boolean {
  const strength = strengthOf(action) ?? 0;
  return action === 'execute' || lastDecides(action) || (strength > 0 && strength < FIRMEST);
}

/** Whether it may matter which of a rule with this action and another rule decides. For an `execute` only the rules that it runs tell. */
export function mayMatter(action: string, other: RuleContent): boolean {
  return (
    other.enabled &&
    (action === 'execute' ||
      (lastDecides(action)
        ? other.action === action
        : stopsRequests(action) && firmness(other) > (strengthOf(action) ?? 0)))
  );
}

/** Two enabled rules that some request meets both of, one of which passed the other. */
interface Pair {
  /** The rule that comes first now and came second before. */
  readonly first: RuleContent;
  readonly second: RuleContent;
  /** The rule that was passed, and the number of further rules passed with the same effect. */
  readonly other: { readonly ref: string; readonly content: RuleContent; readonly more?: number };
  readonly stand: Stand;
}

/**
 * Judges what it does to protection that one rule passed the other: a protecting rule now comes after one that skips it or ends evaluation more
 * softly, a skip now comes before a protecting rule, or another value wins where the last rule decides. Only what the rules do counts; an
 * action that this version does not know may do anything.
 */
export function judgePair(pair: Pair): Verdict {
  const { first, second, other, stand } = pair;
  const { ref, content, more = 0 } = other;
  const isBehind = first === content;
  const name = (): string => describedName(ref, content.description);
  const side = (): string =>
    `now runs ${isBehind ? 'after' : 'before'} ${name()}${more === 0 ? '' : ` and ${more} more`}`;
  const missed = (): string =>
    isBehind
      ? `requests that ${more === 0 ? `${name()} skips` : 'these skip'} may no longer reach this rule`
      : `requests that this rule skips may no longer reach ${more === 0 ? name() : 'these'}`;
  const ruleset = executedRuleset(first, stand);
  const verdicts = actingRules(first, stand).map((one) => judgeOrder(one, second, { side, missed, stand }));
  const verdict = heaviest(verdicts);
  return ruleset !== undefined && ruleset.rules === undefined && verdict.kind === 'weaker'
    ? unproven(`${side()}, so that rules that are not known come before ${second.action}`)
    : verdict;
}

/** Returns the first verdict that weakens, else the first that strengthens. */
function heaviest(verdicts: readonly Verdict[]): Verdict {
  const first = (kind: Verdict['kind']): Verdict | undefined =>
    verdicts.find((verdict) => verdict.kind === kind);
  return first('weaker') ?? first('stronger') ?? SAME;
}

/** Judges the order of two rules alone, ignoring what they execute. */
function judgeOrder(
  first: RuleContent,
  second: RuleContent,
  {
    side,
    missed,
    stand,
  }: { readonly side: () => string; readonly missed: () => string; readonly stand: Stand },
): Verdict {
  const unknown = [first, second].find(({ action }) => !isKnownAction(action));
  if (unknown !== undefined) {
    return unproven(`${side()}, and what ${unknown.action} does is not known`);
  }
  if (first.action === second.action && lastDecides(first.action)) {
    const verdict = judgeOver({ winner: second, loser: first, kept: null, stand });
    return verdict.kind === 'same'
      ? SAME
      : { ...verdict, reason: `${side()}, and the later one decides: ${verdict.reason}` };
  }
  if (first.action === 'skip' && mayProtect(second, stand)) {
    return weaker(`${side()}, so that ${missed()}`);
  }
  if (mayProtect(first, stand) && second.action === 'skip') {
    return stronger(`${side()}, so that ${first.action} comes before a skip`);
  }
  const verdict = judgeOver({ winner: first, loser: second, kept: null, stand });
  return verdict.kind === 'weaker' ? { ...verdict, reason: `${side()}, so that ${verdict.reason}` } : SAME;
}

function mayProtect(content: RuleContent, stand: Stand): boolean {
  return content.action !== 'skip' && ['protects', 'both'].includes(roleOf(content, stand));
}

/** One rule (`winner`) decides in place of another (`loser`), except what a third one (`kept`) decides anyway. */
interface Decision {
  readonly winner: RuleContent;
  readonly loser: RuleContent;
  readonly kept: RuleContent | null;
  readonly stand: Stand;
}

/** Judges what it does to protection that `winner` decides in place of `loser`. */
export function judgeOver({ winner, loser, kept, stand }: Decision): Verdict {
  if (!lastDecides(winner.action)) {
    return endsSofter(winner, loser) && (kept === null || !endsSofter(kept, loser))
      ? weaker(`${winner.action} ends evaluation before ${loser.action}`)
      : SAME;
  }
  const own = decidedParts(loser);
  const others = kept === null ? undefined : decidedParts(kept);
  const parts = new Set<string>();
  for (const part of decidedParts(winner)) {
    if (own.has(part) && others?.has(part) !== true) {
      parts.add(part);
    }
  }
  if (parts.size === 0) {
    return SAME;
  }
  const expression = `(${loser.expression}) and (${winner.expression})`;
  const deciding = (rule: RuleContent): Traits => traitsOf({ ...onlyParts(rule, parts), expression }, stand);
  return compareTraits(deciding(loser), deciding(winner));
}

/** Whether the first rule may end evaluation with a softer action than the second would. */
function endsSofter(first: RuleContent, second: RuleContent): boolean {
  return stopsRequests(first.action) && (strengthOf(first.action) ?? 0) < firmness(second);
}

/** Returns the firmest thing that a rule may do to a request. An executed ruleset may block, and so may an action that this version does not know. */
export function firmness({ action }: RuleContent): number {
  return strengthOf(action) ?? (action === 'execute' || !isKnownAction(action) ? FIRMEST : 0);
}

const FIRMEST = strengthOf('block') ?? 0;
