import type {
  AnalyticsClient,
  AnalyticsDataset,
  AnalyticsLimits,
  AskedPeriod,
  GroupCounts,
} from '../api/index.ts';
import {
  analyticsLimits,
  askInBatches,
  requestsByStatus,
  securityEventsByAction,
  ServiceError,
} from '../api/index.ts';
import { groupBy } from '../data/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { Clock } from '../network/index.ts';
import { duration } from '../text/index.ts';

/** A zone whose requests are looked at, and the client that may ask about it. */
export interface WatchedZone {
  readonly name: string;
  readonly id: string;
  readonly client: AnalyticsClient;
}

/** What the analytics say of a zone in a period, or why they say nothing. */
export type ZoneCounts =
  | { readonly kind: 'counted'; readonly groups: ReadonlyMap<string, number> }
  /** `passes`: asked again, the answer may be another one. */
  | { readonly kind: 'unknown'; readonly why: string; readonly passes: boolean };

/** What is counted: requests by status, or security events by action. */
export interface CountQuestion {
  readonly dataset: AnalyticsDataset;
  readonly zones: readonly WatchedZone[];
  readonly period: AskedPeriod;
}

/** Counts in zones; asks for the same thing once. Throws when the run is interrupted, and otherwise only for a bug. */
export type CountZones = (question: CountQuestion) => Promise<ReadonlyMap<WatchedZone, ZoneCounts>>;

/** Creates a counter that remembers what it asked. It asks for several zones in one query, and where that is refused for each alone. */
export function createZoneCounter(clock: Clock): CountZones {
  const asked = new Map<string, Promise<ReadonlyMap<WatchedZone, ZoneCounts>>>();
  const limits = new Map<AnalyticsDataset, Map<WatchedZone, AnalyticsLimits | undefined>>();
  return (question) => {
    const { dataset, zones, period } = question;
    const key = JSON.stringify([dataset, period.from, period.to, zones.map(({ id }) => id)]);
    const known = limits.get(dataset) ?? new Map<WatchedZone, AnalyticsLimits | undefined>();
    limits.set(dataset, known);
    const answer = asked.get(key) ?? countAll(question, { known, clock });
    asked.set(key, answer);
    return answer;
  };
}

interface CountingState {
  /** The limits of zones, as far as they were asked for. */
  readonly known: Map<WatchedZone, AnalyticsLimits | undefined>;
  readonly clock: Clock;
}

type ZoneWithCounts = readonly [WatchedZone, ZoneCounts];

async function countAll(
  question: CountQuestion,
  counting: CountingState,
): Promise<ReadonlyMap<WatchedZone, ZoneCounts>> {
  const counted: ZoneWithCounts[] = [];
  for (const [client, own] of groupBy(question.zones, (zone) => zone.client)) {
    counted.push(
      ...(await askInBatches<WatchedZone, ZoneWithCounts>(
        own,
        (some) => countSome(client, { ...question, zones: some }, counting),
        (zone, error) => [zone, { ...unknown(failureText(error)), passes: mayPass(error) }],
      )),
    );
  }
  return new Map(counted);
}

function failureText(error: unknown): string {
  if (error instanceof RulewrightError && error.fault !== 'bug') {
    return error.message;
  }
  throw error;
}

/** Whether the same question may be answered later: the service, or the way to it, failed. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof ServiceError && (error.status === null || error.status >= 500 || error.status === 429)
  );
}

async function countSome(
  client: AnalyticsClient,
  { dataset, zones, period }: CountQuestion,
  { known, clock }: CountingState,
): Promise<readonly ZoneWithCounts[]> {
  const unasked = zones.filter((zone) => !known.has(zone));
  if (unasked.length > 0) {
    const limits = await analyticsLimits(
      client,
      dataset,
      unasked.map(({ id }) => id),
    );
    unasked.forEach((zone) => known.set(zone, limits.get(zone.id)));
  }
  const now = clock.now();
  const problems = new Map(zones.map((zone) => [zone, problemOf(known.get(zone), period, now)]));
  const open = zones.filter((zone) => problems.get(zone) === undefined);
  const groups = open.length === 0 ? new Map<string, GroupCounts>() : await count(client, open);
  return zones.map((zone) => {
    const problem = problems.get(zone);
    return [zone, problem === undefined ? countsOf(groups.get(zone.id)) : unknown(problem)];
  });

  function count(of: AnalyticsClient, some: readonly WatchedZone[]) {
    const ids = some.map(({ id }) => id);
    const mostGroups = Math.min(
      ...some.map((zone) => {
        const limits = known.get(zone);
        return limits?.kind === 'on' ? limits.mostGroups : 1;
      }),
    );
    const ask = dataset === 'requests' ? requestsByStatus : securityEventsByAction;
    return ask(of, ids, { ...period, mostGroups });
  }
}

const NOT_TOLD =
  'the analytics tell nothing of it: the token needs the permission "Analytics" Read for this zone';

function problemOf(
  limits: AnalyticsLimits | undefined,
  { from, to }: AskedPeriod,
  now: number,
): string | undefined {
  if (limits === undefined) {
    return NOT_TOLD;
  }
  if (limits.kind === 'off') {
    return 'the plan of the zone does not include these analytics';
  }
  if (to - from > limits.longestPeriod * 1000) {
    return `its plan lets ask for ${duration(limits.longestPeriod)} at most`;
  }
  return now - from > limits.oldest * 1000
    ? `its plan keeps analytics for ${duration(limits.oldest)} only`
    : undefined;
}

function countsOf(groups: GroupCounts | undefined): ZoneCounts {
  if (groups === undefined) {
    return unknown(NOT_TOLD);
  }
  return groups.isCut
    ? unknown('the answer had no room for all of its counts')
    : { kind: 'counted', groups: groups.counts };
}

function unknown(why: string): Extract<ZoneCounts, { readonly kind: 'unknown' }> {
  return { kind: 'unknown', why, passes: false };
}
