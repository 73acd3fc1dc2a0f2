import { WARNING_NOTE_KINDS } from '../model/plan.ts';
import type { Plan, PlannedScope, PlanNote, PlanNoteKind } from '../model/plan.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import type { Scoped } from './own-ids.ts';
import { saidOf } from './own-ids.ts';
import type { Detail } from './theme.ts';

const WARNINGS: ReadonlySet<PlanNoteKind> = new Set(WARNING_NOTE_KINDS);

/** Whether a note warns; the others only tell. */
export function isWarning(kind: PlanNoteKind): boolean {
  return WARNINGS.has(kind);
}

/**
 * The notes that are shown of a scope. That live spells an expression in another way is the same in every run, often in many
 * scopes: it is shown only where everything is, and counted elsewhere.
 */
export function shownNotes(
  { notes }: Pick<PlannedScope, 'notes'>,
  detail: Detail = 'summed-up',
): readonly PlanNote[] {
  return detail === 'each' ? notes : notes.filter(({ kind }) => kind !== 'respelled');
}

/** How many rules live spells in another way. */
export function countRespelled({ scopes }: Pick<Plan, 'scopes'>): number {
  return plannedScopes(scopes).reduce(
    (count, { notes }) => count + notes.filter(({ kind }) => kind === 'respelled').length,
    0,
  );
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
