import type { AnalyticsClient } from './client.ts';
import { wholeSecond } from '../text/index.ts';
import { decodeResult } from './response.ts';
import { isServiceError } from './service-error.ts';
import type { AnswerLocation, FieldReaders } from './answer-shape.ts';
import {
  decodeOne,
  itemsAt,
  memberAt,
  membersAt,
  numberMember,
  textMember,
  unexpected,
} from './answer-shape.ts';

/**
 * The vendor's GraphQL analytics, of zones: one query is about ten of them at most, and asks for no longer and no older a period than the plan of
 * each zone allows, which the settings node says (vendor's docs, "GraphQL Analytics API": limits, settings node, querying firewall events).
 */
const MOST_ZONES_ASKED = 10;

/** The data sets that are asked: requests that visitors made, and security events. */
const DATASETS = {
  requests: 'httpRequestsAdaptiveGroups',
  events: 'firewallEventsAdaptiveGroups',
} as const;

/** What is asked for. */
export type AnalyticsDataset = keyof typeof DATASETS;

/** How far a data set of a zone can be asked for. */
export type AnalyticsLimits =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      /** Seconds. */
      readonly longestPeriod: number;
      /** How many seconds ago the oldest entry was, at most. */
      readonly oldest: number;
      /** The most groups in one answer. */
      readonly mostGroups: number;
    };

/** A period, from a moment on up to another, in milliseconds since 1970. */
export interface AskedPeriod {
  readonly from: number;
  readonly to: number;
}

/** Counts of a zone by the value of a dimension. They are estimates: the service keeps samples. */
export interface GroupCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** Whether groups may be missing, since the answer was as long as it may be. */
  readonly isCut: boolean;
}

/**
 * Asks for any number of zones, of several in one query; where such a query is refused, of each alone, so that one that fails fails alone.
 * `failed` makes the answer of that one; it may throw. A query of several asks for what all of them allow, so `ask` may make more than one.
 */
export async function askInBatches<Zone, Answer>(
  zones: readonly Zone[],
  ask: (some: readonly Zone[]) => Promise<readonly Answer[]>,
  failed: (zone: Zone, error: unknown) => Answer,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < zones.length; start += MOST_ZONES_ASKED) {
    answers.push(...(await askTogether(zones.slice(start, start + MOST_ZONES_ASKED), ask, failed)));
  }
  return answers;
}

async function askTogether<Zone, Answer>(
  zones: readonly Zone[],
  ask: (some: readonly Zone[]) => Promise<readonly Answer[]>,
  failed: (zone: Zone, error: unknown) => Answer,
): Promise<readonly Answer[]> {
  try {
    return await ask(zones);
  } catch (error) {
    const [first] = zones;
    if (first === undefined || (isServiceError(error) && error.code === 'api/aborted')) {
      throw error;
    }
    if (zones.length === 1) {
      return [failed(first, error)];
    }
    const alone: Answer[] = [];
    for (const zone of zones) {
      alone.push(...(await askTogether([zone], ask, failed)));
    }
    return alone;
  }
}

/** Asks how far a data set of zones can be asked for. Zones that the credentials cannot ask about are missing. */
export async function analyticsLimits(
  client: AnalyticsClient,
  dataset: AnalyticsDataset,
  zones: readonly string[],
): Promise<ReadonlyMap<string, AnalyticsLimits>> {
  const node = DATASETS[dataset];
  const query = `query Limits($zones: [string!]) {
  viewer { zones(filter: { zoneTag_in: $zones }) {
    zoneTag
    settings { ${node} { enabled maxDuration maxPageSize notOlderThan } }
  } }
}`;
  const response = await client.ask(query, { zones });
  return decodeResult(
    response,
    decodeZones((zone) => limitsOf(zone, node)),
  );
}

/** What is counted, in a period that is within the limits of all zones. */
type CountedPeriod = AskedPeriod & { readonly mostGroups: number };

/** Asks how many security events each rule has left in zones, by the id of the rule. */
export function securityEventsByRule(
  client: AnalyticsClient,
  zones: readonly string[],
  counting: CountedPeriod,
): Promise<ReadonlyMap<string, GroupCounts>> {
  return countGroups(client, zones, { ...counting, dataset: 'events', dimension: 'ruleId' });
}

