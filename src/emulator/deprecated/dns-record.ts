import { isIPv4, isIPv6 } from 'node:net';

import { flag, integer, list, map, object, opaque, text } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { flagAt, numberAt, objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';

/** The part of a stored DNS record that the client decides. */
export interface DnsRecord {
  readonly type: string;
  /** The full name, which ends with the zone's name. */
  readonly name: string;
  readonly content: string;
  readonly ttl: number;
  readonly proxied: boolean;
  readonly comment: string | null;
  readonly tags: readonly string[];
  readonly priority?: number;
  /** SRV only: priority, weight, port, target. */
  readonly data?: JsonObject;
}

/** The root cause of an invalid record. */
export interface DnsFault {
  readonly code: number;
  readonly message: string;
}

/** The fields of a record in a body. Fields that answers once had are accepted and ignored (specification 9). */
export const recordBody: ObjectShape = object({
  type: text(),
  name: text(),
  content: text(),
  ttl: integer(),
  proxied: flag(),
  priority: integer(),
  comment: text(),
  tags: list(text()),
  data: map(opaque),
  settings: map(opaque),
  id: opaque,
  proxiable: opaque,
  created_on: opaque,
  modified_on: opaque,
  meta: opaque,
  zone_id: opaque,
  zone_name: opaque,
  locked: opaque,
});

/** The fields of `data` that repeat the name of an SRV record (specification 9, row of 2024-05-31). */
export const SRV_NAME_FIELDS = ['service', 'proto', 'name'] as const;

const TYPES = ['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'NS', 'SRV', 'CAA'];

/** Returns what is wrong with a record, or undefined; the codes and texts of root causes are assumed. */
export function recordFault(record: DnsRecord): DnsFault | undefined {
  const { type, name, content, data } = record;
  if (!TYPES.includes(type)) {
    return { code: 9004, message: `Invalid DNS record type ${type}.` };
  }
  if (!/^(?:[^\s.]+\.)+[^\s.]+$/u.test(name)) {
    return { code: 9000, message: 'DNS name is invalid.' };
  }
  if (type === 'A' && !isIPv4(content)) {
    return { code: 9005, message: 'Content for A record must be a valid IPv4 address.' };
  }
  if (type === 'AAAA' && !isIPv6(content)) {
    return { code: 9006, message: 'Content for AAAA record must be a valid IPv6 address.' };
  }
  if (type === 'SRV' && (typeof data?.['port'] !== 'number' || typeof data['target'] !== 'string')) {
    return { code: 9101, message: 'data.port and data.target are required for SRV records.' };
  }
  return type !== 'SRV' && content === ''
    ? { code: 9207, message: 'Content is required for the record.' }
    : undefined;
}

/** Splits the name of an SRV record into service, protocol and host, which `data` once repeated. */
export function srvNameFields(name: string): JsonObject {
  const [service = '', proto = '', ...rest] = name.split('.');
  return { service, proto, name: rest.join('.') };
}

/** Reads a record from a decoded body, on top of an existing record (PATCH) or alone. Also reads a stored record. */
export function readRecord(body: JsonObject, zoneName: string, before?: DnsRecord): DnsRecord {
  const data = objectAt(body, 'data') ?? before?.data;
  const type = textAt(body, 'type') ?? before?.type ?? '';
  const name = textAt(body, 'name') ?? before?.name ?? nameFromData(data ?? {});
  const kept = Object.fromEntries(
    Object.entries(data ?? {}).filter(([key]) => !SRV_NAME_FIELDS.some((field) => field === key)),
  );
  const priority = numberAt(body, 'priority') ?? before?.priority;
  return {
    type,
    name: fullName(name, zoneName),
    content: type === 'SRV' ? srvContent(kept) : (textAt(body, 'content') ?? before?.content ?? ''),
    ttl: numberAt(body, 'ttl') ?? before?.ttl ?? 1,
    proxied: flagAt(body, 'proxied') ?? before?.proxied ?? false,
    comment: textAt(body, 'comment') ?? before?.comment ?? null,
    tags: Array.isArray(body['tags']) ? body['tags'].map(String) : (before?.tags ?? []),
    ...(priority === undefined ? {} : { priority }),
    ...(type === 'SRV' ? { data: kept } : {}),
  };
}

function srvContent(data: JsonObject): string {
  return [data['weight'] ?? 0, data['port'] ?? 0, data['target'] ?? ''].map(String).join(' ');
}

function nameFromData(data: JsonObject): string {
  return SRV_NAME_FIELDS.flatMap((field) => textAt(data, field) ?? []).join('.');
}

function fullName(name: string, zoneName: string): string {
  const plain = name === '@' || name === '' ? zoneName : name.toLowerCase();
  return plain === zoneName || plain.endsWith(`.${zoneName}`) ? plain : `${plain}.${zoneName}`;
}
