import { isReplaced, isWritten, contentToWire, isHidden, textsAround } from '../../model/index.ts';
import type { Step } from '../../model/index.ts';
import { hasReferences, valuesBeside, valuesIn, saidIn } from './redact-text.ts';

/** The secrets of a step that may appear only in its own requests, and what is no secret of it; the same for all its writes. */
export interface StepSecrets {
  readonly phase: string;
  readonly written: readonly string[];
  /** The texts around sensitive values, in clear. */
  readonly clear: string;
}

/** Finds the secrets of a step; takes time quadratic in its changes, so call it once per step. */
export function stepSecrets(step: Step): StepSecrets {
  return { phase: step.target.phase, written: writtenSecrets(step), clear: clearAround(step) };
}

/** Returns the texts that a step writes where live has references to sensitive values, as a reversal does: they may be previous values. */
export function writtenSecrets(step: Step): readonly string[] {
  const { before = '', after = '' } = step.operation === 'update' ? { ...step.description } : {};
  const models = modelsOf(step);
  const written = models.length === 0 ? [] : step.changes.filter(isWritten);
  return secretsAmong([
    ...(isHidden(before) ? [] : valuesIn(after, before, 'all')),
    ...written.flatMap(({ ref, content }) =>
      models.flatMap((model) => {
        const how = ref === model.ref ? 'all' : 'like';
        return valuesBeside(contentToWire(content), contentToWire(model.before), how);
      }),
    ),
  ]);
}

/** Drops values that consist of references only, which are shown as they are. */
export function secretsAmong(values: readonly string[]): readonly string[] {
  return values.filter((value) => textsAround(value).some((text) => text !== ''));
}

/** Returns what is no secret of a step: what the files say in clear or, in a reversal, what stands around sensitive values. */
export function clearIn(step: Step, secrets: readonly string[]): string {
  return secrets.length === 0 ? saidIn([step]) : clearAround(step);
}

function clearAround(step: Step): string {
  const { id, target, changes } = step;
  const around = modelsOf(step).map(({ before }) => contentToWire(before));
  return JSON.stringify([id, target, changes.map(({ ref }) => ref), around]);
}

/**
 * Returns the changes of live rules whose content has references to sensitive values, as in a reversal. Content with marks of hidden texts is
 * left out: a plan that goes forward has these.
 */
function modelsOf({ changes }: Step) {
  return changes
    .filter(isReplaced)
    .filter(({ before }) => hasReferences(before) && !isHidden(JSON.stringify(before)));
}
