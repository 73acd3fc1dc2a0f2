import pLimit from 'p-limit';
import {
  errorFacts,
  isAchieved,
  isFailure,
  isListStep,
  isSettingStep,
  knownError,
  ofObject,
  stepIds,
} from '../../model/index.ts';
import type { ObjectStep, Outcome, PlannedScope } from '../../model/index.ts';
import { needsObject } from '../../plan/index.ts';
import { insisting } from '../base/look-up.ts';
import { LIST_OBJECTS } from '../lists/apply-list.ts';
import { SETTING_OBJECTS } from '../settings/apply-setting.ts';
import { notingReceipts } from '../write/receipts.ts';
import type { WriteAccess } from '../write/scope-run.ts';
import { stopped } from '../write/write-failure.ts';
import type { ObjectReading, ObjectRun } from './object-run.ts';

/** A scope with steps on its lists or settings, and what carrying them out takes. */
export interface ObjectScope {
  readonly plan: PlannedScope;
  readonly objects: readonly ObjectStep[];
  readonly run: ObjectRun;
}

/** Returns the scopes of a plan that have steps on objects. */
export function objectScopes(
  scopes: readonly { readonly plan: PlannedScope; readonly access: WriteAccess }[],
  shared: Pick<ObjectRun, 'journal' | 'clock' | 'report' | 'signal'>,
): readonly ObjectScope[] {
  return scopes.flatMap(({ plan, access }) =>
    plan.objects === undefined
      ? []
      : [{ plan, objects: plan.objects, run: { scope: plan.scope, access, ...shared } }],
  );
}

function applyObject(step: ObjectStep, given: ObjectRun): Promise<Outcome> {
  const run = notingRun(given);
  return ofObject(step, {
    list: (list) => LIST_OBJECTS.apply(list, run),
    setting: (setting) => SETTING_OBJECTS.apply(setting, run),
  });
}

function notingRun(run: ObjectRun): ObjectRun {
  if (run.access.kind === 'dry-run') {
    return run;
  }
  const { client, receipts } = notingReceipts(run.access.client);
  return { ...run, access: { kind: 'write', client }, receipts };
}

/** Whether live shows a step on an object as done. */
export function isObjectDone(step: ObjectStep, reading: ObjectReading): Promise<boolean> {
  return ofObject(step, {
    list: (list) => LIST_OBJECTS.isDone(list, reading),
    setting: (setting) => SETTING_OBJECTS.isDone(setting, reading),
  });
}

/** When steps on objects are carried out, and how many scopes side by side. */
export interface ObjectTurn {
  readonly turn: ObjectStep['turn'];
  readonly concurrency: number;
  /** What came of the steps before. */
  readonly before: readonly Outcome[];
}

/**
 * Carries out the steps on objects whose turn it is, those of a scope one after the other, since an account takes one operation on lists at a time.
 * After a failure nothing more is begun in the scope. What comes last is not begun where something before it was not done: for lists in any scope,
 * since rules of all zones may name them; for settings in their zone.
 */
export async function applyObjects(
  scopes: readonly ObjectScope[],
  { turn, concurrency, before }: ObjectTurn,
): Promise<readonly Outcome[]> {
  const limit = pLimit(concurrency);
  const isWhole = before.every(isAchieved);
  const missed = new Set(before.flatMap((outcome) => (isAchieved(outcome) ? [] : [outcome.step])));
  const ended = await limit.map([...scopes], async ({ plan, objects, run }) => {
    const outcomes: Outcome[] = [];
    const isOwnWhole = !stepIds(plan).some((id) => missed.has(id));
    for (const step of objects.filter((one) => one.turn === turn)) {
      const failed = outcomes.find(isFailure);
      const isReached = turn === 'first' || (isListStep(step) ? isWhole : isOwnWhole);
      const reason = !isReached
        ? 'it comes after other steps, which were not all done'
        : failed === undefined
          ? null
          : `${failed.step} was not done`;
      const outcome =
        reason === null ? await applyObject(step, run) : stopped(step.id, 0, { kind: 'because', reason });
      run.report({ kind: 'step-ended', outcome });
      outcomes.push(outcome);
    }
    return outcomes;
  });
  return ended.flat();
}

