import type { RuleContent } from '../../model/rule.ts';
import { describedName } from '../described-name.ts';
import { areApart, conditionOf } from './conditions.ts';
import type { KnownCondition } from './conditions.ts';
import { roleOf } from './role.ts';
import { stopsRequests, strengthOf } from './strength.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, weaker } from './verdict.ts';

/** A rule that another one passed on its way to its new place. */
export interface Passed {
  readonly ref: string;
  readonly content: RuleContent;
  /** What it said before. */
  readonly before: RuleContent;
  /** `down`: the moved rule stands behind it now. */
  readonly direction: 'up' | 'down';
}

/**
 * What a rule's new place does to protection: a rule that protects and now stands behind one that skips it
 * or ends evaluation more softly, or a skip that now comes before a rule that protects. Rules that are not
 * enabled, or that no request meets both of, do not matter to each other.
 */
export function judgeMoved(content: RuleContent, passed: readonly Passed[]): Verdict {
  if (!content.enabled || passed.length === 0) {
    return SAME;
  }
  return together(
    passed
      .filter((other) => other.content.enabled)
      .map((other) =>
        other.direction === 'down'
          ? judgePair({ first: other.content, second: content, other })
          : judgePair({ first: content, second: other.content, other }),
      ),
  );
}

/** As `judgeMoved`, of the way back to the old place, among rules that say again what they said before. */
export function judgeMovedBack(before: RuleContent, passed: readonly Passed[]): Verdict {
  return judgeMoved(
    before,
    passed.map((other) => ({
      ...other,
      content: other.before,
      direction: other.direction === 'down' ? 'up' : 'down',
    })),
  );
}

/** A rule that stands behind another one. */
export interface Behind {
  readonly ref: string;
  readonly content: RuleContent;
  /** What is known of its condition, once somebody asked. */
  condition?: KnownCondition;
}

/**
 * What a rule that is new, or stops more than before, does to the rules behind it: one that ends evaluation
 * more softly than they would takes requests from them. `before` is what it was; null when it is new.
 */
export function judgeAhead(
  before: RuleContent | null,
  after: RuleContent,
  behind: readonly Behind[],
): Verdict {
  const strength = strengthOf(after.action) ?? 0;
  if (!after.enabled || strength === 0) {
    return SAME;
  }
  const meets = ({ expression }: RuleContent, other: Behind): boolean => {
    other.condition ??= conditionOf(other.content.expression);
    return !areApart(conditionOf(expression), other.condition);
  };
  const took = (other: Behind): boolean =>
    before?.enabled === true && endsSofter(before, other.content) && meets(before, other);
  // What is cheap comes first: a look at two conditions costs more than all else.
  const robbed = behind.find(
    (other) =>
      mayBeRobbed(strength, other.content) &&
      roleOf(other.content) === 'protects' &&
      meets(after, other) &&
      !took(other),
  );
  return robbed === undefined
    ? SAME
    : weaker(
        `comes before ${describedName(robbed.ref, robbed.content.description)}, so that ${after.action} ends evaluation before ${robbed.content.action}`,
      );
}

interface Pair {
  /** The rule that comes first now and came second before. */
  readonly first: RuleContent;
  readonly second: RuleContent;
  /** The one that was passed. */
  readonly other: Passed;
}

function judgePair({ first, second, other }: Pair): Verdict {
  const roles = [roleOf(first), roleOf(second)] as const;
  const side = (): string =>
    `is on the other side of ${describedName(other.ref, other.content.description)} now`;
  const verdict = (): Verdict => {
    if (roles[0] === 'permits' && roles[1] === 'protects') {
      return weaker(`${side()}, so that a skip comes before ${second.action}`);
    }
    if (roles[0] === 'protects' && roles[1] === 'permits') {
      return stronger(`${side()}, so that ${first.action} comes before a skip`);
    }
    if (roles[0] === 'protects' && roles[1] === 'protects' && endsSofter(first, second)) {
      return weaker(`${side()}, so that ${first.action} ends evaluation before ${second.action}`);
    }
    return SAME;
  };
  const result = verdict();
  return result.kind === 'same' || areApart(conditionOf(first.expression), conditionOf(second.expression))
    ? SAME
    : result;
}

/** Whether the first rule may end evaluation with less than the second would do. */
function endsSofter(first: RuleContent, second: RuleContent): boolean {
  return stopsRequests(first.action) && (strengthOf(first.action) ?? 0) < firmness(second);
}

/** The most that a rule may do to a request; an executed ruleset may block. */
function firmness({ action }: RuleContent): number {
  return strengthOf(action === 'execute' ? 'block' : action) ?? 0;
}

/** Whether a rule of this strength in front may take requests from a rule that would stop them more firmly. */
export function mayBeRobbed(strength: number, content: RuleContent): boolean {
  return strength > 0 && content.enabled && firmness(content) > strength;
}
