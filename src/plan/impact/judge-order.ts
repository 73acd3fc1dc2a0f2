import {
  decidedParts,
  lastDecides,
  onlyParts,
  isKnownAction,
  describedName,
  stopsRequests,
  strengthOf,
  FIRMEST,
  actionKind,
} from '../../model/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { compareSecurityEffects, effectDirectionOf, securityEffectsOf } from './rule-effects.ts';
import type { SecurityEffects } from './rule-effects.ts';
import { actingRules, executedRuleset } from './executed-rules.ts';
import { arePlainlyApart, conditionOf } from './conditions.ts';
import type { KnownCondition, Proofs } from './conditions.ts';
import type { EffectContext, SecurityImpact } from './security-effect.ts';
import { SAME, stronger, unproven, weaker, together } from './security-effect.ts';
import { judgeAdded, judgeChanged, judgeRemoved } from './judge-content.ts';

/**
 * Whether it can matter to protection that a rule with this action and another one decide in each other's place. Not for a block: no rule does
 * more.
 */
export function mayLose(action: string): boolean {
  const strength = strengthOf(action) ?? 0;
  return actionKind(action) === 'execute' || lastDecides(action) || (strength > 0 && strength < FIRMEST);
}

/** Whether it may matter which of a rule with this action and another rule decides. For an `execute` only the rules that it runs tell. */
export function mayMatter(action: string, other: RuleContent): boolean {
  return (
    other.enabled &&
    (actionKind(action) === 'execute' ||
      (lastDecides(action)
        ? other.action === action
        : stopsRequests(action) && firmness(other) > (strengthOf(action) ?? 0)))
  );
}

/** Two enabled rules that some request meets both of, one of which passed the other. */
interface PassedPair {
  /** The rule that comes first now and came second before. */
  readonly first: RuleContent;
  readonly second: RuleContent;
  /** The rule that was passed, and the number of further rules passed with the same effect. */
  readonly other: { readonly ref: string; readonly content: RuleContent; readonly more?: number };
  readonly context: EffectContext;
}

/**
 * Judges what it does to protection that one rule passed the other: a protecting rule now comes after one that skips it or ends evaluation more
 * softly, a skip now comes before a protecting rule, or another value wins where the last rule decides. Only what the rules do counts; an
 * action that this version does not know may do anything.
 */
export function judgePair(pair: PassedPair): SecurityImpact {
  const { first, second, other, context } = pair;
  const { ref, content, more = 0 } = other;
  const isBehind = first === content;
  const name = (): string => describedName(ref, content.description);
  const side = (): string =>
    `now runs ${isBehind ? 'after' : 'before'} ${name()}${more === 0 ? '' : ` and ${more} more`}`;
  const missed = (): string =>
    isBehind
      ? `requests that ${more === 0 ? `${name()} skips` : 'these skip'} may no longer reach this rule`
      : `requests that this rule skips may no longer reach ${more === 0 ? name() : 'these'}`;
  const ruleset = executedRuleset(first, context);
  const verdicts = actingRules(first, context).map((one) =>
    judgeOrder(one, second, { side, missed, context }),
  );
  const verdict = mostSevere(verdicts);
  return ruleset !== undefined && ruleset.rules === undefined && verdict.kind === 'weaker'
    ? unproven(`${side()}, so that rules that are not known come before ${second.action}`)
    : verdict;
}

