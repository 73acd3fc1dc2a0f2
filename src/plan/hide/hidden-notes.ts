import type { PlannedScope, PlanNote } from '../../model/plan.ts';
import { hiddenValues } from './hidden-values.ts';
import { mapNote } from './map-plan.ts';
import { clearIn, writtenSecrets } from './written-secrets.ts';

/** Returns the notes of a reversal or rollback without the values that it writes where live has references to sensitive values. */
export function hiddenNotes({ steps, notes }: PlannedScope): readonly PlanNote[] {
  const secrets = notes.length === 0 ? [] : steps.flatMap(writtenSecrets);
  if (secrets.length === 0) {
    return notes;
  }
  const { prose } = hiddenValues(secrets, steps.map((step) => clearIn(step, secrets)).join('\n'));
  return notes.map((note) => mapNote(note, prose));
}
