import { isIPv4, isIPv6 } from 'node:net';
import type { Route } from '../call/route.ts';
import { checkPermission } from '../call/call.ts';
import { object, opaque, text } from '../decode/shape.ts';
import { result } from '../protocol/answer.ts';
import { byPart, byValue, narrowedList, pageOf, readPage } from '../listing/pages.ts';
import type { Narrowings } from '../listing/pages.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { ZoneObject } from '../records/old-records.ts';
import { inEffect } from '../environment/clock.ts';
import type { ServiceClock } from '../environment/clock.ts';
import { familyRoutes, deletedId, objectList, showObject } from './family.ts';
import { lockdowns } from './lockdowns.ts';
import { pageRules } from './page-rules.ts';
import { rateLimits } from './rate-limits.ts';
import { uaRules } from './ua-rules.ts';
import type { ObjectFamily, Owner, ObjectFilling } from './family.ts';
import { readRecord, recordBody, recordFault, SRV_NAME_FIELDS, srvNameFields } from './dns-record.ts';
import type { DnsFault, DnsRecord } from './dns-record.ts';

const FIELDS = ['name', 'content'] as const;

/** The comparison for each word of a filter. */
const COMPARISONS: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  exact: (value, wanted) => value === wanted,
  contains: (value, wanted) => value.includes(wanted),
  startswith: (value, wanted) => value.startsWith(wanted),
  endswith: (value, wanted) => value.endsWith(wanted),
};

/**
 * Returns the test of the records that a list shows, from filters such as `name.contains=x`. Until its end of life,
 * `name=contains:x` means the same; afterwards it asks for that exact value (api.md 12.1).
 */
function recordFilter(
  service: { readonly clock: ServiceClock },
  query: URLSearchParams,
): (record: ZoneObject) => boolean {
  const old = !inEffect(service, 'dns-record-list-filters');
  const tests = FIELDS.flatMap((field) => [
    ...Object.entries(COMPARISONS).map(([word, compare]) => ({
      field,
      wanted: query.get(`${field}.${word}`),
      compare,
    })),
    { field, ...plainTest(query.get(field), old) },
  ]);
  return ({ body }) =>
    tests.every(
      ({ field, wanted, compare }) => wanted === null || compare(textAt(body, field) ?? '', wanted),
    );
}

function plainTest(text: string | null, old: boolean) {
  const [, word = 'exact', rest = text] = old ? (/^([a-z]+):(.*)$/u.exec(text ?? '') ?? []) : [];
  const named = Object.hasOwn(COMPARISONS, word) ? COMPARISONS[word] : undefined;
  const exact = (value: string, wanted: string): boolean => value === wanted;
  return named === undefined ? { wanted: text, compare: exact } : { wanted: rest, compare: named };
}

/** DNS records, with the effects of their deprecations (specification 9; api.md 12.1). */
const dnsRecords: ObjectFamily = {
  name: 'dns_records',
  noun: 'DNS record',
  path: '/dns_records',
  changes: ['PUT', 'PATCH'],
  body: recordBody,
  checkAccess: (call, access) => checkPermission(call, access, ['DNS']),
  list: (call, objects) =>
    pageOf(
      objects.filter(recordFilter(call.service, call.query)),
      readPage(call.query, { min: 5, max: 5_000_000, standard: 100 }),
      (object) => showRecord(object, call),
    ),
  fill: (body, at) => {
    const record = readRecord(body, zoneName(at.owner));
    const fault = srvFault(at, body) ?? typeFault(at, record) ?? recordFault(record);
    if (fault !== undefined) {
      throw invalidRecord(at, fault);
    }
    return { ...record, created_on: at.before?.['created_on'] ?? at.stamp, modified_on: at.stamp };
  },
  show: showRecord,
  missing: () => refuse(404, 'Record does not exist.', { code: 81_044 }),
  deleted: deletedId,
};

function zoneName(owner: Owner): string {
  return owner.kind === 'zone' ? owner.zone.name : '';
}

/** Before the effective date, the root cause is wrapped in a general error; afterwards, it is the error (specification 7.2). */
function invalidRecord({ service }: ObjectFilling, fault: DnsFault): Refusal {
  return inEffect(service, 'dns-validation-errors')
    ? refuse(400, fault.message, { code: fault.code })
    : refuse(400, 'DNS Validation Error', { code: 1004, chain: [fault] });
}

/** After the end of life, the three fields of `data` that repeat the name are refused (specification 7.7; code assumed). */
function srvFault({ service }: ObjectFilling, body: WireObject): DnsFault | undefined {
  const data = objectAt(body, 'data') ?? {};
  const sent = SRV_NAME_FIELDS.filter((field) => data[field] !== undefined);
  return (textAt(body, 'type') ?? 'SRV') === 'SRV' && sent.length > 0 && inEffect(service, 'srv-record-data')
    ? { code: 9102, message: `data.${sent[0]} is no longer accepted, use the name of the record.` }
    : undefined;
}

function typeFault({ service, before }: ObjectFilling, record: DnsRecord): DnsFault | undefined {
  return before !== undefined && before['type'] !== record.type && inEffect(service, 'dns-record-type-change')
    ? { code: 9103, message: 'The type of a DNS record cannot be changed.' }
    : undefined;
}

