import { assertNever } from '../../model/assert-never.ts';
import { excludes, implies } from '../../expression/implies.ts';
import { groupBy } from '../../model/group-by.ts';
import { compareExpressions } from '../compare/compare-rules.ts';
import { treeOf } from './conditions.ts';
import type { Role } from './role.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, weaker } from './verdict.ts';
import { conditionIn, timeSpans, whenText } from './time-spans.ts';

/**
 * Judges a changed condition by the rule's role: a protecting rule should not narrow, a permitting one not widen. What is proven is said as a fact;
 * without a proof either way the rule may do less.
 */
export function compareReach(before: string, after: string, role: Role): Verdict {
  if (role === 'none' || compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const spans = timeSpans([before, after]);
  const verdicts = spans.map((span) =>
    compareThen(conditionIn(span, before), conditionIn(span, after), role),
  );
  return together(
    [...groupBy(verdicts.entries(), ([, verdict]) => JSON.stringify(verdict)).values()].map((alike) => {
      const [, verdict] = alike[0] ?? [0, SAME];
      const when = whenText(
        alike.flatMap(([index]) => spans[index] ?? []),
        spans,
      );
      return verdict.kind === 'same' ? SAME : { ...verdict, reason: `${verdict.reason}${when}` };
    }),
  );
}

/** Compares conditions in which nothing depends on the time any more. */
function compareThen(before: string, after: string, role: Exclude<Role, 'none'>): Verdict {
  if (compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const one = treeOf(before);
  const other = treeOf(after);
  const wider = one !== undefined && other !== undefined && implies(one, other);
  const narrower = one !== undefined && other !== undefined && implies(other, one);
  if (wider && narrower) {
    return SAME;
  }
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
