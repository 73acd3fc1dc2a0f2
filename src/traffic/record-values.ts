import { lowerAscii, mapOfEntries } from '../expression/index.ts';
import type { Value, Values } from '../expression/index.ts';
import {
  cookieMap,
  NAMES_OF_ONE_VALUE,
  NOT_NORMAL,
  PartialMap,
  RAW_URL_FIELDS,
  UNKNOWN_TEXT,
  URL_FIELDS,
  valuesOf,
} from '../simulate/index.ts';
import type { ExchangeState, Header, OfUrl, SimulatedRequest, ZoneFacts } from '../simulate/index.ts';
import type { TrafficRecord } from './record.ts';

/** Adds known fields of a request to its values. */
type Fill = (into: Map<string, Value>, record: TrafficRecord) => void;

/** The values of the fields of records, of those fields alone that rules ask for. */
export interface RecordValues {
  /** The fields of a request as it came in. */
  readonly original: (record: TrafficRecord, zone: ZoneFacts) => Values;
  /** The fields in a later state, after rewrites, or with the answer. */
  readonly later: (original: Values, record: TrafficRecord, state: ExchangeState) => Values;
}

const HEADERS = 'http.request.headers';
const RAW_HEADERS = 'raw.http.request.headers';

/** Fields of one header. */
const OF_HEADER: readonly (readonly [field: string, header: string, of: (value: string) => Value])[] = [
  ['http.user_agent', 'user-agent', String],
  ['http.referer', 'referer', String],
  ['http.x_forwarded_for', 'x-forwarded-for', String],
  ['http.cookie', 'cookie', String],
  ['http.request.cookies', 'cookie', cookieMap],
];

/** URL fields in which the host stands. */
const WITH_HOST: ReadonlySet<string> = new Set(['http.request.full_uri', 'raw.http.request.full_uri']);

/** Works out once how the fields that rules ask for follow from a record. */
export function recordValues(needed: ReadonlySet<string>): RecordValues {
  const urls = [...URL_FIELDS].filter(([name]) => needed.has(name));
  const headers = OF_HEADER.filter(([field]) => needed.has(field));
  const fills = fillsFor(needed);
  const pairs = NAMES_OF_ONE_VALUE.filter((names) => names.some((name) => needed.has(name)));
  return {
    original: (record, zone) => {
      const values = new Map(record.fields);
      for (const [one, other] of pairs) {
        alias(values, one, other);
      }
      for (const fill of fills) {
        fill(values, record);
      }
      // What normalization makes of such a path depends on a setting of the zone.
      fillUrl(values, NOT_NORMAL.test(record.url.path) ? [] : urls, record);
      values.set('cf.zone.name', zone.name);
      if (zone.plan !== '') {
        values.set('cf.zone.plan', zone.plan);
      }
      return values;
    },
    later: (original, record, { original: sent, request, response }) => {
      const values = new Map(original);
      if (request.url !== sent.url) {
        for (const [name, of] of urls) {
          const value = `${request.url.path}${request.url.query}`.includes(UNKNOWN_TEXT)
            ? undefined
            : of(request.url);
          replace(values, name, value);
        }
      }
      if (request.headers !== sent.headers) {
        fillRewritten(values, { headers, record, request });
      }
      if (response !== undefined && record.status !== null) {
        values.set('http.response.code', response.status);
      }
      return values;
    },
  };
}

function alias(values: Map<string, Value>, one: string, other: string): void {
  const value = values.get(one) ?? values.get(other);
  if (value !== undefined) {
    values.set(one, value);
    values.set(other, value);
  }
}

function replace(values: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) {
    values.delete(name);
  } else {
    values.set(name, value);
  }
}

function fillUrl(
  values: Map<string, Value>,
  fields: readonly (readonly [string, OfUrl])[],
  { host, hasScheme, url }: TrafficRecord,
): void {
  for (const [name, of] of fields) {
    if (!WITH_HOST.has(name) || (host !== '' && hasScheme)) {
      values.set(name, of(url));
    }
  }
}

