import { WARNING_NOTE_KINDS } from '../model/plan.ts';
import type { PlanNoteKind } from '../model/plan.ts';

const WARNINGS: ReadonlySet<PlanNoteKind> = new Set(WARNING_NOTE_KINDS);

/** Whether a note warns; the others only tell. */
export function isWarning(kind: PlanNoteKind): boolean {
  return WARNINGS.has(kind);
}
