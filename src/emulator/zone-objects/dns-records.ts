import { checkPermission } from '../call/call.ts';
import { inEffect } from '../environment/in-effect.ts';
import { pageOf, readPage } from '../listing/pages.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { ZoneObject } from '../records/zone-object.ts';
import { readRecord, recordBody, recordFault, SRV_NAME_FIELDS, srvNameFields } from './dns-record.ts';
import type { DnsFault, DnsRecord } from './dns-record.ts';
import { recordFilter } from './dns-record-filter.ts';
import { deletedId } from './family.ts';
import type { Filling, ObjectFamily, Owner } from './family.ts';

/** DNS records, with the effects of their deprecations (specification 9; api.md 12.1). */
export const dnsRecords: ObjectFamily = {
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
function invalidRecord({ service }: Filling, fault: DnsFault): Refusal {
  return inEffect(service, 'dns-validation-errors')
    ? refuse(400, fault.message, { code: fault.code })
    : refuse(400, 'DNS Validation Error', { code: 1004, chain: [fault] });
}

/** After the end of life, the three fields of `data` that repeat the name are refused (specification 7.7; code assumed). */
function srvFault({ service }: Filling, body: JsonObject): DnsFault | undefined {
  const data = objectAt(body, 'data') ?? {};
  const sent = SRV_NAME_FIELDS.filter((field) => data[field] !== undefined);
  return (textAt(body, 'type') ?? 'SRV') === 'SRV' && sent.length > 0 && inEffect(service, 'srv-record-data')
    ? { code: 9102, message: `data.${sent[0]} is no longer accepted, use the name of the record.` }
    : undefined;
}

function typeFault({ service, before }: Filling, record: DnsRecord): DnsFault | undefined {
  return before !== undefined && before['type'] !== record.type && inEffect(service, 'dns-record-type-change')
    ? { code: 9103, message: 'The type of a DNS record cannot be changed.' }
    : undefined;
}

/** Shows a record with the fields that answers have on the current date (specification 9). */
function showRecord(
  { id, body }: ZoneObject,
  { service, owner }: { readonly service: Filling['service']; readonly owner: Owner },
): JsonObject {
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
