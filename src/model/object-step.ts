import type { ListStep } from './list-step.ts';
import type { SettingStep } from './setting.ts';

/** A step on a managed object beside the rulesets: a list of an account, or a setting of a zone. */
export type ObjectStep = ListStep | SettingStep;

/** What one of something is given, by kind of object. */
export interface ByObject<Result> {
  readonly list: (step: ListStep) => Result;
  readonly setting: (step: SettingStep) => Result;
}

/** Asks the one that knows the kind of object of a step. */
export function ofObject<Result>(step: ObjectStep, { list, setting }: ByObject<Result>): Result {
  return isListStep(step) ? list(step) : setting(step);
}

export function isListStep(step: ObjectStep): step is ListStep {
  return step.target.kind === 'list';
}

export function isSettingStep(step: ObjectStep): step is SettingStep {
  return !isListStep(step);
}
