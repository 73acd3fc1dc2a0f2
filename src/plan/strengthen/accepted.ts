import { assertNever } from '../../model/assert-never.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import type { RuleContent } from '../../model/rule.ts';
import { judgeContent } from '../protect/content.ts';
import type { Stand } from '../protect/stand.ts';
import type { Verdict } from '../protect/verdict.ts';
import { rulesetReferences } from '../../model/ruleset-references.ts';
import { splitReference } from '../names/resolve-targets.ts';

/** Why a change is not made by a run that only strengthens, whatever else is done; null: that depends on what else is. */
export function reasonAgainst(change: RuleChange, stand: Stand): string | null {
  switch (change.kind) {
    case 'delete':
      return 'stays: nothing is deleted';
    case 'add':
      return reasonOf(judgeContent(change, stand));
    case 'patch':
      return change.adopts === undefined
        ? reasonOf(judgeContent(change, stand))
        : `is not taken over from ${change.adopts}: only the service can say that it keeps its id`;
    case 'move':
      return null;
    default:
      return assertNever(change);
  }
}

function reasonOf(verdict: Verdict): string | null {
  return verdict.kind === 'weaker' ? leftBecause(verdict.reason) : null;
}

/**
 * Why a change is not made where it stands, beside what is done and what is left; null: it does not weaken. What comes to end every
 * request is for people to make, however much it protects.
 */
export function reasonThere({ protection, ends }: RuleChange): string | null {
  if (protection.kind === 'weakening') {
    return leftBecause(protection.reason);
  }
  return ends?.forth === undefined ? null : leftBecause(`from then on it ${ends.forth}`);
}

function leftBecause(reason: string): string {
  return `stays as it is: ${reason}`;
}

/** Why a step is not taken at all; null: as far as its changes are. */
export function reasonAgainstStep(step: Step): string | null {
  return step.operation === 'delete' ? 'stays: nothing is deleted' : null;
}

/** Custom rulesets that a content names and that have no id yet, as `custom:<slug>`. */
export function unmadeRulesets(content: RuleContent): readonly string[] {
  return rulesetReferences(content).filter((reference) => splitReference(reference)[0] === 'custom');
}
