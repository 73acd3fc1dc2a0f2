import { actsOnEveryMatch } from '../../model/acts-on-match.ts';
import type { RuleChange } from '../../model/change.ts';
import type { RuleContent } from '../../model/rule.ts';
import { isEveryRequest } from '../protect/conditions.ts';
import { stopsRequests } from '../protect/strength.ts';

/**
 * Whether a change makes a rule stop or redirect every request: more protection by the letter, and an outage where nobody
 * meant it. Rules that act on less than they match are left out.
 */
export function endsEveryRequest(
  change: RuleChange,
): change is Extract<RuleChange, { readonly kind: 'add' | 'patch' }> {
  return (
    (change.kind === 'add' || (change.kind === 'patch' && !meetsEveryRequest(change.before))) &&
    meetsEveryRequest(change.content)
  );
}

const ALSO_ENDS: ReadonlySet<string> = new Set(['redirect', 'serve_error']);

function meetsEveryRequest(content: RuleContent): boolean {
  const ends = stopsRequests(content.action) || ALSO_ENDS.has(content.action);
  return content.enabled && ends && actsOnEveryMatch(content) && isEveryRequest(content.expression);
}
