import { isReplaced, isWritten } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import { isHidden, textsAround } from '../../model/sensitive.ts';
import { hasReferences, valuesBeside, valuesIn } from './hide-text.ts';
import { saidIn } from './hidden-values.ts';

/** What of a step is not to be told beside its own requests, and what is no secret of it: the same for all of its writes. */
export interface StepSecrets {
  readonly phase: string;
  readonly written: readonly string[];
  /** What is told around sensitive values, in clear. */
  readonly clear: string;
}

/** Looks through a step for its secrets; takes time with the square of its changes, so once a step. */
export function stepSecrets(step: Step): StepSecrets {
  return { phase: step.target.phase, written: writtenSecrets(step), clear: clearAround(step) };
}

/** Texts that a step writes where sensitive values stand live, as the way back does: they may be the values of before. */
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

/** Values without those that are nothing but references: they are shown as they are. */
export function secretsAmong(values: readonly string[]): readonly string[] {
  return values.filter((value) => textsAround(value).some((text) => text !== ''));
}

/** What is no secret of a step: what files say in clear, or, on the way back, what is said around sensitive values. */
export function clearIn(step: Step, secrets: readonly string[]): string {
  return secrets.length === 0 ? saidIn([step]) : clearAround(step);
}

function clearAround(step: Step): string {
  const { id, target, changes } = step;
  const around = modelsOf(step).map(({ before }) => contentToWire(before));
  return JSON.stringify([id, target, changes.map(({ ref }) => ref), around]);
}

/** Changes of live rules with sensitive values. What a plan does not show is none: a plan that shows goes forth. */
function modelsOf({ changes }: Step) {
  return changes
    .filter(isReplaced)
    .filter(({ before }) => hasReferences(before) && !isHidden(JSON.stringify(before)));
}
