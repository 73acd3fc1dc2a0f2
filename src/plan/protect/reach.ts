import { assertNever } from '../../model/assert-never.ts';
import { excludes, implies } from '../../expression/implies.ts';
import { compareExpressions } from '../compare/compare-rules.ts';
import { treeOf } from './conditions.ts';
import type { Role } from './role.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, weaker } from './verdict.ts';

/**
 * Judges a changed condition by the rule's role: a protecting rule should not narrow, a permitting one not widen. What is proven is said as a fact;
 * without a proof either way the rule may do less.
 */
export function compareReach(before: string, after: string, role: Role): Verdict {
  if (role === 'none' || compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const one = treeOf(before);
  const other = treeOf(after);
  const wider = one !== undefined && other !== undefined && implies(one, other);
  const narrower = one !== undefined && other !== undefined && implies(other, one);
  const apart = (): boolean => one !== undefined && other !== undefined && excludes(one, other);
  switch (role) {
    case 'protects':
      return wider
        ? stronger('applies to more requests')
        : narrower
          ? weaker('applies to fewer requests')
          : apart()
            ? weaker('no longer applies to what it applied to')
            : weaker('may apply to fewer requests');
    case 'permits':
      return narrower
        ? stronger('lets fewer requests past')
        : wider
          ? weaker('lets more requests past')
          : weaker(apart() ? 'lets other requests past' : 'may let more requests past');
    case 'both':
      return weaker('applies to other requests');
    default:
      return assertNever(role);
  }
}
