import { isSettingAsWanted, settingFacts } from '../../model/index.ts';
import type { LiveSetting, SettingFieldChange, SettingStep } from '../../model/index.ts';
import { canonicalJson } from '../../data/index.ts';
import type { ReversedObject } from '../objects/planned-object.ts';

/** Whether a live setting has the values that a step was planned from (`before`), or leads to (`after`). */
export function isSettingAt(
  { target, fields }: Pick<SettingStep, 'target' | 'fields'>,
  live: LiveSetting,
  side: 'before' | 'after',
): boolean {
  return fields.every((change) => isFieldAt(target.name, change, { live, side }));
}

function isFieldAt(
  name: string,
  change: SettingFieldChange,
  { live, side }: { readonly live: LiveSetting; readonly side: 'before' | 'after' },
): boolean {
  const field = settingFacts(name)?.fields[change.path];
  const is = live.values.get(change.path);
  return field !== undefined && change[side] !== null
    ? isSettingAsWanted(field, is, change[side])
    : is === undefined && change[side] === null;
}

/**
 * Returns the step that undoes a step on a setting. Fields that others have changed since are left alone: then nothing of the setting is undone, since
 * its fields belong together. What the service did not show before cannot be put back.
 */
export function reverseSettingStep(step: SettingStep, live: LiveSetting): ReversedObject<SettingStep> {
  if (isSettingAt(step, live, 'before')) {
    return { kind: 'nothing' };
  }
  const fields = step.fields.filter(({ before }) => before !== null);
  return !isSettingAt(step, live, 'after') || fields.length < step.fields.length
    ? { kind: 'touched' }
    : {
        kind: 'step',
        step: {
          ...step,
          fields: fields.map(({ path, before, after }) => ({ path, before: after, after: before })),
          turn: step.turn === 'first' ? 'last' : 'first',
        },
      };
}

/** Returns what a step does that another one does not, by its fields. */
export function withoutFields(step: SettingStep, other: SettingStep | undefined): SettingStep {
  const still = new Set(other?.fields.map(({ path }) => path));
  return { ...step, fields: step.fields.filter(({ path }) => !still.has(path)) };
}

/** Whether a step changes fewer fields than a reviewed one, each in the same way. */
export function isSettingPartOf({ fields }: SettingStep, reviewed: SettingStep): boolean {
  const seen = new Set(reviewed.fields.map((field) => canonicalJson(field)));
  return fields.every((field) => seen.has(canonicalJson(field))) && fields.length < seen.size;
}
