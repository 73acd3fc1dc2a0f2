import { actsOnEveryMatch } from '../model/acts-on-match.ts';
import type { RuleChange } from '../model/change.ts';
import type { PlanNote } from '../model/plan.ts';
import type { RuleContent } from '../model/rule.ts';
import { isEveryRequest } from './protect/conditions.ts';
import { stopsRequests } from './protect/strength.ts';

/**
 * Warnings of rules that now stop or redirect every request: more protection by the letter, and an outage
 * when nobody meant it. Rules that act on less than they match are left out.
 */
export function everyRequestNotes(changes: readonly RuleChange[]): readonly Omit<PlanNote, 'step'>[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'add' && change.kind !== 'patch') {
      return [];
    }
    const already = change.kind === 'patch' && meetsEveryRequest(change.before);
    if (already || !meetsEveryRequest(change.content)) {
      return [];
    }
    const message = `now applies ${change.content.action} to every request`;
    return [{ kind: 'every-request', rule: change.ref, message, cause: change.cause }];
  });
}

const ALSO_ENDS: ReadonlySet<string> = new Set(['redirect', 'serve_error']);

function meetsEveryRequest(content: RuleContent): boolean {
  const ends = stopsRequests(content.action) || ALSO_ENDS.has(content.action);
  return content.enabled && ends && actsOnEveryMatch(content) && isEveryRequest(content.expression);
}
