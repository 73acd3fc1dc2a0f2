import type { ReadClient } from '../../api/client.ts';
import type { ManagedRulesets } from '../../live/managed-rulesets.ts';
import type { PlannedScope } from '../../model/plan.ts';
import type { LiveRulesetHead } from '../../model/ruleset.ts';
import { explainOverrides, overrideChanges } from '../../plan/overrides/explain-overrides.ts';

/** What an explanation needs to look managed rulesets up. */
export interface ExplainMeans {
  readonly client: ReadClient;
  readonly managed: ManagedRulesets;
  /** Heads of the rulesets that the scope sees. */
  readonly catalogue: readonly LiveRulesetHead[];
}

/** The plan with what its overrides do to managed rules, which are looked up only where overrides change. */
export async function explainPlan(
  plan: PlannedScope,
  { client, managed, catalogue }: ExplainMeans,
): Promise<PlannedScope> {
  const known = catalogue.filter(({ kind }) => kind === 'managed').map(({ id }) => id);
  const changes = overrideChanges(plan, new Set(known));
  const ids = [...new Set(changes.map(({ rulesetId }) => rulesetId))];
  const readings = await Promise.all(
    ids.map(async (id) => [id, await managed(client, plan.scope, id)] as const),
  );
  return explainOverrides(plan, changes, new Map(readings));
}
