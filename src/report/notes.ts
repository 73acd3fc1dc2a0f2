import { WARNING_NOTE_KINDS } from '../model/plan.ts';
import type { Plan, PlanNote, PlanNoteKind } from '../model/plan.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import type { Scoped } from './own-ids.ts';
import { saidOf } from './own-ids.ts';

const WARNINGS: ReadonlySet<PlanNoteKind> = new Set(WARNING_NOTE_KINDS);

/** Whether a note warns; the others only tell. */
export function isWarning(kind: PlanNoteKind): boolean {
  return WARNINGS.has(kind);
}

/** The notes that warn: they need as much attention as what guards find. What is left out is no surprise, and is counted elsewhere. */
export function warningNotes({ scopes }: Pick<Plan, 'scopes'>): readonly (PlanNote & Scoped)[] {
  return plannedScopes(scopes).flatMap((scope) =>
    saidOf(
      scope,
      scope.notes.filter(({ kind }) => isWarning(kind) && kind !== 'left-out'),
    ),
  );
}
