import type { AnalyticsClient, AnalyticsLimits, GroupCounts, ReadClient } from '../api/index.ts';
import { analyticsLimits, askInBatches, openReadClient, securityEventsByRule } from '../api/index.ts';
import type { LoadResult } from '../config/index.ts';
import { RulewrightError, zoneName } from '../model/index.ts';
import type { DesiredScope, FailedScope, Scope, ScopeRef, UsageReport } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { wholeSecond } from '../text/index.ts';
import type { WholeScope } from '../live/index.ts';
import { load } from './project/load.ts';
import { narrow } from './project/narrow-targets.ts';
import type { Selection } from './project/selection.ts';
import { readBoth } from './requests/live-scopes.ts';
import type { OnEvent } from './run/events.ts';
import { failedZone, zonesSideBySide } from './service/each-zone.ts';
import { withService } from './service/open-service.ts';
import { reachScope } from './service/reach-scope.ts';
import type { ServiceOptions } from './service/service-options.ts';
import type { AskedZone } from './usage/rule-usage.ts';
import { ruleUsages } from './usage/rule-usage.ts';

/** What is asked of the events of zones. */
export interface UsageChoice {
  /** How far back, in seconds. */
  readonly seconds: number;
  readonly zone: ScopeRef | undefined;
}

type Client = ReadClient & AnalyticsClient;

/** A zone with its rules. */
interface ZoneToAsk {
  readonly kind: 'zone';
  readonly client: Client;
  readonly zone: Scope;
  readonly own: WholeScope;
  readonly above: WholeScope | undefined;
}

/**
 * Asks which rules of the zones of a project, and of their accounts, left security events. Reads rules and events, and writes nothing. A zone that
 * cannot be read fails alone. Throws `usage/no-zone` if there is none.
 */
export async function ruleUsage(
  selection: Selection,
  choice: UsageChoice,
  { options, report }: { readonly options: ServiceOptions; readonly report: OnEvent },
): Promise<UsageReport | Extract<LoadResult, { readonly kind: 'invalid' }>> {
  const loaded = await load(selection);
  if (loaded.kind === 'invalid') {
    return loaded;
  }
  const { scopes } = loaded.project;
  const refs = zonesOf(choice, narrow(scopes, selection.targets));
  const to = Math.floor(options.clock.now() / 1000) * 1000;
  const from = to - choice.seconds * 1000;
  return withService({ options, open: openReadClient, report }, async (service) => {
    const zones = await zonesSideBySide(
      refs.map((ref) => ({ ref, work: () => reach((env) => service.client(env), scopes, ref) })),
      { options, report },
    );
    const asked = await askAll(
      zones.filter((one) => one.kind === 'zone'),
      { from, to },
    );
    options.signal?.throwIfAborted();
    const read = asked.filter((one) => one.kind === 'asked');
    return {
      kind: 'usage',
      formatVersion: 1,
      period: { from: wholeSecond(from), to: wholeSecond(to) },
      zones: read.map(({ name, period, limits }) => ({
        name,
        period: period === null ? null : { from: wholeSecond(period.from), to: wholeSecond(period.to) },
        retention_days: limits.kind === 'on' ? Math.floor(limits.oldest / 86_400) : null,
      })),
      rules: ruleUsages(read),
      failed: [...zones, ...asked].flatMap((one) =>
        one.kind === 'failed' ? [{ scope: one.scope, error: one.error }] : [],
      ),
    };
  });
}

function zonesOf({ zone }: UsageChoice, scopes: readonly DesiredScope[]): readonly ScopeRef[] {
  const refs =
    zone === undefined ? scopes.map(({ scope }) => scope).filter(({ kind }) => kind === 'zone') : [zone];
  if (refs.length === 0) {
    throw new RulewrightError('the project has no zone whose events could be asked for', {
      code: 'usage/no-zone',
      fault: 'user',
      hint: 'name a zone: --zone shop.example',
    });
  }
  return refs;
}

async function reach(
  clientFor: (tokenEnv: string | undefined) => Client,
  scopes: readonly DesiredScope[],
  ref: ScopeRef,
): Promise<ZoneToAsk> {
  const { client, scope } = await reachScope(clientFor, scopes, ref);
  return { kind: 'zone', client, zone: scope, ...(await readBoth(client, scope)) };
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** Asks for the events of all zones; one that cannot be asked fails alone. */
async function askAll(
  zones: readonly ZoneToAsk[],
  period: Period,
): Promise<readonly (AskedZone | FailedScope)[]> {
  const asked: (AskedZone | FailedScope)[] = [];
  for (const [client, own] of groupBy(zones, (zone) => zone.client)) {
    asked.push(
      ...(await askInBatches<ZoneToAsk, AskedZone | FailedScope>(
        own,
        (some) => askSome(client, some, period),
        ({ zone }, error) => failedZone({ kind: 'zone', name: zone.name }, error),
      )),
    );
  }
  return asked;
}

/** Asks for the events of some zones; of those with the same limits in one query, in as many parts of the period as the limits ask for. */
async function askSome(
  client: Client,
  zones: readonly ZoneToAsk[],
  { from, to }: Period,
): Promise<readonly AskedZone[]> {
  const limits = await analyticsLimits(
    client,
    'events',
    zones.map(({ zone }) => zone.id),
  );
  const asked: AskedZone[] = [];
  for (const own of groupBy(zones, ({ zone }) => JSON.stringify(limits.get(zone.id))).values()) {
    const allowed = limits.get(own[0]?.zone.id ?? '');
    if (allowed === undefined) {
      throw new RulewrightError('the analytics know nothing of a zone that the credentials can read', {
        code: 'api/unexpected-answer',
        fault: 'remote',
        hint: 'the token needs the permission "Analytics" Read for this zone',
      });
    }
    const period = allowed.kind === 'off' ? null : { from: Math.max(from, to - allowed.oldest * 1000), to };
    const events =
      allowed.kind === 'off'
        ? new Map()
        : await eventsOf(client, own, { ...allowed, from: period?.from ?? to, to });
    asked.push(
      ...own.map(({ zone, own: rules, above }) => ({
        kind: 'asked' as const,
        name: zoneName(zone).bare,
        period,
        limits: allowed,
        rules,
        above,
        events: events.get(zone.id) ?? NO_EVENTS,
      })),
    );
  }
  return asked;
}

const NO_EVENTS: GroupCounts = { counts: new Map(), isCut: false };

async function eventsOf(
  client: Client,
  zones: readonly ZoneToAsk[],
  { from, to, longestPeriod, mostGroups }: Period & Extract<AnalyticsLimits, { readonly kind: 'on' }>,
): Promise<ReadonlyMap<string, GroupCounts>> {
  const ids = zones.map(({ zone }) => zone.id);
  const all = new Map<string, GroupCounts>();
  for (let start = from; start < to; start += longestPeriod * 1000) {
    const part = { from: start, to: Math.min(to, start + longestPeriod * 1000), mostGroups };
    for (const [zone, { counts, isCut }] of await securityEventsByRule(client, ids, part)) {
      const before = all.get(zone) ?? NO_EVENTS;
      const sum = new Map(before.counts);
      for (const [rule, count] of counts) {
        sum.set(rule, (sum.get(rule) ?? 0) + count);
      }
      all.set(zone, { counts: sum, isCut: before.isCut || isCut });
    }
  }
  return all;
}