/** Returns the first verdict that weakens, else the first that strengthens. */
function mostSevere(verdicts: readonly SecurityImpact[]): SecurityImpact {
  const first = (kind: SecurityImpact['kind']): SecurityImpact | undefined =>
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
    context,
  }: { readonly side: () => string; readonly missed: () => string; readonly context: EffectContext },
): SecurityImpact {
  const unknown = [first, second].find(({ action }) => !isKnownAction(action));
  if (unknown !== undefined) {
    return unproven(`${side()}, and what ${unknown.action} does is not known`);
  }
  if (first.action === second.action && lastDecides(first.action)) {
    const verdict = judgeOver({ winner: second, loser: first, kept: null, context });
    return verdict.kind === 'same'
      ? SAME
      : { ...verdict, reason: `${side()}, and the later one decides: ${verdict.reason}` };
  }
  if (actionKind(first.action) === 'skip' && mayProtect(second, context)) {
    return weaker(`${side()}, so that ${missed()}`);
  }
  if (mayProtect(first, context) && actionKind(second.action) === 'skip') {
    return stronger(`${side()}, so that ${first.action} comes before a skip`);
  }
  const verdict = judgeOver({ winner: first, loser: second, kept: null, context });
  return verdict.kind === 'weaker' ? { ...verdict, reason: `${side()}, so that ${verdict.reason}` } : SAME;
}

function mayProtect(content: RuleContent, context: EffectContext): boolean {
  return (
    actionKind(content.action) !== 'skip' &&
    ['protects', 'both'].includes(effectDirectionOf(content, context))
  );
}

/** One rule (`winner`) decides in place of another (`loser`), except what a third one (`kept`) decides anyway. */
interface Decision {
  readonly winner: RuleContent;
  readonly loser: RuleContent;
  readonly kept: RuleContent | null;
  readonly context: EffectContext;
}

/** Judges what it does to protection that `winner` decides in place of `loser`. */
function judgeOver({ winner, loser, kept, context }: Decision): SecurityImpact {
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
  const deciding = (rule: RuleContent): SecurityEffects =>
    securityEffectsOf({ ...onlyParts(rule, parts), expression }, context);
  return compareSecurityEffects(deciding(loser), deciding(winner));
}

/** Whether the first rule may end evaluation with a softer action than the second would. */
function endsSofter(first: RuleContent, second: RuleContent): boolean {
  return stopsRequests(first.action) && (strengthOf(first.action) ?? 0) < firmness(second);
}

/** Returns the firmest thing that a rule may do to a request. An executed ruleset may block, and so may an action that this version does not know. */
export function firmness({ action }: RuleContent): number {
  return strengthOf(action) ?? (actionKind(action) === 'execute' || !isKnownAction(action) ? FIRMEST : 0);
}

/** A rule that exists before and after. */
export interface Neighbour {
  readonly ref: string;
  readonly content: RuleContent;
  /** Its index among the live rules. */
  readonly live: number;
  /** Its index in the final order among the rules that exist before and after. */
  readonly at: number;
  /** Its condition, set once somebody asked for it. */
  condition?: KnownCondition | undefined;
}

/** Where a rule stands, and the rules around it that exist before and after. */
export interface RuleNeighbours {
  readonly context: EffectContext;
  readonly proofs: Proofs;
  /** The rules that may be affected, in the final order. */
  readonly rules: readonly Neighbour[];
  /** How many of all rules that exist before and after precede it in the end. */
  readonly ahead: number;
  /** Its own index among the live rules; absent for a new rule. */
  readonly live?: number;
}

/** Judges what a new rule does to protection at its place. */
export function judgeNew(content: RuleContent, around: RuleNeighbours): SecurityImpact {
  return together([judgeAdded(content, around.context), judgeTaken(null, content, around)]);
}

/** Judges what the deletion of a rule does to protection at its place. */
export function judgeGone(content: RuleContent, around: RuleNeighbours): SecurityImpact {
  return together([judgeRemoved(content, around.context), judgeLeft(content, null, around)]);
}

/** Judges what new content of a rule does to protection at its place; `moved` is the verdict on its move. */
export function judgePatched(
  before: RuleContent,
  after: RuleContent,
  { moved, around }: { readonly moved: SecurityImpact; readonly around: RuleNeighbours },
): SecurityImpact {
  return together([
    judgeChanged(before, after, around.context),
    moved,
    judgeTaken(before, after, around),
    judgeLeft(before, after, around),
  ]);
}

/**
 * Judges what a rule that is new, or does more than before, takes from rules that would decide without it: from rules after it that would end
 * evaluation more firmly or, where the last rule decides, from rules before it. The rules that it executes take likewise. `before` is the
 * former content; null when the rule is new.
 */
