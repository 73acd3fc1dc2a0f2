import type { ReadClient } from '../../api/index.ts';
import { isServiceError, listLists, orElse, resolveScope } from '../../api/index.ts';
import { groupBy } from '../../data/index.ts';
import type { RulesetCache } from '../../live/index.ts';
import { readList } from '../../live/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type {
  DesiredList,
  DesiredScope,
  LiveList,
  LiveListHead,
  LiveScope,
  PlannedScope,
  Safety,
  ScopePlan,
} from '../../model/index.ts';
import type { ListNamingRule } from '../../plan/index.ts';
import {
  guardObjects,
  leavingRedirects,
  leftUnderOldName,
  listNamingRules,
  listsNamedByStep,
  listsToRead,
  perhapsRenamed,
  planLists,
  renamedLists,
  strengtheningObjects,
} from '../../plan/index.ts';
import { planError } from '../service/plan-error.ts';

/** Plans the lists of accounts, once all scopes whose rules name them are planned. */
export interface ListPlanner {
  /** The lists that the run declares for an account. */
  declaredIn(accountId: string): readonly DesiredList[];
  /** Remembers the rules of a planned scope that name declared lists. */
  note(plan: PlannedScope, live: LiveScope): void;
  /** Adds the steps of its lists to the plan of an account, after everything was noted. */
  finish(plan: PlannedScope, desired: DesiredScope, means: ListMeans): Promise<ScopePlan>;
}

/** What planning the lists of an account takes. */
interface ListMeans {
  readonly client: ReadClient;
  readonly cache: RulesetCache;
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly only: 'strengthening' | undefined;
}

/**
 * Creates the planner of one run. `scopes` are all of the run, shards included; nothing is requested unless one of them declares lists. An account
 * that cannot be found fails when it is read itself.
 */
export async function createListPlanner(
  scopes: readonly DesiredScope[],
  clientFor: (scope: DesiredScope) => ReadClient,
): Promise<ListPlanner> {
  const having = scopes.filter(({ lists = [] }) => lists.length > 0);
  const found = await Promise.all(
    having.map(async (desired) => {
      const id = await accountOf(desired, clientFor);
      return { id, lists: desired.lists ?? [] };
    }),
  );
  const declared = groupBy(found, ({ id }) => id);
  const rules: ListNamingRule[] = [];
  const known = new Map<string, number>();
  const awaited = new Map<string, Set<string>>();
  return {
    declaredIn: (accountId) => (declared.get(accountId) ?? []).flatMap(({ lists }) => lists),
    note: (plan, live) => {
      const { accountId } = plan.scope;
      if (!declared.has(accountId)) {
        return;
      }
      const naming = listNamingRules(plan.steps, live);
      rules.push(...naming.after);
      for (const [name, count] of naming.today) {
        const key = `${accountId} ${name}`;
        known.set(key, (known.get(key) ?? 0) + count);
      }
      const names = awaited.get(accountId) ?? new Set();
      plan.steps.forEach((step) => listsNamedByStep(step).forEach((name) => names.add(name)));
      awaited.set(accountId, names);
    },
    finish: async (plan, { lists: desired = [] }, means) => {
      const { scope } = plan;
      const { client, cache, safety, today } = means;
      try {
        const heads = await listLists(client, scope.accountId);
        const readOne = (head: LiveListHead): Promise<LiveList> => readList(client, scope, head, cache);
        const needed = await Promise.all(listsToRead(desired, heads).map(readOne));
        const read = new Map(needed.map((list) => [list.name, list]));
        const own = rules.filter((rule) => rule.scope.accountId === scope.accountId);
        const planned = planLists({
          scope,
          desired,
          heads,
          read,
          rules: own,
          known: knownIn(known, scope.accountId, heads),
          awaited: awaited.get(scope.accountId) ?? new Set(),
        });
        if (planned.kind === 'failed') {
          return { kind: 'failed', scope: { kind: scope.kind, name: scope.name }, error: planned.error };
        }
        const { objects, plan: told } = strengtheningObjects(planned.lists, plan, means.only);
        const guarded = guardObjects(told, { objects, rules: own }, { safety, today });
        const steps = objects.map(({ step }) => step);
        // They only serve a note, so one that cannot be read fails nothing.
        const others = await Promise.allSettled(perhapsRenamed(steps, heads, desired).map(readOne));
        const former = others.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        const notes = [
          ...renamedLists(steps, own),
          ...leftUnderOldName(steps, former),
          ...leavingRedirects(steps),
        ];
        const count = desired.filter(({ items }) => items !== 'external').length;
        return {
          ...guarded,
          ...(count === 0 ? {} : { compared: { lists: count } }),
          notes: [...guarded.notes, ...notes],
        };
      } catch (error) {
        if (
          error instanceof RulewrightError &&
          (isServiceError(error) ? error.code !== 'api/aborted' : true)
        ) {
          return { kind: 'failed', scope: { kind: scope.kind, name: scope.name }, error: planError([error]) };
        }
        throw error;
      }
    },
  };
}

async function accountOf(
  desired: DesiredScope,
  clientFor: (scope: DesiredScope) => ReadClient,
): Promise<string> {
  try {
    const found = await orElse(resolveScope(clientFor(desired), desired.scope), () => null);
    return found?.accountId ?? '';
  } catch (error) {
    if (error instanceof RulewrightError) {
      return '';
    }
    throw error;
  }
}

function knownIn(
  known: ReadonlyMap<string, number>,
  accountId: string,
  heads: readonly LiveListHead[],
): ReadonlyMap<string, number> {
  return new Map(heads.map(({ name }) => [name, known.get(`${accountId} ${name}`) ?? 0]));
}
