import { isWritten } from '../../model/change.ts';
import { ruleName } from '../../model/described-name.ts';
import type { RuleName } from '../../model/described-name.ts';
import type { ListUse } from '../../model/list.ts';
import type { PlannedScope } from '../../model/plan.ts';
import type { DesiredRule } from '../../model/rule.ts';
import { factsOf } from '../../model/ruleset-facts.ts';
import { formatPlace } from '../../model/source.ts';
import type { DeclaredScope, DesiredScope } from '../../model/state.ts';
import { stepId } from '../../model/step-id.ts';

/** A declared rule that names lists. */
export interface ListingRule extends RuleName {
  readonly step: string;
  readonly cause: DesiredRule['cause'];
  readonly lists: readonly ListUse[];
  /** Whether the plan sends the rule to the service because it is new or changes. */
  readonly written: boolean;
}

/** Whether a rule of a scope names a list of the account. */
export function namesLists({ rulesets }: DeclaredScope): boolean {
  return rulesets.some((ruleset) => factsOf(ruleset).namesLists);
}

/** Returns the declared rules of a scope that name lists, each with whether the plan sends it. */
export function rulesWithLists(desired: DesiredScope, plan: PlannedScope): readonly ListingRule[] {
  const sent = new Map(
    plan.steps.flatMap((step) =>
      step.changes
        .filter(isWritten)
        .map(({ cause, ref }) => [`${step.id} ${formatPlace(cause)}`, ref] as const),
    ),
  );
  return desired.rulesets
    .filter(({ presence }) => presence === 'present')
    .flatMap(({ address, rules }) => {
      const step = stepId(plan.scope, address);
      return rules.flatMap(({ ref, content, lists, cause }) => {
        const written = sent.get(`${step} ${formatPlace(cause)}`);
        return lists === undefined
          ? []
          : [
              {
                step,
                ...ruleName(written ?? ref ?? '', content.description),
                cause,
                lists,
                written: written !== undefined,
              },
            ];
      });
    });
}
