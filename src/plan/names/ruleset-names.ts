import type {
  RulesetTarget,
  PlannedScope,
  LiveRuleset,
  RulesetAddress,
  Scope,
  RuleName,
  ListUse,
  DesiredRule,
  DesiredScope,
} from '../../model/index.ts';
import { isWritten, ruleName, referenceFacts, formatPlace, stepId } from '../../model/index.ts';

/** Name that the service gives an entry point created without one (api.md 2.2). */
const ENTRYPOINT_NAME = 'default';

/** Returns the target of a step on the ruleset at an address. */
export function targetOf(scope: Scope, address: RulesetAddress, live: LiveRuleset | null): RulesetTarget {
  return address.kind === 'entrypoint'
    ? {
        kind: 'ruleset',
        level: scope.kind === 'zone' ? 'zone' : 'root',
        phase: address.phase,
        name: live?.name ?? ENTRYPOINT_NAME,
      }
    : { kind: 'ruleset', level: 'custom', phase: address.phase, name: address.name };
}

/** Returns the address of the ruleset that a step acts on. */
export function addressOf({ level, phase, name }: RulesetTarget): RulesetAddress {
  return level === 'custom' ? { kind: 'custom', phase, name } : { kind: 'entrypoint', phase };
}

/** A declared rule that names lists. */
export interface ListingRule extends RuleName {
  readonly step: string;
  readonly cause: DesiredRule['cause'];
  readonly lists: readonly ListUse[];
  /** Whether the plan sends the rule to the service because it is new or changes. */
  readonly written: boolean;
}

/** Whether a rule of a scope names a list of the account. */
export function namesLists({ rulesets }: DesiredScope): boolean {
  return rulesets.some((ruleset) => referenceFacts(ruleset).namesLists);
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
