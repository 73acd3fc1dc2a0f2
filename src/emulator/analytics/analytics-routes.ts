import { checkPermission, readObject, reaches, zoneScope } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import { plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { graphql } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { objectAt, textAt } from '../protocol/wire-object.ts';
import { attempt, decline, refuse, Refusal } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory-record.ts';
import { latest } from '../records/ruleset-record.ts';
import { countedIn } from '../traffic/count-traffic.ts';
import type { AskedField } from './graphql-query.ts';
import { readQuery } from './graphql-query.ts';

/** What a zone may ask for (values of the vendor's example; those of each plan are not public). */
const LIMITS = {
  enabled: true,
  maxDuration: 259_200,
  maxNumberOfFields: 30,
  maxPageSize: 10_000,
  notOlderThan: 2_678_400,
} as const;

/** A part of what is counted: how many, and the value of each dimension. */
interface CountedPart {
  readonly count: number;
  readonly dimensions: Readonly<Record<string, string | number>>;
}

type CountParts = (call: Call, zone: Zone, period: AskedTime) => readonly CountedPart[];

interface AskedTime {
  readonly from: number;
  readonly to: number;
}

/** The data sets that are told of here. */
const DATASETS: Readonly<Record<string, CountParts>> = {
  firewallEventsAdaptiveGroups: countEvents,
  httpRequestsAdaptiveGroups: countRequests,
};

const MOST_ZONES = 10;

/** POST graphql: the nodes of the analytics that are told of here. Errors have status 200, as at the service. */
function ask(call: Call): Answer {
  const body = readObject(call);
  const data = attempt(() =>
    pick(readQuery(textAt(body, 'query') ?? '', objectAt(body, 'variables') ?? {}), {
      viewer: (viewer) => pick(viewer.fields, { zones: (zones) => zonesOf(call, zones) }),
    }),
  );
  return data instanceof Refusal
    ? graphql(
        null,
        data.errors.map(({ message }) => ({ message, path: null, extensions: {} })),
      )
    : graphql(data);
}

type Resolve = (field: AskedField) => unknown;

/** Answers the fields that are asked for; one that does not exist is refused. */
function pick(
  fields: readonly AskedField[],
  known: Readonly<Record<string, Resolve>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map((field) => {
      const resolve = Object.hasOwn(known, field.name) ? known[field.name] : undefined;
      return [field.name, resolve === undefined ? refused(`unknown field "${field.name}"`) : resolve(field)];
    }),
  );
}

function zonesOf(call: Call, { args, fields }: AskedField): readonly unknown[] {
  const filter = recordOf(args['filter']);
  const wanted = filter['zoneTag_in'] ?? [filter['zoneTag']];
  const ids = Array.isArray(wanted) ? wanted.map(String) : [];
  if (ids.length > MOST_ZONES) {
    refused(`cannot request data for more than ${MOST_ZONES} zones in a single query`);
  }
  return ids.map((id) => {
    const zone = call.service.store.zones.get(id);
    const account = call.service.store.accounts.get(zone?.account ?? '');
    if (zone === undefined || account === undefined) {
      return refused(`zone "${id}" is not found or access is denied`);
    }
    const scope = zoneScope(zone, account);
    if (!reaches(call.credential, scope)) {
      refused(`zone "${id}" is not found or access is denied`);
    }
    checkPermission({ ...call, scope }, 'Read', ['Analytics']);
    return pick(fields, {
      zoneTag: () => zone.id,
      settings: (settings) =>
        pick(
          settings.fields,
          eachDataset(() => (node) => pick(node.fields, eachLimit())),
        ),
      ...eachDataset((count) => (node) => groupsOf(call, { zone, node, count })),
    });
  });
}

function eachDataset(resolve: (count: CountParts) => Resolve): Readonly<Record<string, Resolve>> {
  return Object.fromEntries(Object.entries(DATASETS).map(([name, count]) => [name, resolve(count)]));
}

function eachLimit(): Readonly<Record<string, Resolve>> {
  return Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, () => value]));
}

