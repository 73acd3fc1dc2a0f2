import type { ObjectStep } from '../../model/index.ts';
import { validateListStep, validateSettingStep } from '../generated/validate-plan.mjs';

/** Reads a step on a list or a setting that was recorded, as in a journal; null for what is none, since a journal may be damaged. */
export function readObjectStep(value: unknown): ObjectStep | null {
  return validateListStep(value) || validateSettingStep(value) ? value : null;
}
