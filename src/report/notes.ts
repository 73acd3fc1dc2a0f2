import type { PlanNoteKind } from '../model/plan.ts';

/** Notes that say what may not be wanted. */
const WARNINGS: ReadonlySet<PlanNoteKind> = new Set<PlanNoteKind>([
  'shadowed',
  'override-reset',
  'override-unknown',
  'override-lock',
  'id-lost',
  'every-request',
  'left-out',
]);

/** Whether a note warns; the others only tell. */
export function isWarning(kind: PlanNoteKind): boolean {
  return WARNINGS.has(kind);
}