function judgeTaken(before: RuleContent | null, after: RuleContent, around: RuleNeighbours): SecurityImpact {
  const { context } = around;
  const isSame = before?.action_parameters?.['id'] === after.action_parameters?.['id'];
  const did = before === null || !isSame ? [] : actingRules(before, context);
  const verdicts = actingRules(after, context).map((rule, at) => takenBy(did[at] ?? before, rule, around));
  return verdicts.find(({ kind }) => kind === 'weaker') ?? SAME;
}

function takenBy(before: RuleContent | null, after: RuleContent, around: RuleNeighbours): SecurityImpact {
  const isLast = lastDecides(after.action);
  return firstLoss({
    own: after,
    kept: before,
    others: ({ at }) => at < around.ahead === isLast,
    over: (other, kept) => judgeOver({ winner: after, loser: other, kept, context: around.context }),
    tell: (name, reason) =>
      isLast
        ? `comes after ${name} and decides in its place: ${reason}`
        : `comes before ${name}, so that ${reason}`,
    around,
  });
}

/** Judges what a rule that is deleted, or does less than before, leaves to the rules before it, where the last rule decides. */
function judgeLeft(before: RuleContent, after: RuleContent | null, around: RuleNeighbours): SecurityImpact {
  const { live = 0 } = around;
  return lastDecides(before.action)
    ? firstLoss({
        own: before,
        kept: after,
        others: (other) => other.live < live,
        over: (other, kept) => judgeOver({ winner: other, loser: before, kept, context: around.context }),
        tell: (name, reason, isAll) =>
          `${name} decides in its place${isAll ? '' : ' where both match'}: ${reason}`,
        around,
      })
    : SAME;
}

interface Loss {
  /** The rule as it takes over or leaves requests. */
  readonly own: RuleContent;
  readonly kept: RuleContent | null;
  readonly others: (other: Neighbour) => boolean;
  /** Judges that the other rule and this one swap who decides requests that both match, except what `kept` decides anyway. */
  readonly over: (other: RuleContent, kept: RuleContent | null) => SecurityImpact;
  /** `isAll` says whether the other rule provably matches everything that this one does. */
  readonly tell: (name: string, reason: string, isAll: boolean) => string;
  readonly around: RuleNeighbours;
}

/** Finds the first rule because of which the change weakens. Cheap checks come first, since a proof costs more than all others. */
function firstLoss({ own, kept, others, over, tell, around }: Loss): SecurityImpact {
  if (!own.enabled || !mayLose(own.action)) {
    return SAME;
  }
  let condition: KnownCondition | undefined;
  for (const other of around.rules) {
    const { content } = other;
    if (other.live === around.live || !others(other) || !mayMatter(own.action, content)) {
      continue;
    }
    condition ??= conditionOf(own.expression);
    other.condition ??= conditionOf(content.expression);
    if (
      arePlainlyApart(condition, other.condition) ||
      over(content, null).kind !== 'weaker' ||
      around.proofs.areApart(condition, other.condition)
    ) {
      continue;
    }
    const isMet = kept !== null && meetsAsMuch(around.proofs, { kept, own, other: content });
    const verdict = over(content, isMet ? kept : null);
    if (verdict.kind === 'weaker') {
      const isAll = around.proofs.isWithin(own.expression, content.expression);
      return {
        ...verdict,
        reason: tell(describedName(other.ref, content.description), verdict.reason, isAll),
      };
    }
  }
  return SAME;
}

/** Whether a rule, on the other side of its change, matches all requests that it has in common with another rule. */
function meetsAsMuch(
  { isWithin }: Proofs,
  {
    kept,
    own,
    other,
  }: { readonly kept: RuleContent; readonly own: RuleContent; readonly other: RuleContent },
): boolean {
  return (
    kept.enabled &&
    (kept.expression === own.expression ||
      isWithin(own.expression, kept.expression) ||
      isWithin(other.expression, kept.expression))
  );
}
