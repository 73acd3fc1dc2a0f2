import {
  contentToWire,
  expressionsIn,
  formatPlace,
  isSettingAsWanted,
  planName,
  settingFacts,
  settingFieldName,
  settingPlanNeeded,
  settingStepId,
} from '../../model/index.ts';
import type {
  DesiredSetting,
  GuardFinding,
  LiveScope,
  LiveSetting,
  PlanError,
  Scope,
  SettingFacts,
  SettingFieldChange,
  SettingStep,
  Step,
} from '../../model/index.ts';
import { rulesLeft } from '../guard/referenced.ts';
import { protectionOf } from '../impact/security-effect.ts';
import type { PlannedObject } from '../objects/planned-object.ts';
import { weakenedBy } from '../objects/planned-object.ts';
import type { SettingUser } from './judge-setting.ts';
import { judgeSetting } from './judge-setting.ts';

/** What the settings of a zone are planned from. */
export interface SettingsInput {
  readonly scope: Scope;
  readonly desired: readonly DesiredSetting[];
  /** The live settings, by name. */
  readonly live: ReadonlyMap<string, LiveSetting>;
  /** The rules of the zone when its steps are done (`settingUsers`). */
  readonly users: readonly SettingUser[];
}

/** The plan of a zone's settings, or why there is none. */
export type PlannedSettings =
  | { readonly kind: 'planned'; readonly settings: readonly PlannedObject<SettingStep>[] }
  | { readonly kind: 'failed'; readonly error: PlanError };

/** Plans the settings of a zone: one step for each that differs in a field that the files name. */
export function planSettings(input: SettingsInput): PlannedSettings {
  const changing = input.desired.flatMap((desired) => {
    const facts = settingFacts(desired.name);
    const live = input.live.get(desired.name);
    const fields = facts === undefined || live === undefined ? [] : changedFields(facts, desired, live);
    return facts === undefined || fields.length === 0 ? [] : [{ facts, desired, live, fields }];
  });
  const fixed = changing.filter(({ live }) => live?.editable === false);
  if (fixed.length > 0) {
    return {
      kind: 'failed',
      error: {
        code: 'plan/setting-read-only',
        message: fixed
          .map(
            ({ facts, desired: { cause } }) =>
              `${formatPlace(cause)}: the service does not let the setting ${settingFieldName(facts)} of this zone be changed`,
          )
          .join('\n'),
        hint: 'mostly the plan of the zone does not include it, or something else governs it: leave it out',
      },
    };
  }
  return {
    kind: 'planned',
    settings: changing
      .map(({ facts, desired, fields }) => plannedSetting(facts, { desired, fields, input }))
      .toSorted((a, b) => TURNS.indexOf(a.step.turn) - TURNS.indexOf(b.step.turn)),
  };
}

const TURNS: readonly SettingStep['turn'][] = ['first', 'last'];

function changedFields(
  facts: SettingFacts,
  { fields }: DesiredSetting,
  { values }: LiveSetting,
): readonly SettingFieldChange[] {
  return fields.flatMap(({ path, value }) => {
    const field = facts.fields[path];
    const live = values.get(path);
    return field === undefined || isSettingAsWanted(field, live, value)
      ? []
      : [{ path, before: live ?? field.standard ?? null, after: value }];
  });
}

function plannedSetting(
  facts: SettingFacts,
  {
    desired,
    fields,
    input: { scope, users },
  }: {
    readonly desired: Pick<DesiredSetting, 'cause'>;
    readonly fields: readonly SettingFieldChange[];
    readonly input: SettingsInput;
  },
): PlannedObject<SettingStep> {
  const id = settingStepId(scope, facts.name);
  const planned = judgedSettingStep(
    {
      id,
      operation: 'update',
      target: { kind: 'setting', name: facts.name },
      fields,
      protection: { kind: 'neutral' },
      turn: 'first',
      cause: desired.cause,
    },
    users,
  );
  return { ...planned, findings: [...planned.findings, ...beyondPlan(facts, { id, fields, scope })] };
}

/** Judges a step on a setting: its protection and turn, and what guards have to say of it. */
export function judgedSettingStep(
  step: SettingStep,
  users: readonly SettingUser[] = [],
): PlannedObject<SettingStep> {
  const protection = protectionOf(judgeSetting(step.target.name, step.fields, users));
  const judged: SettingStep = {
    ...step,
    protection,
    turn: protection.kind === 'weakening' ? 'last' : 'first',
  };
  return { step: judged, findings: weakenedBy(judged, 'warn') };
}

/** Finds values that the plan of the zone does not include. The service has the last word: add-ons are not known here. */
function beyondPlan(
  facts: SettingFacts,
  {
    id,
    fields,
    scope,
  }: { readonly id: string; readonly fields: readonly SettingFieldChange[]; readonly scope: Scope },
): readonly GuardFinding[] {
  return fields.flatMap(({ path, after }): readonly GuardFinding[] => {
    const field = facts.fields[path];
    const level = field === undefined ? undefined : settingPlanNeeded(field, after, scope.plan);
    return level === undefined
      ? []
      : [
          {
            kind: 'quota',
            effect: 'warn',
            step: id,
            message: `${id}: ${settingFieldName(facts, path)} ${JSON.stringify(after)} needs the ${planName(level)} plan, and the zone has ${planName(scope.plan ?? '')}. The service has the last word`,
          },
        ];
  });
}

/** Returns the rules of a zone that may depend on its settings: those that remain when its steps are done. */
export function settingUsers(steps: readonly Step[], live: LiveScope): readonly SettingUser[] {
  return rulesLeft(steps, live).map(({ ref, content }) => ({
    name: ref,
    expressions: expressionsIn(contentToWire(content)),
  }));
}
