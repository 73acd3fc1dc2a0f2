import type { ReadClient } from '../../api/index.ts';
import type { ManagedRulesets } from '../../live/index.ts';
import type {
  ManagedLock,
  PlannedScope,
  ScopePlan,
  LiveRulesetHead,
  DesiredScope,
} from '../../model/index.ts';
import {
  deploymentsOf,
  lockNotes,
  movedSinceLock,
  explainOverrides,
  overrideChanges,
  nameSkippedRules,
  skippedManagedRules,
  unknownIds,
} from '../../plan/index.ts';
import type { PlanPurpose } from '../project/selection.ts';

/** What is needed to look up managed rulesets. */
export interface ExplainMeans {
  readonly client: ReadClient;
  readonly managed: ManagedRulesets;
  /** Heads of the rulesets that the scope sees. */
  readonly catalogue: readonly LiveRulesetHead[];
  readonly purpose: PlanPurpose;
}

/**
 * Adds to a plan what its changed overrides do to managed rules (for drift, what live does that the files do not), and the names of the
 * managed rules that its changed rules skip. Fails if changed rules name managed rules or rulesets that do not exist; a migration says itself
 * what its zone lacks.
 */
export async function explainPlan(
  plan: PlannedScope,
  { client, managed, catalogue, purpose }: ExplainMeans,
): Promise<ScopePlan> {
  const known = new Set(catalogue.filter(({ kind }) => kind === 'managed').map(({ id }) => id));
  const changes = overrideChanges(plan, known);
  const skipped = skippedManagedRules(plan, known);
  const ids = [...new Set([...changes.map(({ rulesetId }) => rulesetId), ...skipped.keys()])];
  const readings = await Promise.all(
    ids.map(async (id) => [id, await managed(client, plan.scope, id)] as const),
  );
  const lookUps = new Map(readings);
  const error = purpose.kind === 'migration' ? null : unknownIds(plan, changes, { catalogue, lookUps });
  if (error !== null) {
    return { kind: 'failed', scope: plan.scope, error };
  }
  const tells = purpose.kind === 'drift' ? 'live' : 'plan';
  return nameSkippedRules(explainOverrides(plan, changes, { lookUps, tells }), skipped, lookUps);
}

/**
 * Adds notes to a plan about managed rules that its overrides have come to match, or no longer match, since the lock. Rulesets still
 * at their locked version are not read.
 */
export async function compareLock(
  plan: PlannedScope,
  about: Omit<ExplainMeans, 'purpose'> & { readonly desired: DesiredScope; readonly lock: ManagedLock },
): Promise<PlannedScope> {
  const { client, managed, catalogue, desired, lock } = about;
  const deployments = deploymentsOf(desired, { scope: plan.scope, catalogue });
  const readings = await Promise.all(
    movedSinceLock(deployments, lock).map(async (id) => [id, await managed(client, plan.scope, id)] as const),
  );
  const notes = lockNotes(deployments, lock, new Map(readings));
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}