/** Returns what is counted of a zone in groups by the dimensions that are asked for, the largest first. */
function groupsOf(
  call: Call,
  { zone, node, count }: { readonly zone: Zone; readonly node: AskedField; readonly count: CountParts },
): readonly unknown[] {
  const { args, fields } = node;
  const now = call.service.clock.now();
  const filter = recordOf(args['filter']);
  const from = momentOf(filter['datetime_geq']);
  const to = momentOf(filter['datetime_lt'] ?? filter['datetime_leq'] ?? new Date(now).toISOString());
  const limit = args['limit'];
  if (to - from > LIMITS.maxDuration * 1000) {
    refused(`query time range is too large, max is ${LIMITS.maxDuration} seconds`);
  }
  // Clocks differ a little.
  if (now - from > (LIMITS.notOlderThan + 300) * 1000) {
    refused(`cannot request data older than ${LIMITS.notOlderThan} seconds`);
  }
  if (typeof limit !== 'number' || limit < 1 || limit > LIMITS.maxPageSize) {
    refused(`limit must be from 1 to ${LIMITS.maxPageSize}`);
  }
  const asked = fields.find(({ name }) => name === 'dimensions')?.fields ?? [];
  const groups = new Map<string, { count: number; readonly dimensions: unknown }>();
  for (const part of count(call, zone, { from, to })) {
    const resolvers = Object.entries(part.dimensions).map(([name, value]) => [name, () => value] as const);
    const own = pick(asked, Object.fromEntries(resolvers));
    const key = JSON.stringify(own);
    const group = groups.get(key) ?? { count: 0, dimensions: own };
    group.count += part.count;
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter((group) => group.count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, limit)
    .map((group) => pick(fields, { count: () => group.count, dimensions: () => group.dimensions }));
}

/** Security events: those of the seed, and those that visitors left. */
function countEvents({ service }: Call, zone: Zone, period: AskedTime): readonly CountedPart[] {
  const now = service.clock.now();
  const idOf = ruleIds(service.store.rulesets, zone);
  const seeded = (service.store.securityEvents.get(zone.id)?.events ?? []).flatMap(
    ({ rule, count, hoursAgo, action }) => {
      const at = now - hoursAgo * 3_600_000;
      return at >= period.from && at < period.to
        ? [{ count, dimensions: { ruleId: idOf.get(rule) ?? rule, action } }]
        : [];
    },
  );
  const left = countedIn(service, zone, period).flatMap(({ count, events }) =>
    events.map(({ rule, action }) => ({ count, dimensions: { ruleId: rule, action: spelled(action) } })),
  );
  return [...seeded, ...left];
}

/** The analytics spell one action in their own way (vendor's docs, "Firewall fields"). */
function spelled(action: string): string {
  return action === 'js_challenge' ? 'jschallenge' : action;
}

/** Requests of visitors, all of whom are people or their programs (`requestSource: "eyeball"`). */
function countRequests({ service }: Call, zone: Zone, period: AskedTime): readonly CountedPart[] {
  return countedIn(service, zone, period).map(({ count, status }) => ({
    count,
    dimensions: { edgeResponseStatus: status, requestSource: 'eyeball' },
  }));
}

/** Returns the ids of the rules of a zone and its account by their refs. */
function ruleIds(rulesets: Call['service']['store']['rulesets'], zone: Zone): ReadonlyMap<string, string> {
  const own = [`accounts/${zone.account}`, `zones/${zone.id}`].flatMap((owner) => rulesets.group(owner));
  return new Map(
    own.flatMap((ruleset) =>
      latest(ruleset).rules.map(({ id, definition }) => [definition.ref ?? id, id] as const),
    ),
  );
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function momentOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? refused('a filter by datetime is needed') : time;
}

function refused(message: string): never {
  return decline(refuse(200, message));
}

/** The analytics. */
export const analyticsRoutes: readonly Route[] = [plainRoute('POST', '/graphql', ask)];