/** Returns the steps on rulesets that need an object which is not as it should be, by their ids, each with the step on that object. */
export function waitingInVain(
  plans: readonly PlannedScope[],
  scopes: readonly ObjectScope[],
  outcomes: readonly Outcome[],
): ReadonlyMap<string, string> {
  const missing = new Set(outcomes.filter((outcome) => !isAchieved(outcome)).map(({ step }) => step));
  const steps = scopes.flatMap(({ objects, run: { scope } }) =>
    objects.filter(({ id }) => missing.has(id)).map((step) => ({ step, scope })),
  );
  return new Map(
    plans.flatMap((plan) =>
      plan.steps.flatMap((step) => {
        const needed = steps.find(
          ({ step: object, scope }) =>
            (isListStep(object) ? scope.accountId === plan.scope.accountId : scope.id === plan.scope.id) &&
            needsObject(step, object),
        );
        return needed === undefined ? [] : [[step.id, needed.step.id] as const];
      }),
    ),
  );
}

/** Checks that the objects of a saved plan are what it was made from; returns the outcomes of those that have moved. */
export async function checkObjects(
  scopes: readonly (Pick<ObjectScope, 'objects'> & ObjectReading)[],
  concurrency: number,
): Promise<readonly Outcome[]> {
  const limit = pLimit(concurrency);
  const moved = await limit.map([...scopes], async ({ objects, ...reading }) => {
    const lists = objects.filter(isListStep);
    const settings = objects.filter(isSettingStep);
    return [
      ...(lists.length === 0 ? [] : await LIST_OBJECTS.moved(lists, reading)),
      ...(settings.length === 0 ? [] : await SETTING_OBJECTS.moved(settings, reading)),
    ];
  });
  return moved.flat();
}

/** When objects are put back, in relation to the rules: before them what rules need, such as a list that was deleted; after them what rules needed. */
export type ObjectsBack = 'before-rules' | 'after-rules';

/** Puts back the objects that a failed run has written; returns an outcome for each. What others have changed since is left alone. */
export async function putObjectsBack(
  scopes: readonly ObjectScope[],
  written: readonly Outcome[],
  { when, concurrency }: { readonly when: ObjectsBack; readonly concurrency: number },
): Promise<readonly Outcome[]> {
  const mayHave = (outcome: Outcome): boolean =>
    ('writes' in outcome && outcome.writes > 0) || 'inDoubt' in outcome;
  const touched = new Set(written.filter(mayHave).map(({ step }) => step));
  const limit = pLimit(concurrency);
  const ended = await limit.map([...scopes], async ({ objects, run }) => {
    const outcomes: Outcome[] = [];
    const own = objects.filter(
      (step) => touched.has(step.id) && isBackFirst(step) === (when === 'before-rules'),
    );
    for (const step of own.toReversed()) {
      outcomes.push(...(await putBack(step, { ...run, signal: undefined })));
    }
    return outcomes;
  });
  return ended.flat();
}

/** Whether rules that are put back need the object as it was. */
function isBackFirst(step: ObjectStep): boolean {
  return ofObject(step, {
    list: ({ operation }) => operation === 'delete',
    setting: ({ turn }) => turn === 'last',
  });
}

async function putBack(step: ObjectStep, run: ObjectRun): Promise<readonly Outcome[]> {
  const reading = { client: insisting(run.access.client), scope: run.scope };
  try {
    const way = await ofObject<
      ReturnType<typeof LIST_OBJECTS.reverse> | ReturnType<typeof SETTING_OBJECTS.reverse>
    >(step, {
      list: (list) => LIST_OBJECTS.reverse(list, reading),
      setting: (setting) => SETTING_OBJECTS.reverse(setting, reading),
    });
    switch (way.kind) {
      case 'nothing':
        return [];
      case 'step':
        return [await applyObject(way.step, run)];
      default:
        return [
          {
            kind: 'refused',
            step: step.id,
            code: 'apply/touched',
            message: `was not put back: somebody else has changed the ${step.target.kind} since`,
            hint: `look at the ${step.target.kind}, and plan again`,
            writes: 0,
          },
        ];
    }
  } catch (error) {
    return [{ kind: 'failed', step: step.id, ...errorFacts(knownError(error)), writes: 0 }];
  }
}
