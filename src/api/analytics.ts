import type { AnalyticsClient } from './client.ts';
import { wholeSecond } from '../text/index.ts';
import { decodeResult } from './response.ts';
import type { AnswerLocation, FieldReaders } from './shape.ts';
import {
  decodeItems,
  decodeOne,
  itemsAt,
  memberAt,
  membersAt,
  numberMember,
  textMember,
  unexpected,
} from './shape.ts';

/**
 * The vendor's GraphQL analytics, of zones: one query is about ten of them at most, and asks for no longer and no older a period than the plan of
 * each zone allows, which the settings node says (vendor's docs, "GraphQL Analytics API": limits, settings node, querying firewall events).
 */
export const MOST_ZONES_ASKED = 10;

/** How far the security events of a zone can be asked for. */
export type SecurityEventLimits =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      /** Seconds. */
      readonly longestPeriod: number;
      /** How many seconds ago the oldest event was, at most. */
      readonly oldest: number;
      /** The most groups in one answer. */
      readonly mostGroups: number;
    };

/** A period, from a moment on up to another, in milliseconds since 1970. */
interface AskedPeriod {
  readonly from: number;
  readonly to: number;
}

/** How many security events rules of a zone have left. */
export interface RuleEvents {
  /** By id of the rule. The counts are estimates: the service keeps samples of frequent events. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whether rules may be missing, since the answer was as long as it may be. */
  readonly isCut: boolean;
}

const EVENTS = 'firewallEventsAdaptiveGroups';

const LIMITS_QUERY = `query Limits($zones: [string!]) {
  viewer { zones(filter: { zoneTag_in: $zones }) {
    zoneTag
    settings { ${EVENTS} { enabled maxDuration maxPageSize notOlderThan } }
  } }
}`;

/** Asks how far the security events of zones can be asked for. Zones that the credentials cannot ask about are missing. */
export async function securityEventLimits(
  client: AnalyticsClient,
  zones: readonly string[],
): Promise<ReadonlyMap<string, SecurityEventLimits>> {
  const response = await client.ask(LIMITS_QUERY, { zones });
  return decodeResult(response, decodeZones(limitsOf));
}

const EVENTS_QUERY = `query RuleEvents($zones: [string!], $from: Time, $to: Time, $most: uint64!) {
  viewer { zones(filter: { zoneTag_in: $zones }) {
    zoneTag
    ${EVENTS}(filter: { datetime_geq: $from, datetime_lt: $to }, limit: $most, orderBy: [count_DESC]) {
      count
      dimensions { ruleId }
    }
  } }
}`;

/** Asks how many security events each rule has left in zones, in a period that is within the limits of all of them. */
export async function securityEventsByRule(
  client: AnalyticsClient,
  zones: readonly string[],
  { from, to, mostGroups }: AskedPeriod & { readonly mostGroups: number },
): Promise<ReadonlyMap<string, RuleEvents>> {
  const variables = { zones, from: wholeSecond(from), to: wholeSecond(to), most: mostGroups };
  const response = await client.ask(EVENTS_QUERY, variables);
  return decodeResult(
    response,
    decodeZones((zone) => eventsOf(zone, mostGroups)),
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

function limitsOf(zone: FieldReaders): SecurityEventLimits {
  const limits = membersAt(memberAt(membersAt(memberAt(zone, 'settings')), EVENTS));
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

function eventsOf(zone: FieldReaders, most: number): RuleEvents {
  const counts = new Map<string, number>();
  const groups = decodeItems(zone, EVENTS, (group) => {
    const rule = membersAt(memberAt(group, 'dimensions')).object['ruleId'];
    return [typeof rule === 'string' ? rule : '', numberMember(group, 'count')] as const;
  });
  for (const [rule, count] of groups) {
    counts.set(rule, (counts.get(rule) ?? 0) + count);
  }
  return { counts, isCut: groups.length >= most };
}
