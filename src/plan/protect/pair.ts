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
import { SAME, stronger, weaker } from './verdict.ts';

/** Whether another rule can decide anything that matters in the place of one with this action: a block leaves nothing more to do. */
export function mayLose(action: string): boolean {
  const strength = strengthOf(action) ?? 0;
  return action === 'execute' || lastDecides(action) || (strength > 0 && strength < FIRMEST);
}

/** Whether it may matter to a rule with this action, or to this one, which of them decides. Of an `execute`, only what it runs tells. */
export function mayMatter(action: string, other: RuleContent): boolean {
  return (
    other.enabled &&
    (action === 'execute' ||
      (lastDecides(action)
        ? other.action === action
        : stopsRequests(action) && firmness(other) > (strengthOf(action) ?? 0)))
  );
}

/** Two enabled rules that some request meets, one of which passed the other. */
interface Pair {
  /** The rule that comes first now and came second before. */
  readonly first: RuleContent;
  readonly second: RuleContent;
  /** The one that was passed, and how many more to which the same happened. */
  readonly other: { readonly ref: string; readonly content: RuleContent; readonly more?: number };
  readonly stand: Stand;
}

/**
 * What it does to protection that one rule passed the other: a rule that protects and now stands behind one that skips it or ends
 * evaluation more softly, a skip that now comes before a rule that protects, or another value where the last one decides. Only what
 * they do decides; an action that this version does not know may do anything.
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
    ? weaker(`${side()}, so that rules which are not known come before ${second.action}`)
    : verdict;
}

/** The first that weakens, else the first that strengthens. */
function heaviest(verdicts: readonly Verdict[]): Verdict {
  const first = (kind: Verdict['kind']): Verdict | undefined =>
    verdicts.find((verdict) => verdict.kind === kind);
  return first('weaker') ?? first('stronger') ?? SAME;
}

/** Of two rules alone, whatever they execute. */
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
    return weaker(`${side()}, and what ${unknown.action} does is not known`);
  }
  if (first.action === second.action && lastDecides(first.action)) {
    const verdict = judgeOver({ winner: second, loser: first, kept: null, stand });
    return verdict.kind === 'same'
      ? SAME
      : { ...verdict, reason: `${side()}, and the one behind decides: ${verdict.reason}` };
  }
  if (first.action === 'skip' && mayProtect(second, stand)) {
    return weaker(`${side()}, so that ${missed()}`);
  }
  if (mayProtect(first, stand) && second.action === 'skip') {
    return stronger(`${side()}, so that ${first.action} comes before a skip`);
  }
  const verdict = judgeOver({ winner: first, loser: second, kept: null, stand });
  return verdict.kind === 'weaker' ? weaker(`${side()}, so that ${verdict.reason}`) : SAME;
}

function mayProtect(content: RuleContent, stand: Stand): boolean {
  return content.action !== 'skip' && ['protects', 'both'].includes(roleOf(content, stand));
}

/** One rule decides and not another, but for what a third one decides anyway. */
interface Decision {
  readonly winner: RuleContent;
  readonly loser: RuleContent;
  readonly kept: RuleContent | null;
  readonly stand: Stand;
}

/** What it does to protection which rule decides. */
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

/** Whether the first rule may end evaluation with less than the second would do. */
function endsSofter(first: RuleContent, second: RuleContent): boolean {
  return stopsRequests(first.action) && (strengthOf(first.action) ?? 0) < firmness(second);
}

/** The most that a rule may do to a request; an executed ruleset may block, and so may an action that this version does not know. */
function firmness({ action }: RuleContent): number {
  return strengthOf(action) ?? (action === 'execute' || !isKnownAction(action) ? FIRMEST : 0);
}

const FIRMEST = strengthOf('block') ?? 0;