/** Returns how to fill in the wanted fields that follow from other parts than the rewritable URL. */
function fillsFor(needed: ReadonlySet<string>): readonly Fill[] {
  const raw = [...RAW_URL_FIELDS].filter(([name]) => needed.has(name));
  const headers = OF_HEADER.filter(([field]) => needed.has(field));
  const all: readonly (readonly [fields: readonly string[], fill: Fill])[] = [
    [['http.request.method'], (into, { method }) => into.set('http.request.method', method)],
    [['http.host'], (into, { host }) => void (host === '' || into.set('http.host', host))],
    [['ssl'], (into, { hasScheme, url }) => void (hasScheme && into.set('ssl', url.scheme === 'https'))],
    [
      ['http.request.timestamp.sec', 'http.request.timestamp.msec'],
      (into, { time }) => {
        if (time !== null) {
          into.set('http.request.timestamp.sec', Math.floor(time / 1000));
          into.set('http.request.timestamp.msec', time % 1000);
        }
      },
    ],
    [raw.map(([name]) => name), (into, record) => fillUrl(into, raw, record)],
    [headers.map(([field]) => field), (into, record) => fillHeaders(into, headers, record)],
    [
      [HEADERS, RAW_HEADERS],
      (into, record) => {
        const map = headerMap(record.headers, record.hasAllHeaders);
        into.set(HEADERS, map);
        into.set(RAW_HEADERS, map);
      },
    ],
    [
      [`${HEADERS}.names`, `${HEADERS}.values`],
      (into, record) => {
        if (record.hasAllHeaders) {
          into.set(
            `${HEADERS}.names`,
            record.headers.map(({ name }) => name),
          );
          into.set(
            `${HEADERS}.values`,
            record.headers.map(({ value }) => value),
          );
        }
      },
    ],
  ];
  return all.filter(([fields]) => fields.some((field) => needed.has(field))).map(([, fill]) => fill);
}

function fillHeaders(
  into: Map<string, Value>,
  fields: typeof OF_HEADER,
  { headers, hasAllHeaders }: Pick<TrafficRecord, 'headers' | 'hasAllHeaders'>,
): void {
  for (const [field, name, of] of fields) {
    const header = headers.find((one) => one.name === name || lowerAscii(one.name) === name);
    if (header !== undefined || hasAllHeaders) {
      into.set(field, of(header?.value ?? ''));
    }
  }
}

/** Returns headers as a map; an empty value stands for a header that the request did not have. */
function headerMap(headers: readonly Header[], isWhole: boolean): Value {
  const lists = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const key = lowerAscii(name);
    const list = lists.get(key);
    if (list !== undefined) {
      list.push(value);
    } else {
      lists.set(key, value === '' && !isWhole ? [] : [value]);
    }
  }
  return isWhole ? mapOfEntries(lists) : new PartialMap(lists);
}

function fillRewritten(
  values: Map<string, Value>,
  given: {
    readonly headers: typeof OF_HEADER;
    readonly record: TrafficRecord;
    readonly request: SimulatedRequest;
  },
): void {
  const { headers, record, request } = given;
  const changed = [...new Set([...record.headers, ...request.headers].map(({ name }) => lowerAscii(name)))];
  const entries = changed.map((name) => [name, valuesOf(request.headers, name)] as const);
  const known = entries.filter(([, list]) => !list.some((value) => value.includes(UNKNOWN_TEXT)));
  const isWhole = record.hasAllHeaders && known.length === entries.length;
  values.set(
    HEADERS,
    isWhole ? mapOfEntries(known.filter(([, list]) => list.length > 0)) : new PartialMap(known),
  );
  fillHeaders(
    values,
    headers.filter(([, name]) => isWhole || changed.includes(name)),
    {
      headers: request.headers,
      hasAllHeaders: true,
    },
  );
}
