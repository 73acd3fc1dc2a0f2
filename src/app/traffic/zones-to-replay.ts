import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { readListItems } from '../../live/index.ts';
import type { WholeScope } from '../../live/index.ts';
import {
  addressKey,
  addressOfRuleset,
  isAtBase,
  plannedScopes,
  planLevelOf,
  RulewrightError,
  scopeLabel,
  zoneName,
  isListStep,
} from '../../model/index.ts';
import type { Plan, PlannedScope } from '../../model/index.ts';
import { addressOf } from '../../plan/index.ts';
import { PLAN_CODES } from '../../simulate/index.ts';
import type { ReplayZone } from '../../traffic/index.ts';
import { listNames, readBoth, simulated } from '../requests/live-scopes.ts';
import type { OnEvent } from '../run/events.ts';
import type { Service } from '../service/open-service.ts';
import { afterPlan, listsAfter } from './after-plan.ts';
import { readEarlierRules } from './earlier-rules.ts';

/** Returns the zones of a plan whose requests it may change: its own changes, or those of its account. All of them if it changes nothing. */
export function zonesToReplay({ scopes }: Pick<Plan, 'scopes'>): readonly PlannedScope[] {
  const planned = plannedScopes(scopes);
  const accounts = new Set(
    planned.flatMap(({ scope, steps, objects = [] }) =>
      scope.kind === 'account' && steps.length + objects.length > 0 ? [scope.id] : [],
    ),
  );
  const zones = planned.filter(({ scope }) => scope.kind === 'zone');
  const changed = zones.filter(({ scope, steps }) => steps.length > 0 || accounts.has(scope.accountId));
  return changed.length === 0 ? zones : changed;
}

/**
 * Reads all rules that requests to the zones of a plan meet, whoever made them, and works out what the plan makes of them. Throws `replay/moved`
 * where live is no longer what the plan was made from.
 */
export async function readReplayZones(
  plan: Plan,
  {
    service,
    concurrency,
    report,
    from,
  }: {
    readonly service: Service<ReadClient>;
    readonly concurrency: number;
    readonly report: OnEvent;
    /** Since when records say what the service did, in milliseconds since 1970; null where none does. */
    readonly from: number | null;
  },
): Promise<readonly ReplayZone[]> {
  const zones = zonesToReplay(plan);
  if (zones.length === 0) {
    throw new RulewrightError('the plan has no zone whose requests could be replayed', {
      code: 'replay/not-planned',
      fault: 'user',
      hint: 'requests go to zones: plan the zones of an account together with it',
    });
  }
  const accounts = new Map(
    plannedScopes(plan.scopes).flatMap((one) =>
      one.scope.kind === 'account' ? [[one.scope.id, one] as const] : [],
    ),
  );
  let done = 0;
  report({ kind: 'scopes', total: zones.length });
  return pLimit(concurrency).map(zones, async (zone) => {
    const read = await readZone(zone, accounts.get(zone.scope.accountId), {
      client: service.client(zone.tokenEnv),
      from,
    });
    done += 1;
    report({ kind: 'scope-read', scope: scopeLabel(zone.scope), ok: true, done, total: zones.length });
    return read;
  });
}

async function readZone(
  zone: PlannedScope,
  account: PlannedScope | undefined,
  { client, from }: { readonly client: ReadClient; readonly from: number | null },
): Promise<ReplayZone> {
  const { scope } = zone;
  const { above, own } = await readBoth(client, scope);
  requireUnmoved(zone, own);
  if (above !== undefined && account !== undefined) {
    requireUnmoved(account, above);
  }
  const parts = [
    ...(above === undefined ? [] : [{ whole: above, plan: account }]),
    { whole: own, plan: zone },
  ];
  const live = parts.map(({ whole }) => simulated(whole));
  const desired = parts.map(({ whole, plan }) =>
    plan === undefined ? simulated(whole) : afterPlan(simulated(whole), plan, whole.catalogue),
  );
  const { items: lists, changedOn } = await readListItems(
    client,
    scope.accountId,
    listNames([...live, ...desired]),
  );
  const wholes = parts.map(({ whole }) => whole);
  const rulesSince = lastChange(wholes);
  const since = rulesSince === null || changedOn === null ? null : Math.max(rulesSince, changedOn);
  const past = { client, lists, listsSince: changedOn };
  const level = planLevelOf(scope.plan);
  return {
    zone: { name: zoneName(scope).bare, plan: level === undefined ? '' : PLAN_CODES[level] },
    live,
    desired,
    lists,
    desiredLists: listsAfter(lists, (account?.objects ?? []).filter(isListStep)),
    since,
    earlier:
      from !== null && since !== null && from < since
        ? await readEarlierRules(wholes, { ...past, from })
        : [],
  };
}

function requireUnmoved({ scope, steps }: PlannedScope, { rulesets }: WholeScope): void {
  const live = new Map(rulesets.map((ruleset) => [addressKey(addressOfRuleset(ruleset)), ruleset]));
  const moved = steps.find(
    ({ target, base }) => !isAtBase(live.get(addressKey(addressOf(target))) ?? null, base),
  );
  if (moved !== undefined) {
    throw new RulewrightError(
      `${scopeLabel(scope)} is no longer as it was when the plan was made: ${moved.id}`,
      {
        code: 'replay/moved',
        fault: 'user',
        hint: 'plan again',
      },
    );
  }
}

/** Returns when the rules were last changed; null where the service does not say it of each ruleset. */
function lastChange(scopes: readonly WholeScope[]): number | null {
  const times = scopes.flatMap(({ rulesets }) => rulesets.map(({ lastUpdated }) => Date.parse(lastUpdated)));
  return times.some(Number.isNaN) ? null : Math.max(0, ...times);
}
