import { implies } from '../../expression/implies.ts';
import { parseExpression } from '../../expression/parse.ts';
import { compareExpressions } from '../compare-expression.ts';
import type { Role } from './role.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, weaker } from './verdict.ts';

/** What another condition means for a rule of some role: a protecting rule should not narrow, a permitting one not widen. */
export function compareReach(before: string, after: string, role: Role): Verdict {
  if (role === 'none' || compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const one = parseExpression(before);
  const other = parseExpression(after);
  const wider = one.ok && other.ok && implies(one.tree, other.tree);
  const narrower = one.ok && other.ok && implies(other.tree, one.tree);
  switch (role) {
    case 'protects':
      return wider ? stronger('applies to more requests') : weaker('may apply to fewer requests');
    case 'permits':
      return narrower ? stronger('lets fewer requests past') : weaker('may let more requests past');
    case 'both':
      return weaker('applies to other requests');
    default:
      return role satisfies never;
  }
}
