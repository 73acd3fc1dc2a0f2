import type { ManagedLock } from '../../model/managed-lock.ts';
import type { PlannedScope } from '../../model/plan.ts';
import type { DesiredScope } from '../../model/state.ts';
import { deploymentsOf } from '../../plan/lock/make-lock.ts';
import { lockNotes, movedSinceLock } from '../../plan/lock/lock-notes.ts';
import type { ExplainMeans } from './explain-plan.ts';

/** The plan with notes of managed rules that came or went since the lock; rulesets of its versions are not read. */
export async function compareLock(
  plan: PlannedScope,
  about: ExplainMeans & { readonly desired: DesiredScope; readonly lock: ManagedLock },
): Promise<PlannedScope> {
  const { client, managed, catalogue, desired, lock } = about;
  const deployments = deploymentsOf(desired, { scope: plan.scope, catalogue });
  const readings = await Promise.all(
    movedSinceLock(deployments, lock).map(async (id) => [id, await managed(client, plan.scope, id)] as const),
  );
  const notes = lockNotes(deployments, lock, new Map(readings));
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}
