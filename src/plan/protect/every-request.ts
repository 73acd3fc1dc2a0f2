import { actsOnEveryMatch } from '../../model/acts-on-match.ts';
import type { RuleContent } from '../../model/rule.ts';
import { isEveryRequest } from './conditions.ts';
import { stopsRequests } from './role.ts';

/**
 * What a rule comes to do that stops or redirects every request and did not before: more protection by the letter, and an
 * outage where nobody meant it. `old` is null for a rule that was not there. Undefined where it is none. Rules that act on less than they match are left out.
 */
export function comesToEndEveryRequest(old: RuleContent | null, now: RuleContent): string | undefined {
  return endsEveryRequest(now) && (old === null || !endsEveryRequest(old))
    ? `applies ${now.action} to every request`
    : undefined;
}

const ALSO_ENDS: ReadonlySet<string> = new Set(['redirect', 'serve_error']);

function endsEveryRequest(content: RuleContent): boolean {
  const ends = stopsRequests(content.action) || ALSO_ENDS.has(content.action);
  return content.enabled && ends && actsOnEveryMatch(content) && isEveryRequest(content.expression);
}
