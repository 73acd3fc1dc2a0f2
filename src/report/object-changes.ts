import { ofObject, readStepId, settingFacts, settingFieldName } from '../model/index.ts';
import type { ObjectStep, PlanSummary, SettingStep } from '../model/index.ts';
import { counted } from '../text/index.ts';
import { LIST_FACETS, listCounts, listKindText, listStateText, listStepCounts } from './list-changes.ts';
import type { ToldItem } from './list-changes.ts';
import type { Perspective } from './perspective.ts';
import type { FieldRow } from './tree.ts';

/** Returns the name of an object for its heading, and what it is: `office`, `list of addresses`. */
export function objectTitle(step: ObjectStep): { readonly name: string; readonly what: string } {
  return ofObject(step, {
    list: (list) => ({ name: list.target.name, what: listKindText(list) }),
    setting: ({ target: { name } }) => ({
      name: settingFieldName(settingFacts(name) ?? { name }),
      what: 'setting',
    }),
  });
}

/** Returns what an object is called in a sentence: `list office`, `setting zone.ssl`. */
export function objectName(step: ObjectStep): string {
  return `${step.target.kind} ${objectTitle(step).name}`;
}

/** Returns what happens to an object as a whole, to be put behind its name; empty for one that stays. */
export function objectStateText(step: ObjectStep, perspective: Perspective['kind']): string {
  return ofObject(step, { list: (list) => listStateText(list, perspective), setting: () => '' });
}

/** Returns the counts of what changes in one object. */
export function objectStepCounts(step: ObjectStep, perspective: Perspective['kind']): string {
  return ofObject(step, {
    list: (list) => listStepCounts(list, perspective),
    setting: ({ fields }) =>
      `${counted(fields.length, 'value')} ${perspective === 'plan' ? 'to change' : 'different'}`,
  });
}

/** Returns the change of a rule whose words and sign a step on an object shares. */
export function objectFacet({ operation }: ObjectStep): ToldItem['kind'] {
  return LIST_FACETS[operation];
}

/** Returns the last part of a summary: `1 list to update, 3 items to add · 2 settings to change`; empty when no object changes. */
export function objectCounts(
  { lists, settings }: PlanSummary,
  perspective: Perspective['kind'],
): readonly string[] {
  return [
    listCounts(lists, perspective),
    settings === undefined
      ? ''
      : `${counted(settings.update, 'setting')} ${perspective === 'plan' ? 'to change' : 'different'}`,
  ];
}

/** Returns the fields of a setting that differ, one row each. */
export function settingRows({ fields }: SettingStep): readonly FieldRow[] {
  return fields.map(({ path, before, after }) => ({
    label: path === '' ? 'value' : path.split('/').slice(1).join('.'),
    group: '',
    value: { kind: 'differs', ...(before === null ? {} : { before }), after },
  }));
}

/** Returns what steps are about, by their ids: `22 rulesets, 1 list and 2 settings`. */
export function stepsText(ids: readonly string[]): string {
  const count = (kind: string): number =>
    ids.filter((id) => readStepId(id).ruleset.startsWith(`${kind}:`)).length;
  const [lists, settings] = [count('list'), count('setting')];
  const rulesets = ids.length - lists - settings;
  const parts = [
    ...(rulesets === 0 && lists + settings > 0 ? [] : [counted(rulesets, 'ruleset')]),
    ...(lists === 0 ? [] : [counted(lists, 'list')]),
    ...(settings === 0 ? [] : [counted(settings, 'setting')]),
  ];
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((text) => text !== '').join(' and ');
}
