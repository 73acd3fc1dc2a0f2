import { encodeBytes, FIELDS, readValues } from '../expression/index.ts';
import type { Value } from '../expression/index.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { splitUrl } from '../simulate/index.ts';
import type { Header } from '../simulate/index.ts';
import { address, version } from './convert.ts';
import { SECURITY_ACTIONS } from './logpush-columns.ts';
import { unreadable } from './record.ts';
import { actionKind } from '../model/index.ts';
import type { ActionKind, TrafficOutcome } from '../model/index.ts';
import type { LineReader, ReadRecord, RecordedAction } from './record.ts';
import { jsonLine } from './read-logpush.ts';
import { readTime } from './timestamps.ts';

const TYPES = new Map([...FIELDS.values()].map(({ name, type }) => [name, type]));

/** What becomes of requests that a rule ends, for `action` in our own form. */
const ENDS: Readonly<Partial<Record<ActionKind, TrafficOutcome>>> = {
  block: 'blocked',
  challenge: 'challenged',
  redirect: 'redirected',
};

function outcomeOfAction(action: string): TrafficOutcome | undefined {
  const kind = actionKind(action);
  return action === 'none' ? 'passed' : kind === undefined ? undefined : ENDS[kind];
}

/**
 * Returns a reader of our own form: a JSON object on each line with the keys that `request` has in a rule test (`url`, `method`, `ip`, `headers`,
 * `fields`), and `time`, `status`, `colo`, `action` and `rule`, which say when it was and what the service did.
 */
export function requestReader(unknown: (key: string) => void): LineReader {
  return (line) => {
    const row = jsonLine(line);
    if (typeof row === 'string') {
      return unreadable(row);
    }
    Object.keys(row)
      .filter((key) => !KEYS.has(key))
      .forEach(unknown);
    const read = readValues(row['fields'] ?? {}, TYPES);
    if (!read.ok) {
      return unreadable(`its fields are wrong: ${read.problems[0] ?? ''}`);
    }
    const { headers, status } = row;
    return recordOf({
      url: textOf(row['url']),
      method: textOf(row['method']) || 'GET',
      address: textOf(row['ip']),
      time: row['time'],
      headers: isJsonObject(headers) ? headersIn(headers) : null,
      fields: [...read.values],
      status: typeof status === 'number' ? status : null,
      recorded: actionOf(row),
      colo: textOf(row['colo']),
    });
  };
}

const KEYS = new Set([
  'url',
  'method',
  'ip',
  'headers',
  'fields',
  'time',
  'status',
  'colo',
  'action',
  'rule',
]);

interface RequestEntry {
  readonly url: string;
  readonly method: string;
  readonly address: string;
  readonly time: unknown;
  /** Null where it says nothing of headers. */
  readonly headers: readonly Header[] | null;
  readonly fields: readonly (readonly [name: string, value: Value])[];
  readonly status: number | null;
  readonly recorded: RecordedAction | null;
  readonly colo: string;
}

function recordOf(entry: RequestEntry): ReadRecord {
  const { method, time, headers, fields, status, recorded, colo } = entry;
  const url = splitUrl(encodeBytes(entry.url), '');
  if (url === undefined) {
    return unreadable('its url is none');
  }
  const ip = address(entry.address);
  return {
    kind: 'record',
    record: {
      time: readTime(time),
      host: url.host,
      method: encodeBytes(method),
      url,
      hasScheme: url.host !== '',
      address: entry.address,
      fields: new Map(ip === undefined ? fields : [...fields, ['ip.src', ip] as const]),
      headers: headers ?? [],
      hasAllHeaders: headers !== null,
      status,
      recorded,
      colo,
    },
  };
}

function headersIn(headers: JsonObject): readonly Header[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: JsonValue) =>
      typeof one === 'string' ? [{ name: encodeBytes(name), value: encodeBytes(one) }] : [],
    ),
  );
}

function actionOf(row: JsonObject): RecordedAction | null {
  const { action, rule } = row;
  if (typeof action !== 'string') {
    return null;
  }
  const said = SECURITY_ACTIONS.get(action);
  return {
    outcome: outcomeOfAction(action) ?? said?.outcome ?? null,
    solved: said?.solved === true,
    rule: textOf(rule),
    byProduct: null,
  };
}

/** Reads all requests of an HTTP archive (HAR 1.2): what a browser sent, whatever its extensions kept of it. */
export function readArchive(json: JsonValue): readonly ReadRecord[] | null {
  const { entries } = objectOf(objectOf(json)['log']);
  return Array.isArray(entries) ? entries.map((entry: JsonValue) => archived(objectOf(entry))) : null;
}

function archived(entry: JsonObject): ReadRecord {
  const request = objectOf(entry['request']);
  const response = objectOf(entry['response']);
  const headers = listOf(request['headers'])
    .map(objectOf)
    // Pseudo-headers of HTTP/2 stand among them.
    .filter(({ name }) => !textOf(name).startsWith(':'))
    .map(({ name, value }) => ({ name: encodeBytes(textOf(name)), value: encodeBytes(textOf(value)) }));
  const { status } = response;
  const http = version(request['httpVersion']);
  const mitigated = listOf(response['headers']).some(
    (header) => textOf(objectOf(header)['name']).toLowerCase() === 'cf-mitigated',
  );
  return recordOf({
    url: textOf(request['url']),
    method: textOf(request['method']) || 'GET',
    address: '',
    time: entry['startedDateTime'],
    headers,
    fields: http === undefined ? [] : [['http.request.version', http]],
    status: typeof status === 'number' && status > 0 ? status : null,
    // The service names its challenges; a block has no such header.
    recorded: mitigated ? { outcome: 'challenged', solved: false, rule: '', byProduct: null } : null,
    colo: '',
  });
}
