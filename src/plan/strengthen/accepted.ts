import { assertNever } from '../../model/assert-never.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import type { RuleContent } from '../../model/rule.ts';
import { judgeContent } from '../protect/content.ts';
import type { Stand } from '../protect/stand.ts';
import type { Verdict } from '../protect/verdict.ts';
import { rulesetReferences } from '../../model/ruleset-references.ts';
import { splitReference } from '../names/resolve-targets.ts';

/** Returns why a run that only strengthens leaves a change out, whatever else it does; null: that depends on the other changes. */
export function reasonAgainst(change: RuleChange, stand: Stand): string | null {
  switch (change.kind) {
    case 'delete':
      return 'stays: nothing is deleted';
    case 'add':
      return reasonOf(change, judgeContent(change, stand));
    case 'patch':
      return change.adopts === undefined
        ? reasonOf(change, judgeContent(change, stand))
        : `is not taken over from ${change.adopts}: only the service can say that it keeps its id`;
    case 'move':
      return null;
    default:
      return assertNever(change);
  }
}

function reasonOf(change: RuleChange, verdict: Verdict): string | null {
  return verdict.kind === 'weaker' ? leftBecause(change, verdict.reason) : null;
}

/**
 * Returns why a change is left out given what is done and left undone beside it; null: it does not weaken. A change that newly ends every
 * request is left to people, however much it protects.
 */
export function reasonThere({ protection, ends }: RuleChange): string | null {
  if (protection.kind === 'weakening') {
    return protection.reason;
  }
  return ends?.forth === undefined ? null : `from then on it ${ends.forth}`;
}

/** What becomes of a change that is left out, and why. */
export function leftBecause({ kind }: Pick<RuleChange, 'kind'>, reason: string): string {
  return `${LEFT[kind]}: ${reason}`;
}

const LEFT: Readonly<Record<RuleChange['kind'], string>> = {
  add: 'is not added',
  patch: 'stays as it is',
  move: 'stays where it is',
  delete: 'stays',
};

/** Returns why a whole step is left out; null: its changes decide. */
export function reasonAgainstStep(step: Step): string | null {
  return step.operation === 'delete' ? 'stays: nothing is deleted' : null;
}

/** Returns the custom rulesets that a content names and that have no id yet, as `custom:<slug>`. */
export function unmadeRulesets(content: RuleContent): readonly string[] {
  return rulesetReferences(content).filter((reference) => splitReference(reference)[0] === 'custom');
}
