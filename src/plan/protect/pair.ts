import { decidedParts, lastDecides, onlyParts } from '../../model/decided-parts.ts';
import { describedName } from '../../model/described-name.ts';
import { isKnownAction } from '../../model/known-action.ts';
import type { RuleContent } from '../../model/rule.ts';
import { compareParameters } from './content.ts';
import { roleOf, stopsRequests, strengthOf } from './role.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, weaker } from './verdict.ts';

/** Whether it may matter to a rule with this action, or to this one, which of them decides. */
export function mayMatter(action: string, other: RuleContent): boolean {
  return (
    other.enabled &&
    (lastDecides(action)
      ? other.action === action
      : stopsRequests(action) && firmness(other) > (strengthOf(action) ?? 0))
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
 * evaluation more softly, a skip that now comes before a rule that protects, or another value where the last one decides. Only what
 * they do decides; an action that this version does not know may do anything.
 */
export function judgePair({ first, second, other }: Pair): Verdict {
  const side = (): string =>
    `comes ${first === other.content ? 'behind' : 'before'} ${describedName(other.ref, other.content.description)} now`;
  const unknown = [first, second].find(({ action }) => !isKnownAction(action));
  if (unknown !== undefined) {
    return weaker(`${side()}, and what ${unknown.action} does is not known`);
  }
  if (first.action === second.action && lastDecides(first.action)) {
    const verdict = judgeOver(second, first, null);
    return verdict.kind === 'same'
      ? SAME
      : { ...verdict, reason: `${side()}, and the one behind decides: ${verdict.reason}` };
  }
  if (first.action === 'skip' && roleOf(second) === 'protects') {
    return weaker(`${side()}, so that a skip comes before ${second.action}`);
  }
  if (roleOf(first) === 'protects' && second.action === 'skip') {
    return stronger(`${side()}, so that ${first.action} comes before a skip`);
  }
  const verdict = judgeOver(first, second, null);
  return verdict.kind === 'weaker' ? weaker(`${side()}, so that ${verdict.reason}`) : SAME;
}

/** What it does to protection that one rule decides and not the other, but for what a third one decides anyway. */
export function judgeOver(winner: RuleContent, loser: RuleContent, kept: RuleContent | null): Verdict {
  if (!lastDecides(winner.action)) {
    return endsSofter(winner, loser) && (kept === null || !endsSofter(kept, loser))
      ? weaker(`${winner.action} ends evaluation before ${loser.action}`)
      : SAME;
  }
  const known = new Set(kept === null ? [] : decidedParts(kept));
  const own = new Set(decidedParts(loser));
  const parts = new Set(decidedParts(winner).filter((part) => own.has(part) && !known.has(part)));
  return parts.size === 0
    ? SAME
    : compareParameters(
        { ...loser, action_parameters: onlyParts(loser, parts) },
        { ...winner, action_parameters: onlyParts(winner, parts) },
      );
}

/** Whether the first rule may end evaluation with less than the second would do. */
function endsSofter(first: RuleContent, second: RuleContent): boolean {
  return stopsRequests(first.action) && (strengthOf(first.action) ?? 0) < firmness(second);
}

/** The most that a rule may do to a request; an executed ruleset may block, and so may an action that this version does not know. */
function firmness({ action }: RuleContent): number {
  return strengthOf(action === 'execute' || !isKnownAction(action) ? 'block' : action) ?? 0;
}
