import { namesField } from '../../expression/index.ts';
import {
  contentToWire,
  expressionMode,
  expressionsIn,
  isListStep,
  isSettingStep,
  isWritten,
  ofObject,
  ruleFieldsOf,
  settingFacts,
} from '../../model/index.ts';
import type { ObjectStep, SettingStep, Step } from '../../model/index.ts';
import { listsNamedByStep } from '../lists/list-rules.ts';
import { withoutItems } from '../lists/reverse-list.ts';
import { withoutFields } from '../settings/reverse-setting.ts';

/** Returns what a step does that another one on the same object does not. */
export function withoutRest(step: ObjectStep, other: ObjectStep | undefined): ObjectStep {
  return ofObject<ObjectStep>(step, {
    list: (list) => withoutItems(list, other !== undefined && isListStep(other) ? other : undefined),
    setting: (one) => withoutFields(one, other !== undefined && isSettingStep(other) ? other : undefined),
  });
}

/** Whether rules that a step writes need an object of the same account or zone: they name the list, or look at what the setting feeds. */
export function needsObject(step: Step, object: ObjectStep): boolean {
  return ofObject(object, {
    list: ({ target }) => listsNamedByStep(step).has(target.name),
    setting: (setting) => looksAtSetting(step, setting),
  });
}

function looksAtSetting({ changes }: Step, { target, fields }: SettingStep): boolean {
  const facts = settingFacts(target.name);
  const names = fields.flatMap(({ path }) => ruleFieldsOf(facts?.fields[path] ?? {}));
  return changes
    .filter(isWritten)
    .some(({ content }) =>
      expressionsIn(contentToWire(content)).some(({ text, role }) =>
        namesField(text, expressionMode(role), names),
      ),
    );
}
