import { onTestFinished } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import type { WriteClient } from '../../../src/api/client.ts';
import { openWriteClient } from '../../../src/api/client.ts';
import { listLists } from '../../../src/api/lists.ts';
import { scopeId, startEmulator } from '../../../src/emulator/index.ts';
import { readList } from '../../../src/live/read-live-lists.ts';
import { NO_CACHE } from '../../../src/live/ruleset-cache.ts';
import type { DesiredList, ListItem } from '../../../src/model/list.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { listsToRead, planLists } from '../../../src/plan/lists/plan-lists.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { CAUSE } from '../../plan/build.ts';
import type { ApplyPlanWith } from '../run-against-service.ts';
import { carryOutPlan } from '../run-against-service.ts';

/** The id of the account. */
export const ACCOUNT_ID = scopeId('account', 'Example Shop');
const id = ACCOUNT_ID;
const SCOPE = { kind: 'account', id, name: 'Example Shop', accountId: id } as const;

/** The embedded service with lists that hold these items, and a client on its clock. */
export async function openLists(
  lists: Readonly<Record<string, readonly string[]>> = {},
  faults: readonly object[] = [],
) {
  const clock: FakeClock = createFakeClock();
  const seed = {
    version: 1,
    accounts: [
      {
        name: 'Example Shop',
        plan: 'enterprise',
        lists: Object.entries(lists).map(([name, items]) => ({
          name,
          kind: 'ip',
          items: items.map((ip) => ({ ip })),
        })),
      },
    ],
  };
  const emulator = await startEmulator({ budget: 'off', clock, seed, faults });
  const client = openWriteClient({
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock, limit: Infinity, limitPerSecond: Infinity }),
    clock,
  });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  const live = async (name = 'office') => {
    const heads = await listLists(client, id);
    const head = heads.find((one) => one.name === name);
    if (head === undefined) {
      return null;
    }
    const { items } = await readList(client, SCOPE, head, NO_CACHE);
    return items.map(({ item }) =>
      'ip' in item ? `${item.ip}${item.comment === undefined ? '' : ` ${item.comment}`}` : '',
    );
  };
  const plan = async (...desired: readonly DesiredList[]): Promise<PlannedScope> => {
    const heads = await listLists(client, id);
    const read = await Promise.all(
      listsToRead(desired, heads).map(
        async (head) => [head.name, await readList(client, SCOPE, head, NO_CACHE)] as const,
      ),
    );
    const planned = planLists({
      scope: SCOPE,
      desired,
      heads,
      read: new Map(read),
      rules: [],
      known: new Map(),
      awaited: new Set(),
    });
    if (planned.kind === 'failed') {
      throw new Error(planned.error.message);
    }
    const objects = planned.lists.map(({ step }) => step);
    return {
      kind: 'planned',
      scope: SCOPE,
      bases: [],
      steps: [],
      findings: [],
      notes: [],
      ...(objects.length === 0 ? {} : { objects }),
    };
  };
  const apply = (
    scope: PlannedScope,
    { client: sender = client, ...options }: ApplyPlanWith & { readonly client?: WriteClient } = {},
  ) => carryOutPlan({ client: sender }, [scope], { clock, ...options });
  return { clock, client, emulator, live, plan, apply };
}

/** A list that files declare, `office` unless told otherwise. */
export function list(items: readonly (string | ListItem)[], over: Partial<DesiredList> = {}): DesiredList {
  return {
    name: 'office',
    kind: 'ip',
    presence: 'present',
    items: items.map((item) => (typeof item === 'string' ? { ip: item } : item)),
    cause: CAUSE,
    ...over,
  };
}
