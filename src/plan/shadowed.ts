import { actsOnEveryMatch } from '../model/acts-on-match.ts';
import type { LiveRule, RuleContent } from '../model/rule.ts';
import type { RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { areApart, conditionOf, isWithin } from './protect/conditions.ts';
import { stopsRequests } from './protect/strength.ts';

/** Rules named in a note at most. */
const MOST_NAMED = 3;

/**
 * The note for a new rule that lands behind rules of others which end evaluation for requests that it
 * could match (api.md 4.3): it may never see them. Nothing when there is no such rule.
 */
export function shadowNote(rule: NamedRule, before: readonly LiveRule[]): readonly RuleNote[] {
  const own = conditionOf(rule.content.expression);
  const ending = before.filter(
    (other) => endsEvaluation(other.content) && !areApart(own, conditionOf(other.content.expression)),
  );
  const covering = ending.find(
    (other) => isForGood(other.content) && isWithin(rule.content.expression, other.content.expression),
  );
  if (ending.length === 0) {
    return [];
  }
  const names = ending.slice(0, MOST_NAMED).map((other) => other.ref);
  const more = ending.length > names.length ? ` and ${ending.length - names.length} more` : '';
  const message =
    covering === undefined
      ? `lands behind rules of others that end evaluation: ${names.join(', ')}${more}`
      : `is never reached: ${covering.ref}, a rule of others, ends evaluation for all that it matches`;
  return [{ kind: 'shadowed', rule: rule.ref, message, cause: rule.cause }];
}

/** Whether no later rule of the entry point sees a request that this rule matches. */
function endsEvaluation({ enabled, action, action_parameters }: RuleContent): boolean {
  return (
    enabled &&
    (stopsRequests(action) ||
      action === 'redirect' ||
      action === 'serve_error' ||
      (action === 'skip' && action_parameters?.['ruleset'] === 'current'))
  );
}

/** Whether evaluation ends for all that a rule matches: a challenge lets those pass who have solved one (api.md 4.3). */
function isForGood(content: RuleContent): boolean {
  return actsOnEveryMatch(content) && !content.action.endsWith('challenge');
}
