import { assertNever } from '../../model/assert-never.ts';
import type { RuleChange } from '../../model/change.ts';
import { withCurrentNames } from '../../expression/current-names.ts';
import { jsonEqual } from '../../model/json.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Stand } from './stand.ts';
import { compareRatelimits } from './ratelimits.ts';
import { compareReach } from './reach.ts';
import { strengthOf } from './role.ts';
import { compareTraits, isDoubtfulReach, sharedRole, traitsOf } from './traits.ts';
import type { Traits } from './traits.ts';
import type { Verdict } from './verdict.ts';
import { SAME, together, unproven } from './verdict.ts';

const NOTHING: Traits = new Map();

/** Judges what a change does to protection by the rule's content alone, wherever the rule stands. */
export function judgeContent(change: RuleChange, stand: Stand): Verdict {
  switch (change.kind) {
    case 'add':
      return judgeAdded(change.content, stand);
    case 'patch':
      return judgeChanged(change.before, change.content, stand);
    case 'delete':
      return judgeRemoved(change.before, stand);
    case 'move':
      return SAME;
    default:
      return assertNever(change);
  }
}

/** Judges what a new rule does to protection. A rule that is not enabled does nothing. */
export function judgeAdded(content: RuleContent, stand: Stand): Verdict {
  return content.enabled ? compareTraits(NOTHING, traitsOf(content, stand)) : SAME;
}

/** Judges what the deletion of a rule does to protection. */
export function judgeRemoved(content: RuleContent, stand: Stand): Verdict {
  return content.enabled ? compareTraits(traitsOf(content, stand), NOTHING) : SAME;
}

/** Judges what new content of a rule does to protection. */
export function judgeChanged(old: RuleContent, now: RuleContent, stand: Stand): Verdict {
  const [before, after] = [current(old, stand.phase), current(now, stand.phase)];
  if (!before.enabled || !after.enabled) {
    return before.enabled
      ? switched('off', judgeRemoved(before, stand))
      : switched('on', judgeAdded(after, stand));
  }
  const [had, has] = [traitsOf(before, stand), traitsOf(after, stand)];
  return together([
    compareTraits(had, has),
    before.expression === after.expression
      ? SAME
      : compareReach(before.expression, after.expression, {
          role: sharedRole(had, has),
          action: after.action,
          isDoubtful: isDoubtfulReach(had, has),
        }),
    strengthOf(before.action) === undefined || strengthOf(after.action) === undefined
      ? SAME
      : compareRatelimits(before, after),
    jsonEqual(before.exposed_credential_check, after.exposed_credential_check)
      ? SAME
      : unproven('checks exposed credentials in another way'),
  ]);
}

/** Replaces former field names in a rule's conditions by the current ones, since the name alone changes nothing; only in phases that we know. */
function current(content: RuleContent, phase: string): RuleContent {
  if (phaseFacts(phase) === undefined) {
    return content;
  }
  const { ratelimit } = content;
  const counting = ratelimit?.['counting_expression'];
  const expression = withCurrentNames(content.expression, phase);
  if (typeof counting !== 'string') {
    return expression === content.expression ? content : { ...content, expression };
  }
  return {
    ...content,
    expression,
    ratelimit: { ...ratelimit, counting_expression: withCurrentNames(counting, phase) },
  };
}

/**
 * Words the verdict on a rule that is enabled or disabled, which has the effect of adding or deleting it. Why disabling weakens is left out,
 * since it is obvious.
 */
function switched(to: 'on' | 'off', verdict: Verdict): Verdict {
  if (verdict.kind === 'same') {
    return SAME;
  }
  const why = to === 'on' && verdict.kind === 'weaker' ? `, and ${verdict.reason}` : '';
  return { ...verdict, reason: `is switched ${to}${why}` };
}