/** Shows a record with the fields that answers have on the current date (specification 9). */
function showRecord(
  { id, body }: ZoneObject,
  { service, owner }: { readonly service: ObjectFilling['service']; readonly owner: Owner },
): WireObject {
  const name = textAt(body, 'name') ?? '';
  const data = objectAt(body, 'data');
  const isSrv = body['type'] === 'SRV' && !inEffect(service, 'srv-record-data');
  return {
    id,
    ...(inEffect(service, 'dns-record-zone-info') ? {} : { zone_id: owner.id, zone_name: zoneName(owner) }),
    ...body,
    data: isSrv ? { ...data, ...srvNameFields(name) } : data,
    proxiable: ['A', 'AAAA', 'CNAME'].includes(textAt(body, 'type') ?? ''),
    locked: inEffect(service, 'dns-record-locked') ? undefined : false,
    meta: {},
  };
}

const MODES = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'];

/** The targets of a rule, each with the form of its value. The lengths of ranges are assumed. */
const TARGETS: Readonly<Record<string, (value: string) => boolean>> = {
  ip: isIPv4,
  ip6: isIPv6,
  ip_range: (value) => {
    const [, address = '', bits] = /^(.+)\/(16|24|32|48|64)$/u.exec(value) ?? [];
    return isIPv4(address) ? Number(bits) <= 24 : isIPv6(address) && Number(bits) >= 32;
  },
  asn: (value) => /^AS\d{1,10}$/iu.test(value),
  country: (value) => /^[A-Z][A-Z0-9]$/iu.test(value),
};

const narrowings: Narrowings<ZoneObject> = {
  mode: byValue(({ body }) => textAt(body, 'mode') ?? ''),
  notes: byPart(({ body }) => textAt(body, 'notes') ?? ''),
  'configuration.target': byValue(({ body }) => textAt(configurationOf(body), 'target') ?? ''),
  'configuration.value': byPart(({ body }) => textAt(configurationOf(body), 'value') ?? ''),
};

/** IP access rules of zones, accounts and users (api.md 9.7). */
const accessRules: ObjectFamily = {
  name: 'access_rules',
  noun: 'access rule',
  path: '/firewall/access_rules/rules',
  owners: ['zone', 'account', 'user'],
  changes: ['PATCH'],
  body: object({
    id: opaque,
    mode: text(),
    notes: text(),
    configuration: object({ target: text(), value: text() }),
    allowed_modes: opaque,
    scope: opaque,
    created_on: opaque,
    modified_on: opaque,
  }),
  checkAccess: (call, access) =>
    checkPermission(call, access, [
      call.scope.kind === 'zone' ? 'Firewall Services' : 'Account Firewall Access Rules',
    ]),
  list: (call, objects) => narrowedList(call, objects, { ...objectList, narrowings }),
  fill: (body, { owner, stamp, before, others }) => {
    const mode = textAt(body, 'mode') ?? '';
    const target = textAt(configurationOf(body), 'target') ?? '';
    const value = textAt(configurationOf(body), 'value') ?? '';
    const fits = Object.hasOwn(TARGETS, target) ? TARGETS[target] : undefined;
    if (!MODES.includes(mode)) {
      throw invalid(`mode must be one of ${MODES.join(', ')}`);
    }
    if (fits?.(value) !== true) {
      throw invalid(`'${value}' is not a valid value for the target '${target}'`);
    }
    const isSame = ({ body: other }: ZoneObject): boolean =>
      ['target', 'value'].every(
        (key) =>
          textAt(configurationOf(other), key)?.toLowerCase() ===
          textAt(configurationOf(body), key)?.toLowerCase(),
      );
    if (others.some(isSame)) {
      throw refuse(400, 'firewallaccessrules.api.duplicate_of_existing', { code: 10009 });
    }
    return {
      notes: textAt(body, 'notes') ?? '',
      allowed_modes: MODES,
      mode,
      configuration: { target, value },
      created_on: before?.['created_on'] ?? stamp,
      modified_on: stamp,
      scope: scopeOf(owner),
    };
  },
  deleted: deletedId,
};

/** Says whose rule it is; that a zone's rule says `zone` is assumed. */
function scopeOf(owner: Owner): WireObject {
  const { id } = owner;
  switch (owner.kind) {
    case 'zone':
      return { id, type: 'zone' };
    case 'account':
      return { id, type: 'organization' };
    default:
      return { id, email: owner.user.email, type: 'user' };
  }
}

function configurationOf(body: WireObject): WireObject {
  return objectAt(body, 'configuration') ?? {};
}

function invalid(reason: string): Refusal {
  return refuse(400, `firewallaccessrules.api.validation_error: ${reason}`, { code: 10001 });
}

/** Where a zone looks for credentials that may have leaked, besides the usual places (newest schema). */
const detections: ObjectFamily = {
  name: 'detections',
  noun: 'detection',
  path: '/leaked-credential-checks/detections',
  changes: ['PUT'],
  body: object({ id: opaque, username: text(), password: text() }),
  checkAccess: (call, access) => checkPermission(call, access, ['Zone WAF']),
  list: (_, objects) => result(objects.map(showObject)),
  fill: ({ username, password }) => ({ username, password }),
  deleted: deletedId,
};

/** The routes of the families whose objects have an owner and are in no ruleset (api.md 9.6, 9.7). */
export const zoneObjectRoutes: readonly Route[] = [
  rateLimits,
  pageRules,
  lockdowns,
  uaRules,
  accessRules,
  dnsRecords,
  detections,
].flatMap(familyRoutes);
