import type { RuleContent } from '../../model/rule.ts';
import { describedName } from '../../model/described-name.ts';
import { isKnownAction } from '../../model/known-action.ts';
import { areApart, conditionOf } from './conditions.ts';
import type { KnownCondition } from './conditions.ts';
import { roleOf, stopsRequests, strengthOf } from './role.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, weaker } from './verdict.ts';
import { judgeAdded, judgeChanged } from './content.ts';

/** A rule that stands behind another one. */
export interface Behind {
  readonly ref: string;
  readonly content: RuleContent;
  /** What is known of its condition, once somebody asked. */
  condition?: KnownCondition | undefined;
}

/**
 * What a rule that is new, or stops more than before, does to the rules behind it: one that ends evaluation
 * more softly than they would takes requests from them. `before` is what it was; null when it is new.
 */
function judgeAhead(before: RuleContent | null, after: RuleContent, behind: readonly Behind[]): Verdict {
  const strength = strengthOf(after.action) ?? 0;
  if (!after.enabled || strength === 0) {
    return SAME;
  }
  let own: KnownCondition | undefined;
  const meets = (condition: KnownCondition, other: Behind): boolean => {
    other.condition ??= conditionOf(other.content.expression);
    return !areApart(condition, other.condition);
  };
  const took = (other: Behind): boolean =>
    before?.enabled === true &&
    endsSofter(before, other.content) &&
    meets(conditionOf(before.expression), other);
  // What is cheap comes first: a look at two conditions costs more than all else.
  const robbed = behind.find(
    (other) =>
      mayBeRobbed(strength, other.content) &&
      meets((own ??= conditionOf(after.expression)), other) &&
      !took(other),
  );
  return robbed === undefined
    ? SAME
    : weaker(
        `comes before ${describedName(robbed.ref, robbed.content.description)}, so that ${after.action} ends evaluation before ${robbed.content.action}`,
      );
}

/** Two enabled rules that some request meets, one of which passed the other. */
interface Pair {
  /** The rule that comes first now and came second before. */
  readonly first: RuleContent;
  readonly second: RuleContent;
  /** The one that was passed. */
  readonly other: { readonly ref: string; readonly content: RuleContent };
}

/**
 * What it does to protection that one rule passed the other: a rule that protects and now stands behind one that skips it or ends
 * evaluation more softly, or a skip that now comes before a rule that protects. Only roles and actions decide; one that this
 * version does not know may do anything.
 */
export function judgePair({ first, second, other }: Pair): Verdict {
  const roles = [roleOf(first), roleOf(second)] as const;
  const side = (): string =>
    `is on the other side of ${describedName(other.ref, other.content.description)} now`;
  const unknown = [first, second].find(({ action }) => !isKnownAction(action));
  if (unknown !== undefined) {
    return weaker(`${side()}, and what ${unknown.action} does is not known`);
  }
  if (roles[0] === 'permits' && roles[1] === 'protects') {
    return weaker(`${side()}, so that a skip comes before ${second.action}`);
  }
  if (roles[0] === 'protects' && roles[1] === 'permits') {
    return stronger(`${side()}, so that ${first.action} comes before a skip`);
  }
  if (endsSofter(first, second)) {
    return weaker(`${side()}, so that ${first.action} ends evaluation before ${second.action}`);
  }
  return SAME;
}

/** Whether the first rule may end evaluation with less than the second would do. */
function endsSofter(first: RuleContent, second: RuleContent): boolean {
  return stopsRequests(first.action) && (strengthOf(first.action) ?? 0) < firmness(second);
}

/** The most that a rule may do to a request; an executed ruleset may block, and so may an action that this version does not know. */
function firmness({ action }: RuleContent): number {
  return strengthOf(action === 'execute' || !isKnownAction(action) ? 'block' : action) ?? 0;
}

/** Whether a rule of this strength in front may take requests from a rule that would stop them more firmly. */
export function mayBeRobbed(strength: number, content: RuleContent): boolean {
  return strength > 0 && content.enabled && firmness(content) > strength;
}

/** What a new rule does to protection where it stands. */
export function judgeNew(content: RuleContent, behind: readonly Behind[]): Verdict {
  return together([judgeAdded(content), judgeAhead(null, content, behind)]);
}

/** What the new content of a rule does to protection where it stands; `moved` is what its way there does. */
export function judgePatched(
  before: RuleContent,
  after: RuleContent,
  {
    phase,
    moved,
    behind,
  }: { readonly phase: string; readonly moved: Verdict; readonly behind: readonly Behind[] },
): Verdict {
  return together([judgeChanged(before, after, phase), moved, judgeAhead(before, after, behind)]);
}
