import type { AllowableKind } from './guard.ts';
import { isAllowable } from './guard.ts';
import { isSettingStep } from './object-step.ts';
import type { ObjectStep } from './object-step.ts';
import { NOT_CHECKED } from './plan.ts';
import type { FailedScope, Plan, PlannedScope, ScopePlan, Step } from './plan.ts';
import { mayStopRequests } from './setting-values.ts';
import { settingFacts } from './settings.ts';

export function plannedScopes(scopes: readonly ScopePlan[]): readonly PlannedScope[] {
  return scopes.filter((scope) => scope.kind === 'planned');
}

/** Returns the planned scopes that have steps. */
export function changingScopes(scopes: readonly ScopePlan[]): readonly PlannedScope[] {
  return plannedScopes(scopes).filter(changesScope);
}

/** Whether a scope has steps, on rulesets or on other objects. */
export function changesScope({ steps, objects = [] }: Pick<PlannedScope, 'steps' | 'objects'>): boolean {
  return steps.length + objects.length > 0;
}

/** Whether a plan changes anything. */
export function changesAnything({ scopes }: Pick<Plan, 'scopes'>): boolean {
  return changingScopes(scopes).length > 0;
}

/** Returns the kinds of findings for which guards refuse the plan until somebody allows them, each once. */
export function refusedKinds({
  scopes,
  findings = [],
}: Pick<Plan, 'scopes' | 'findings'>): readonly AllowableKind[] {
  const all = [...findings, ...plannedScopes(scopes).flatMap((scope) => scope.findings)];
  const kinds = all.filter(({ effect }) => effect === 'refuse').map(({ kind }) => kind);
  return [...new Set(kinds)].filter(isAllowable);
}

/** Whether a scope was not planned only because the request bound left it to a later run. */
export function isUnchecked({ error }: Pick<FailedScope, 'error'>): boolean {
  return error.code === NOT_CHECKED;
}

/** Returns the scopes that could not be planned. */
export function failedScopes(scopes: readonly ScopePlan[]): readonly FailedScope[] {
  return scopes.filter((scope) => scope.kind === 'failed');
}

/** Returns the ids of all steps, in the order of the plan. */
export function allStepIds(scopes: readonly ScopePlan[]): readonly string[] {
  return plannedScopes(scopes).flatMap(stepIds);
}

/** Returns the ids of the steps of a scope: those on its lists and settings first. */
export function stepIds({ steps, objects = [] }: Pick<PlannedScope, 'steps' | 'objects'>): readonly string[] {
  return [...objects, ...steps].map(({ id }) => id);
}

/** Returns the steps on lists and settings of all scopes. */
export function objectSteps(scopes: readonly ScopePlan[]): readonly ObjectStep[] {
  return plannedScopes(scopes).flatMap(({ objects = [] }) => objects);
}

export function allSteps(scopes: readonly ScopePlan[]): readonly Step[] {
  return plannedScopes(scopes).flatMap(({ steps }) => steps);
}

/** Returns the ids of the steps on settings that may stop requests without recorded ones showing it. */
export function settingsNotReplayed(scopes: readonly ScopePlan[]): readonly string[] {
  return objectSteps(scopes)
    .filter(isSettingStep)
    .filter(({ target, fields }) => {
      const facts = settingFacts(target.name);
      return fields.some((change) => {
        const field = facts?.fields[change.path];
        return field === undefined || mayStopRequests(field, change);
      });
    })
    .map(({ id }) => id);
}
