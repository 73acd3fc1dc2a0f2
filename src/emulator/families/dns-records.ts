import type { FamilyScope } from '../call/call.ts';
import { object } from '../decode/body-shape.ts';
import { inEffect } from '../environment/service-clock.ts';
import type { ServiceClock } from '../environment/service-clock.ts';
import { pageOf, readPage } from '../listing/list-page.ts';
import { objectAt, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { StoredDocument } from '../records/document-record.ts';
import { readRecord, recordFault, recordFields, SRV_NAME_FIELDS, srvNameFields } from './dns-record.ts';
import type { DnsFault, DnsRecord } from './dns-record.ts';
import { mergedMembers, replaced } from './family.ts';
import type { Family, FamilyContext, FillContext } from './family.ts';

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
): (record: StoredDocument) => boolean {
  const old = !inEffect(service, 'dns-record-list-filters');
  const tests = FIELDS.flatMap((field) => [
    ...Object.entries(COMPARISONS).map(([word, compare]) => ({
      field,
      wanted: query.get(`${field}.${word}`),
      compare,
    })),
    { field, ...plainTest(query.get(field), old) },
  ]);
  return ({ value: record }) =>
    tests.every(
      ({ field, wanted, compare }) => wanted === null || compare(textAt(record, field) ?? '', wanted),
    );
}

function plainTest(text: string | null, old: boolean) {
  const [, word = 'exact', rest = text] = old ? (/^([a-z]+):(.*)$/u.exec(text ?? '') ?? []) : [];
  const named = Object.hasOwn(COMPARISONS, word) ? COMPARISONS[word] : undefined;
  const exact = (value: string, wanted: string): boolean => value === wanted;
  return named === undefined ? { wanted: text, compare: exact } : { wanted: rest, compare: named };
}

/** DNS records, with the effects of their deprecations (specification 9; api.md 12.1). */
export const dnsRecords = {
  path: '/dns_records',
  holds: 'collection',
  noun: 'DNS record',
  access: ['DNS'],
  writes: { POST: replaced, PUT: replaced, PATCH: mergedMembers },
  deletes: true,
  // Some of these are members that answers once had (specification 9).
  ignores: ['proxiable', 'meta', 'zone_id', 'zone_name', 'locked'],
  stamped: true,
  body: object(recordFields),
  fill: (body, at) => {
    const record = readRecord(body, zoneName(at.scope));
    const fault = srvFault(at, body) ?? typeFault(at, record) ?? recordFault(record);
    if (fault !== undefined) {
      throw invalidRecord(at, fault);
    }
    return { ...record };
  },
  show: showRecord,
  list: (call, documents, show) =>
    pageOf(
      documents.filter(recordFilter(call.service, call.query)),
      readPage(call.query, { min: 5, max: 5_000_000, standard: 100 }),
      show,
    ),
  missing: () => refuse(404, 'Record does not exist.', { code: 81_044 }),
} as const satisfies Family;

function zoneName(scope: FamilyScope): string {
  return scope.kind === 'zone' ? scope.zone.name : '';
}

/** Before the effective date, the root cause is wrapped in a general error; afterwards, it is the error (specification 7.2). */
function invalidRecord({ service }: FillContext, fault: DnsFault): Refusal {
  return inEffect(service, 'dns-validation-errors')
    ? refuse(400, fault.message, { code: fault.code })
    : refuse(400, 'DNS Validation Error', { code: 1004, chain: [fault] });
}

/** After the end of life, the three fields of `data` that repeat the name are refused (specification 7.7; code assumed). */
function srvFault({ service }: FillContext, body: WireObject): DnsFault | undefined {
  const data = objectAt(body, 'data') ?? {};
  const sent = SRV_NAME_FIELDS.filter((field) => data[field] !== undefined);
  return (textAt(body, 'type') ?? 'SRV') === 'SRV' && sent.length > 0 && inEffect(service, 'srv-record-data')
    ? { code: 9102, message: `data.${sent[0]} is no longer accepted, use the name of the record.` }
    : undefined;
}

function typeFault({ service, before }: FillContext, record: DnsRecord): DnsFault | undefined {
  return before !== undefined && before['type'] !== record.type && inEffect(service, 'dns-record-type-change')
    ? { code: 9103, message: 'The type of a DNS record cannot be changed.' }
    : undefined;
}

/** Shows a record with the fields that answers have on the current date (specification 9). */
function showRecord(record: WireObject, { service, scope }: FamilyContext): WireObject {
  const name = textAt(record, 'name') ?? '';
  const data = objectAt(record, 'data');
  const isSrv = record['type'] === 'SRV' && !inEffect(service, 'srv-record-data');
  const zone = scope.kind === 'zone' ? { zone_id: scope.zone.id, zone_name: scope.zone.name } : {};
  return {
    ...(inEffect(service, 'dns-record-zone-info') ? {} : zone),
    ...record,
    data: isSrv ? { ...data, ...srvNameFields(name) } : data,
    proxiable: ['A', 'AAAA', 'CNAME'].includes(textAt(record, 'type') ?? ''),
    locked: inEffect(service, 'dns-record-locked') ? undefined : false,
    meta: {},
  };
}
