import type { ScopePlan } from '../../model/plan.ts';
import { addressOfRuleset } from '../../model/ruleset.ts';
import type { LiveRuleset, LiveRulesetHead } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import { stepId } from '../plan-ruleset.ts';
import { keptNotes, othersFindings } from './others.ts';
import { restoreScope } from './restore-scope.ts';
import type { Share } from './share.ts';
import { WHOLE } from './share.ts';

/** A ruleset, one of its versions, and what surrounds it. */
export interface RollbackInput {
  readonly scope: Scope;
  readonly live: LiveRuleset;
  readonly version: LiveRuleset;
  /** Managed rulesets that the scope sees. */
  readonly catalogue: readonly LiveRulesetHead[];
  /** What of the ruleset is ours. */
  readonly share: Share;
  /** What goes back: our share, or all of it. */
  readonly extent: 'share' | 'whole';
}

/**
 * The plan that gives a ruleset the rules of one of its versions again. Rules that still live keep their
 * id; those that are gone come back with their `ref` and a new id, and the notes say so. What is not ours stays
 * as and where it is, and the notes name it; where the whole version is wanted, findings name what is touched of it.
 */
export function planRollback({ scope, live, version, catalogue, share, extent }: RollbackInput): ScopePlan {
  const address = addressOfRuleset(live);
  const about = extent === 'whole' ? WHOLE : share;
  const plan = restoreScope({
    scope,
    rulesets: [{ address, before: version, live, share: about }],
    catalogue,
    cause: { version: version.version },
  });
  if (plan.kind === 'failed') {
    return plan;
  }
  const task = { version, live, share };
  return extent === 'whole'
    ? { ...plan, findings: [...othersFindings(plan.steps, task), ...plan.findings] }
    : { ...plan, notes: [...keptNotes(stepId(scope, address), task), ...plan.notes] };
}
