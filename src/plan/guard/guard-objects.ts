import { isListStep, ofObject, scopeLabel, settingNames } from '../../model/index.ts';
import type {
  GuardFinding,
  ListStep,
  ObjectStep,
  PlannedScope,
  Safety,
  SettingStep,
} from '../../model/index.ts';
import { counted, oneLine, someNames } from '../../text/index.ts';
import { matchesAny } from '../match/name-rules.ts';
import { renamesIn } from '../lists/list-notes.ts';
import type { ListNamingRule } from '../lists/list-rules.ts';
import type { PlannedObject } from '../objects/planned-object.ts';
import { weakenedBy } from '../objects/planned-object.ts';
import { judgedSettingStep } from '../settings/plan-settings.ts';
import { otherAccount, withoutAllowed } from './guard-scope.ts';
import { checkThresholds } from './thresholds.ts';

/** The most rules that a finding names. */
const MOST_NAMED = 3;

/** Adds the steps of lists and settings to the plan of their scope, with the findings of guards about them. */
export function guardObjects(
  plan: PlannedScope,
  {
    objects,
    rules = [],
  }: { readonly objects: readonly PlannedObject[]; readonly rules?: readonly ListNamingRule[] },
  { safety, today }: { readonly safety: Safety; readonly today: string },
): PlannedScope {
  if (objects.length === 0) {
    return plan;
  }
  const steps = objects.map(({ step }) => step);
  const renamed = renamedAway(steps);
  const findings = [
    ...(plan.steps.length === 0 ? otherAccount({ scope: plan.scope, steps }, safety) : []),
    ...objects.flatMap(({ step, findings: own }) => [
      ...ofObject(step, { list: (list) => stillNamed(list, rules), setting: () => [] }),
      ...own.map((one) => (one.kind === 'weakened' ? { ...one, effect: safety.weakened } : one)),
      ...findingsOfStep(step, renamed, safety),
    ]),
  ];
  return {
    ...plan,
    objects: steps,
    findings: [...plan.findings, ...withoutAllowed(findings, safety, today)],
  };
}

/**
 * Runs the guards again on the steps of lists and settings of a plan from a file. What a list does by the rules that name it cannot be judged from the
 * plan alone: what the file calls weakening stays so. What a setting does is judged anew.
 */
export function guardObjectsAgain(
  plan: PlannedScope,
  said: readonly GuardFinding[],
  { safety, today }: { readonly safety: Safety; readonly today: string },
): PlannedScope {
  const { objects = [] } = plan;
  if (objects.length === 0) {
    return plan;
  }
  const judged = objects.map((step) =>
    ofObject(step, { list: (list): ObjectStep => list, setting: judgedAgain }),
  );
  const renamed = renamedAway(judged);
  const findings = [
    ...(plan.steps.length === 0 ? otherAccount({ scope: plan.scope, steps: objects }, safety) : []),
    ...judged.flatMap((step) => [
      ...weakenedAgain(step, said, safety),
      ...findingsOfStep(step, renamed, safety),
    ]),
  ];
  return {
    ...plan,
    objects: judged,
    findings: [...plan.findings, ...withoutAllowed(findings, safety, today)],
  };
}

/** Judges a setting again: a change that the file calls harmless may weaken; what the file calls weakening stays so. */
function judgedAgain(step: SettingStep): ObjectStep {
  const { protection } = judgedSettingStep(step).step;
  return protection.kind === 'weakening' && step.protection.kind !== 'weakening'
    ? { ...step, protection }
    : step;
}

/** A weakening keeps the words of the file: of a list these tell rules that nobody has read again. */
function weakenedAgain(
  step: ObjectStep,
  said: readonly GuardFinding[],
  { weakened: effect }: Safety,
): readonly GuardFinding[] {
  const told = weakenedBy(step, effect);
  const own = said.filter((one) => one.kind === 'weakened' && one.step === step.id);
  return told.length === 0 || own.length === 0 ? told : own.map((one) => ({ ...one, effect }));
}

/** Returns the ids of the steps that delete a list whose items all come under another name, so that none is lost. */
function renamedAway(steps: readonly ObjectStep[]): ReadonlySet<string> {
  return new Set(renamesIn(steps.filter(isListStep)).map(({ former }) => former.id));
}

function findingsOfStep(
  step: ObjectStep,
  renamed: ReadonlySet<string>,
  safety: Safety,
): readonly GuardFinding[] {
  return [
    ...isProtected(step, safety),
    ...ofObject(step, {
      list: (list) => (renamed.has(list.id) ? [] : itemsGone(list, safety)),
      setting: () => [],
    }),
  ];
}

/** Finds rules that still name a list which is deleted; the service refuses that (api.md 9.8). */
function stillNamed(
  { id, operation, target }: ListStep,
  rules: readonly ListNamingRule[],
): readonly GuardFinding[] {
  const users = operation === 'delete' ? rules.filter(({ lists }) => lists.has(target.name)) : [];
  const names = users.map(
    ({ ref, phase, scope }) => `${oneLine(ref)} of ${oneLine(scopeLabel(scope))}/${phase}`,
  );
  return users.length === 0
    ? []
    : [
        {
          kind: 'referenced',
          effect: 'refuse',
          step: id,
          message: `${id} would be deleted, but ${counted(users.length, 'rule')} still ${users.length === 1 ? 'names' : 'name'} it, and the service refuses that: ${someNames(names, MOST_NAMED)}. Remove the list from ${users.length === 1 ? 'it' : 'them'} first`,
        },
      ];
}

/** The names that an entry of `protect` may give: a setting below `zone` also with that, as plans call it. */
function objectNames({ kind, name }: ObjectStep['target']): readonly string[] {
  return kind === 'list' ? [name] : settingNames(name);
}

/** A list that loses all its items is told once: how many these are is no news then. */
function itemsGone(step: ListStep, safety: Safety): readonly GuardFinding[] {
  const all = emptied(step);
  return all.length > 0 ? all : thresholds(step, safety);
}

function emptied({ id, operation, base, items }: ListStep): readonly GuardFinding[] {
  const live = base.kind === 'list' ? base.items : 0;
  if (live === 0 || live + items.add.length > items.remove.length) {
    return [];
  }
  const what = operation === 'delete' ? 'would be deleted with' : 'would lose';
  const message = `${id} ${what} ${live === 1 ? 'its only item' : `all its ${live} items`}`;
  return [{ kind: 'emptied', effect: 'refuse', step: id, message }];
}

function isProtected({ id, operation, target }: ObjectStep, { protect }: Safety): readonly GuardFinding[] {
  const verb = operation === 'delete' ? 'deleted' : 'changed';
  return operation !== 'create' && objectNames(target).some((name) => matchesAny(protect, name))
    ? [{ kind: 'protected', effect: 'refuse', step: id, message: `${id} is protected and would be ${verb}` }]
    : [];
}

/** Items that are replaced by others are deleted items: additions do not make up for them. */
function thresholds({ id, base, items }: ListStep, safety: Safety): readonly GuardFinding[] {
  const live = base.kind === 'list' ? base.items : 0;
  const tally = { subject: id, step: id, live, deleted: items.remove.length, changed: 0 };
  return checkThresholds({ ...tally, what: 'items' }, safety);
}