/** Asks how many security events zones had, by action, such as `block`. */
export function securityEventsByAction(
  client: AnalyticsClient,
  zones: readonly string[],
  counting: CountedPeriod,
): Promise<ReadonlyMap<string, GroupCounts>> {
  return countGroups(client, zones, { ...counting, dataset: 'events', dimension: 'action' });
}

/** Asks how many requests of visitors zones had, by the status of the answer. */
export function requestsByStatus(
  client: AnalyticsClient,
  zones: readonly string[],
  counting: CountedPeriod,
): Promise<ReadonlyMap<string, GroupCounts>> {
  const { from, to, mostGroups } = counting;
  return countGroups(client, zones, {
    from,
    to,
    mostGroups,
    dataset: 'requests',
    dimension: 'edgeResponseStatus',
    // Without it, requests that the service itself makes count too (vendor's docs, "ClientRequestSource").
    filter: ', requestSource: "eyeball"',
  });
}

async function countGroups(
  client: AnalyticsClient,
  zones: readonly string[],
  asked: CountedPeriod & {
    readonly dataset: AnalyticsDataset;
    readonly dimension: string;
    readonly filter?: string;
  },
): Promise<ReadonlyMap<string, GroupCounts>> {
  const { from, to, mostGroups, dimension, filter = '' } = asked;
  const node = DATASETS[asked.dataset];
  const query = `query Groups($zones: [string!], $from: Time, $to: Time, $most: uint64!) {
  viewer { zones(filter: { zoneTag_in: $zones }) {
    zoneTag
    ${node}(filter: { datetime_geq: $from, datetime_lt: $to${filter} }, limit: $most, orderBy: [count_DESC]) {
      count
      dimensions { ${dimension} }
    }
  } }
}`;
  const variables = { zones, from: wholeSecond(from), to: wholeSecond(to), most: mostGroups };
  const response = await client.ask(query, variables);
  return decodeResult(
    response,
    decodeZones((zone) => groupsOf(zone, { node, dimension, most: mostGroups })),
  );
}

/** Returns a decoder of what an answer says of each zone, by id. */
function decodeZones<Item>(
  decode: (zone: FieldReaders) => Item,
): (data: unknown) => ReadonlyMap<string, Item> {
  return decodeOne(
    (data) =>
      new Map(
        itemsAt(memberAt(viewerOf(data), 'zones')).map((place: AnswerLocation) => {
          const zone = membersAt(place);
          return [textMember(zone, 'zoneTag'), decode(zone)] as const;
        }),
      ),
  );
}

function viewerOf(data: FieldReaders): FieldReaders {
  return membersAt(memberAt(data, 'viewer'));
}

function limitsOf(zone: FieldReaders, node: string): AnalyticsLimits {
  const limits = membersAt(memberAt(membersAt(memberAt(zone, 'settings')), node));
  return limits.object['enabled'] === true
    ? {
        kind: 'on',
        longestPeriod: atLeastOne(limits, 'maxDuration'),
        oldest: atLeastOne(limits, 'notOlderThan'),
        mostGroups: atLeastOne(limits, 'maxPageSize'),
      }
    : { kind: 'off' };
}

function atLeastOne(limits: FieldReaders, name: string): number {
  const value = numberMember(limits, name);
  if (value < 1) {
    throw unexpected(`${limits.pointer}/${name}`, 'should be 1 or more');
  }
  return value;
}

function groupsOf(
  zone: FieldReaders,
  { node, dimension, most }: { readonly node: string; readonly dimension: string; readonly most: number },
): GroupCounts {
  const counts = new Map<string, number>();
  const groups = itemsAt(memberAt(zone, node)).map((place) => {
    const group = membersAt(place);
    const value = membersAt(memberAt(group, 'dimensions')).object[dimension];
    const key = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return [key, numberMember(group, 'count')] as const;
  });
  for (const [key, count] of groups) {
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return { counts, isCut: groups.length >= most };
}
