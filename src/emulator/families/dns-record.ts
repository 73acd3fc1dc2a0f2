import { isIPv4, isIPv6 } from 'node:net';

import { flag, integer, list, map, opaque, text } from '../decode/body-shape.ts';
import { flagAt, numberAt, objectAt, textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';

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
  readonly settings: WireObject;
  /** What types such as SRV, CAA and LOC are made of. */
  readonly data?: WireObject;
}

/** The root cause of an invalid record. */
export interface DnsFault {
  readonly code: number;
  readonly message: string;
}

/** The fields of a record in a body. */
export const recordFields = {
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
};

/** The fields of `data` that repeat the name of an SRV record (specification 9, row of 2024-05-31). */
export const SRV_NAME_FIELDS = ['service', 'proto', 'name'] as const;

/** The types of records that only have a content. */
const TYPES = ['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'NS', 'PTR', 'OPENPGPKEY'];

/**
 * The types of records that are written by `data`: their content, with `#` for numbers and `$` for texts; what follows `=` stands
 * for an absent field (members as in the newest schema, forms of contents partly assumed).
 */
const CONTENTS: Readonly<Record<string, string>> = {
  CAA: '#flags $tag "$value"',
  CERT: '#type #key_tag #algorithm $certificate',
  DNSKEY: '#flags #protocol #algorithm $public_key',
  DS: '#key_tag #algorithm #digest_type $digest',
  HTTPS: '#priority $target $value',
  LOC:
    '#lat_degrees #lat_minutes=0 #lat_seconds=0 $lat_direction #long_degrees #long_minutes=0 #long_seconds=0 ' +
    '$long_direction #altitude=0m #size=0m #precision_horz=0m #precision_vert=0m',
  NAPTR: '#order #preference "$flags" "$service" "$regex" $replacement',
  SMIMEA: '#usage #selector #matching_type $certificate',
  SRV: '#weight=0 #port $target',
  SSHFP: '#algorithm #type $fingerprint',
  SVCB: '#priority $target $value',
  TLSA: '#usage #selector #matching_type $certificate',
  URI: '#weight "$target"',
};

/** Returns what is wrong with a record, or undefined; the codes and texts of root causes are assumed. */
export function recordFault(record: DnsRecord): DnsFault | undefined {
  const { type, name, content, data } = record;
  const form = contentForm(type);
  if (form === undefined && !TYPES.includes(type)) {
    return { code: 9004, message: `Invalid DNS record type ${type}.` };
  }
  if (name.length > 255 || !/^(?:[^\s.]+\.)+[^\s.]+$/u.test(name)) {
    return { code: 9000, message: 'DNS name is invalid.' };
  }
  if (type === 'A' && !isIPv4(content)) {
    return { code: 9005, message: 'Content for A record must be a valid IPv4 address.' };
  }
  if (type === 'AAAA' && !isIPv6(content)) {
    return { code: 9006, message: 'Content for AAAA record must be a valid IPv6 address.' };
  }
  if (data !== undefined || type === 'SRV') {
    const wrong = fieldsOf(form ?? '').find((field) => !fits(field, data?.[field.name]));
    return wrong === undefined
      ? undefined
      : { code: 9101, message: `data.${wrong.name} is missing or invalid for ${type} records.` };
  }
  return content === '' ? { code: 9207, message: 'Content is required for the record.' } : undefined;
}

/** A field of `data` in the content of a type. */
interface DataField {
  readonly name: string;
  readonly kind: string;
  readonly isOptional: boolean;
}

const FIELD = /([#$])(\w+)(?:=(0)(m?))?/gu;

function contentForm(type: string): string | undefined {
  return Object.hasOwn(CONTENTS, type) ? CONTENTS[type] : undefined;
}

function fieldsOf(form: string): readonly DataField[] {
  return [...form.matchAll(FIELD)].map(([, kind = '', name = '', standard]) => ({
    name,
    kind,
    isOptional: standard !== undefined,
  }));
}

function fits({ kind, isOptional }: DataField, value: unknown): boolean {
  return value === undefined ? isOptional : typeof value === (kind === '#' ? 'number' : 'string');
}

/** Writes the content that `data` stands for; undefined where the type has none or there is no data. */
function dataContent(type: string, data: WireObject | undefined): string | undefined {
  return data === undefined
    ? undefined
    : contentForm(type)?.replaceAll(
        FIELD,
        (_, _kind, name: string, standard: string | undefined, unit: string | undefined) =>
          `${textAt(data, name) ?? numberAt(data, name) ?? standard ?? ''}${unit ?? ''}`,
      );
}

/** Splits the name of an SRV record into service, protocol and host, which `data` once repeated. */
export function srvNameFields(name: string): WireObject {
  const [service = '', proto = '', ...rest] = name.split('.');
  return { service, proto, name: rest.join('.') };
}

/** Reads a record from a decoded body. */
export function readRecord(body: WireObject, zoneName: string): DnsRecord {
  const data = objectAt(body, 'data');
  const type = textAt(body, 'type') ?? '';
  const priority =
    numberAt(body, 'priority') ?? (type === 'SRV' ? numberAt(data ?? {}, 'priority') : undefined);
  const kept = type === 'SRV' && data !== undefined ? withoutName(data) : data;
  return {
    type,
    name: fullName(textAt(body, 'name') ?? nameFromData(data ?? {}), zoneName),
    content: dataContent(type, kept) ?? textAt(body, 'content') ?? '',
    ttl: numberAt(body, 'ttl') ?? 1,
    proxied: flagAt(body, 'proxied') ?? false,
    comment: textAt(body, 'comment') ?? null,
    tags: textsAt(body, 'tags'),
    settings: objectAt(body, 'settings') ?? {},
    ...(priority === undefined ? {} : { priority }),
    ...(kept === undefined || contentForm(type) === undefined ? {} : { data: kept }),
  };
}

function withoutName(data: WireObject): WireObject {
  return Object.fromEntries(
    Object.entries(data).filter(([key]) => !SRV_NAME_FIELDS.some((field) => field === key)),
  );
}

function nameFromData(data: WireObject): string {
  return SRV_NAME_FIELDS.flatMap((field) => textAt(data, field) ?? []).join('.');
}

function fullName(name: string, zoneName: string): string {
  const plain = name === '@' || name === '' ? zoneName : name.toLowerCase();
  return plain === zoneName || plain.endsWith(`.${zoneName}`) ? plain : `${plain}.${zoneName}`;
}
