import { assertNever } from '../../model/assert-never.ts';
import { excludes, implies } from '../../expression/implies.ts';
import { groupBy } from '../../model/group-by.ts';
import { compareExpressions } from '../compare/compare-rules.ts';
import { treeOf } from './conditions.ts';
import type { Role } from './role.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, unproven, weaker } from './verdict.ts';
import { conditionIn, timeSpans, whenText } from './time-spans.ts';

/** What a rule does for which requests. */
interface ReachingEffect {
  readonly role: Role;
  readonly action: string;
  /** Whether it is not known if the rule does harm; then it is not known of more requests either. */
  readonly isDoubtful?: boolean;
}

/**
 * Judges a changed condition by the rule's role: a protecting rule should not narrow, a permitting one not widen. What is proven is said as a fact;
 * without a proof either way the rule may do less.
 */
export function compareReach(before: string, after: string, effect: ReachingEffect): Verdict {
  const { role } = effect;
  if (role === 'none' || compareExpressions(before, after) !== 'different') {
    return SAME;
  }
  const spans = timeSpans([before, after]);
  const verdicts = spans.map((span) =>
    compareThen(conditionIn(span, before), conditionIn(span, after), { ...effect, role }),
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
function compareThen(
  before: string,
  after: string,
  { role, action, isDoubtful = false }: ReachingEffect & { readonly role: Exclude<Role, 'none'> },
): Verdict {
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
  const lowered = isDoubtful ? unproven : weaker;
  const [does, may] = DOES.get(action) ?? APPLIES;
  switch (role) {
    case 'protects':
      return wider
        ? stronger('applies to more requests')
        : narrower
          ? lowered('applies to fewer requests')
          : apart()
            ? lowered('no longer applies to what it applied to')
            : unproven('may apply to fewer requests');
    case 'permits':
      return narrower
        ? stronger(does('fewer'))
        : wider
          ? lowered(does('more'))
          : apart()
            ? lowered(does('other'))
            : unproven(`may ${may('more')}`);
    case 'both':
      return unproven(does(wider ? 'more' : narrower ? 'fewer' : 'other'));
    default:
      return assertNever(role);
  }
}

/** What a rule does to the requests that it applies to, as a clause and after `may`. */
type Doing = readonly [does: (which: string) => string, may: (which: string) => string];

function doing(one: string, many: string, rest = ''): Doing {
  return [(which) => `${one} ${which} requests${rest}`, (which) => `${many} ${which} requests${rest}`];
}

const APPLIES = doing('applies to', 'apply to');
const DOES: ReadonlyMap<string, Doing> = new Map([
  ['skip', doing('lets', 'let', ' past')],
  ['set_cache_settings', doing('lets the cache answer', 'let the cache answer')],
  ['redirect', doing('redirects', 'redirect')],
  ['rewrite', doing('rewrites', 'rewrite')],
  ['route', doing('routes', 'route')],
]);
