import { listListItems, listLists } from '../../api/index.ts';
import { errorFacts, isAchieved, isFailure, knownError } from '../../model/index.ts';
import type { ListStep, Outcome, PlannedScope, Scope } from '../../model/index.ts';
import { listsNamedByStep, reverseListStep } from '../../plan/index.ts';
import { insisting } from '../base/look-up.ts';
import type { WriteAccess } from '../write/scope-run.ts';
import { stopped } from '../write/write-failure.ts';
import type { ListRun } from './apply-list.ts';
import { applyList, findList, isAtListBase, staleList } from './apply-list.ts';

/** An account with steps on its lists, and what carrying them out takes. */
export interface ListAccount {
  readonly objects: readonly ListStep[];
  readonly run: ListRun;
}

/**
 * Carries out the steps on lists whose turn it is, those of an account one after the other, since an account takes one operation at a time. After a
 * failure nothing more is begun in the account.
 */
export async function applyLists(
  accounts: readonly ListAccount[],
  turn: ListStep['turn'],
): Promise<readonly Outcome[]> {
  const ended = await Promise.all(
    accounts.map(async ({ objects, run }) => {
      const outcomes: Outcome[] = [];
      for (const step of objects.filter((one) => one.turn === turn)) {
        const failed = outcomes.find(isFailure);
        const outcome =
          failed === undefined
            ? await applyList(step, run)
            : stopped(step.id, 0, { kind: 'because', reason: `${failed.step} was not done` });
        run.report({ kind: 'step-ended', outcome });
        outcomes.push(outcome);
      }
      return outcomes;
    }),
  );
  return ended.flat();
}

/** Ends the steps whose turn comes last, where something before them was not done. */
export function listsNotReached(accounts: readonly ListAccount[]): readonly Outcome[] {
  return accounts.flatMap(({ objects, run }) =>
    objects
      .filter(({ turn }) => turn === 'last')
      .map(({ id }) => {
        const reason = 'it comes after other steps, which were not all done';
        const outcome = stopped(id, 0, { kind: 'because', reason });
        run.report({ kind: 'step-ended', outcome });
        return outcome;
      }),
  );
}

/** Returns the steps on rulesets that need a list which was not made or filled, by their ids, each with that list's step. */
export function waitingInVain(
  plans: readonly PlannedScope[],
  accounts: readonly ListAccount[],
  outcomes: readonly Outcome[],
): ReadonlyMap<string, string> {
  const missing = new Set(outcomes.filter((outcome) => !isAchieved(outcome)).map(({ step }) => step));
  const steps = accounts.flatMap(({ objects, run }) =>
    objects.filter(({ id }) => missing.has(id)).map((step) => ({ step, account: run.scope.accountId })),
  );
  return new Map(
    plans.flatMap((plan) =>
      plan.steps.flatMap((step) => {
        const names = steps.length === 0 ? new Set<string>() : listsNamedByStep(step);
        const list = steps.find(
          (one) => one.account === plan.scope.accountId && names.has(one.step.target.name),
        );
        return list === undefined ? [] : [[step.id, list.step.id] as const];
      }),
    ),
  );
}

/** Checks that the lists of a saved plan are what it was made from; returns the outcomes of those that have moved. */
export async function checkLists(
  accounts: readonly {
    readonly objects: readonly ListStep[];
    readonly scope: Scope;
    readonly access: WriteAccess;
  }[],
): Promise<readonly Outcome[]> {
  const moved = await Promise.all(
    accounts.map(async ({ objects, scope, access }): Promise<readonly Outcome[]> => {
      try {
        const heads = await listLists(access.client, scope.accountId);
        return objects.flatMap((step) => {
          const head = heads.find(({ name }) => name === step.target.name) ?? null;
          return isAtListBase(head, step) ? [] : [staleList(step, head)];
        });
      } catch (error) {
        const facts = errorFacts(knownError(error));
        return objects.map(({ id }): Outcome => ({ kind: 'failed', step: id, ...facts, writes: 0 }));
      }
    }),
  );
  return moved.flat();
}

/** When lists are put back: those that were deleted before the rules that name them, those that were made after them. */
export type ListsBack = 'before-rules' | 'after-rules';

/** Puts back the lists that a failed run has written; returns an outcome for each. What others have changed since is left alone. */
export async function putListsBack(
  accounts: readonly ListAccount[],
  written: readonly Outcome[],
  when: ListsBack,
): Promise<readonly Outcome[]> {
  const mayHave = (outcome: Outcome): boolean =>
    ('writes' in outcome && outcome.writes > 0) || 'inDoubt' in outcome;
  const touched = new Set(written.filter(mayHave).map(({ step }) => step));
  const ended = await Promise.all(
    accounts.map(async ({ objects, run }) => {
      const outcomes: Outcome[] = [];
      const own = objects.filter(
        ({ id, operation }) => touched.has(id) && (operation === 'delete') === (when === 'before-rules'),
      );
      for (const step of own.toReversed()) {
        outcomes.push(...(await putBack(step, { ...run, signal: undefined })));
      }
      return outcomes;
    }),
  );
  return ended.flat();
}

async function putBack(step: ListStep, run: ListRun): Promise<readonly Outcome[]> {
  try {
    const reader = insisting(run.access.client);
    const head = await findList(reader, run.scope, step.target.name);
    const items = head === null ? [] : await listListItems(reader, run.scope.accountId, head);
    const way = reverseListStep(step, head, items);
    switch (way.kind) {
      case 'nothing':
        return [];
      case 'step':
        return [await applyList(way.step, run)];
      default:
        return [
          {
            kind: 'refused',
            step: step.id,
            code: 'apply/touched',
            message: 'was not put back: somebody else has changed the list since',
            hint: 'look at the list, and plan again',
            writes: 0,
          },
        ];
    }
  } catch (error) {
    return [{ kind: 'failed', step: step.id, ...errorFacts(knownError(error)), writes: 0 }];
  }
}

/** Returns the accounts of a plan that have steps on lists. */
export function listAccounts(
  scopes: readonly { readonly plan: PlannedScope; readonly access: WriteAccess }[],
  shared: Pick<ListRun, 'journal' | 'clock' | 'report' | 'signal'>,
): readonly ListAccount[] {
  return scopes.flatMap(({ plan: { scope, objects }, access }) =>
    objects === undefined ? [] : [{ objects, run: { scope, access, ...shared } }],
  );
}
