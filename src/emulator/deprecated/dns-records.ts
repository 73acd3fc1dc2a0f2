import { checkPermission, decodeBody, param, zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { pageOf, readPage } from '../listing/pages.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline, refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { readRecord, recordBody, recordFault, SRV_NAME_FIELDS, srvNameFields } from './dns-record.ts';
import type { DnsFault, DnsRecord } from './dns-record.ts';
import { recordFilter } from './dns-record-filter.ts';
import { findDocument, keepDocument } from './document.ts';
import type { StoredDocument } from '../records/document.ts';
import { inEffect } from '../environment/in-effect.ts';

/** GET records, page by page. */
export function listRecords(call: ScopedCall): Answer {
  checkPermission(call, 'Read', ['DNS']);
  const page = readPage(call.query, { min: 5, max: 5_000_000, standard: 100 });
  return pageOf(
    call.service.store.documents.group(groupOf(call)).filter(recordFilter(call.service, call.query)),
    page,
    (record) => showRecord(call, record),
  );
}

/** POST a record. */
export function createRecord(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['DNS']);
  return writeRecord(call, undefined, 'whole');
}

/** GET one record. */
export function getRecord(call: ScopedCall): Answer {
  checkPermission(call, 'Read', ['DNS']);
  return result(showRecord(call, findRecord(call)));
}

/** PUT a record: replaces all of it. */
export function putRecord(call: ScopedCall): Answer {
  return changeRecord(call, 'whole');
}

/** PATCH a record: changes only the fields in the body. */
export function patchRecord(call: ScopedCall): Answer {
  return changeRecord(call, 'part');
}

/** DELETE a record; answers with its id. */
export function deleteRecord(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['DNS']);
  const found = findRecord(call);
  call.service.store.documents.delete(found.key);
  return result({ id: found.id });
}

function changeRecord(call: ScopedCall, how: 'whole' | 'part'): Answer {
  checkPermission(call, 'Write', ['DNS']);
  return writeRecord(call, findRecord(call), how);
}

function writeRecord(call: ScopedCall, found: StoredDocument | undefined, how: 'whole' | 'part'): Answer {
  const body = decodeBody(call, recordBody);
  const zone = zoneOf(call);
  const before = found === undefined ? undefined : readRecord(found.value, zone.name);
  const record = readRecord(body, zone.name, how === 'part' ? before : undefined);
  const fault = srvFault(call, body) ?? typeFault(call, before, record) ?? recordFault(record);
  if (fault !== undefined) {
    throw invalidRecord(call, fault);
  }
  const stamp = call.service.stamp();
  const created = found?.value['created_on'] ?? stamp;
  const id = found?.id ?? call.service.newId();
  const value = { ...record, created_on: created, modified_on: stamp };
  return result(showRecord(call, keepDocument(call.service.store, { group: groupOf(call), id }, value)));
}

/** Before the effective date, the root cause is wrapped in a general error; afterwards, it is the error (specification 7.2). */
function invalidRecord(call: ScopedCall, fault: DnsFault): Refusal {
  return inEffect(call.service, 'dns-validation-errors')
    ? refuse(400, fault.message, { code: fault.code })
    : refuse(400, 'DNS Validation Error', { code: 1004, chain: [fault] });
}

/** After the end of life, the three fields of `data` that repeat the name are refused (specification 7.7; code assumed). */
function srvFault(call: ScopedCall, body: JsonObject): DnsFault | undefined {
  const data = objectAt(body, 'data') ?? {};
  const sent = SRV_NAME_FIELDS.filter((field) => data[field] !== undefined);
  return textAt(body, 'type') !== 'CAA' && sent.length > 0 && inEffect(call.service, 'srv-record-data')
    ? { code: 9102, message: `data.${sent[0]} is no longer accepted, use the name of the record.` }
    : undefined;
}

function typeFault(call: ScopedCall, before: DnsRecord | undefined, record: DnsRecord): DnsFault | undefined {
  return before !== undefined &&
    before.type !== record.type &&
    inEffect(call.service, 'dns-record-type-change')
    ? { code: 9103, message: 'The type of a DNS record cannot be changed.' }
    : undefined;
}

/** Shows a record with the fields that answers have on the current date (specification 9). */
function showRecord(call: ScopedCall, { id, value }: StoredDocument): JsonObject {
  const { service } = call;
  const zone = zoneOf(call);
  const record = readRecord(value, zone.name);
  const data =
    record.type === 'SRV' && !inEffect(service, 'srv-record-data')
      ? { ...record.data, ...srvNameFields(record.name) }
      : record.data;
  return {
    id,
    ...(inEffect(service, 'dns-record-zone-info') ? {} : { zone_id: zone.id, zone_name: zone.name }),
    ...record,
    data,
    proxiable: ['A', 'AAAA', 'CNAME'].includes(record.type),
    locked: inEffect(service, 'dns-record-locked') ? undefined : false,
    settings: {},
    meta: {},
    created_on: value['created_on'],
    modified_on: value['modified_on'],
  };
}

function findRecord(call: ScopedCall): StoredDocument {
  const id = param(call, 'record');
  return (
    findDocument(call.service.store, groupOf(call), id) ??
    decline(refuse(404, 'Record does not exist.', { code: 81_044 }))
  );
}

function groupOf(call: ScopedCall): string {
  return `${call.scope.owner}/dns_records`;
}
