import { encodeBytes } from '../expression/index.ts';
import type { Value } from '../expression/index.ts';
import { isJsonObject } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { splitUrl } from '../simulate/index.ts';
import type { Header } from '../simulate/index.ts';
import { address, code, version } from './convert.ts';
import { NO_RECORD, unreadable } from './record.ts';
import type { LineReader, ReadRecord, RecordedAction } from './record.ts';
import { jsonLine } from './read-logpush.ts';
import { readTime } from './timestamps.ts';

/** A server behind the service logs only what was let through to it. */
const LET_THROUGH: RecordedAction = { outcome: 'passed', solved: false, rule: '', byProduct: null };

/** What an access log says of a request, in texts as they stand there; undefined, empty or `-` where it does not. */
interface AccessEntry {
  readonly host: string;
  readonly scheme: string;
  readonly method: string;
  readonly target: string;
  readonly protocol: string;
  readonly address: string;
  readonly time: unknown;
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Headers that the service adds on the way: they tell of the visitor, but rules do not see them. */
const OF_SERVICE = /^(?:cf-|cdn-loop$|true-client-ip$|x-forwarded-|x-real-ip$)/u;

/** The methods that are registered (RFC 9110, 16.1), such as `GET` and `VERSION-CONTROL`, and those of other protocols over HTTP, such as `M-SEARCH`. */
const METHOD = /^[A-Z][A-Z-]*$/u;

function recordOf(entry: AccessEntry): ReadRecord {
  const { method, target, protocol, time, status } = entry;
  const added = new Map(entry.headers);
  const host = encodeBytes(entry.host.toLowerCase().replace(/:\d+$/u, ''));
  const url = splitUrl(encodeBytes(target), host);
  if (url === undefined || !METHOD.test(method)) {
    return unreadable('its request line is none of HTTP');
  }
  const visitor = added.get('cf-connecting-ip') ?? entry.address;
  const known: readonly (readonly [string, Value | undefined])[] = [
    ['ip.src', address(visitor)],
    ['ip.src.country', code(added.get('cf-ipcountry'))],
    ['http.request.version', version(protocol)],
  ];
  const headers = entry.headers
    .filter(([name]) => !OF_SERVICE.test(name))
    .map(([name, value]): Header => ({ name: encodeBytes(name), value: encodeBytes(value) }));
  return {
    kind: 'record',
    record: {
      time: readTime(time),
      host: url.host,
      method,
      url: entry.scheme === 'http' ? { ...url, scheme: 'http', port: 80 } : url,
      hasScheme: entry.scheme !== '',
      address: visitor,
      fields: new Map(
        known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
      ),
      headers,
      hasAllHeaders: false,
      status,
      recorded: LET_THROUGH,
      colo: (added.get('cf-ray') ?? '').split('-')[1] ?? '',
    },
  };
}

// A part in quotation marks ends at the first one that no backslash escapes.
const COMBINED =
  /^(?:(?<host>[\w.:-]+) )?(?<address>[\w.:-]+) \S+ \S.*? ?\[(?<time>[^\]]{1,40})\] "(?<request>(?:[^"\\]|\\.)*)" (?<status>\d{3}) \S+(?: "(?<referer>(?:[^"\\]|\\.)*)" "(?<agent>(?:[^"\\]|\\.)*)")?/u;

/** Reads a line of the common or combined form of access logs, with or without the host before it. */
export const readCombined: LineReader = (line) => {
  const {
    host = '',
    address: visitor = '',
    time,
    request = '',
    status,
    referer,
    agent,
  } = COMBINED.exec(line)?.groups ?? {};
  if (time === undefined) {
    return unreadable('it is no line of an access log');
  }
  const [method = '', target = '', protocol = ''] = request.split(' ');
  return recordOf({
    host,
    scheme: '',
    method,
    target: unescaped(target),
    protocol,
    address: visitor,
    time,
    status: Number(status),
    headers: [...headerOf('referer', referer), ...headerOf('user-agent', agent)],
  });
};

/** `-` stands for a header that the request did not have. */
function headerOf(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value === '-' ? '' : unescaped(value)]];
}

/** Undoes the escapes of Apache and nginx: `\"`, `\\` and `\x22`. */
function unescaped(value: string): string {
  return value.includes('\\')
    ? value.replaceAll(
        /\\(?:x([\da-f]{2})|(["\\]))/giu,
        (_, hex: string | undefined, plain: string | undefined) =>
          hex === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : value;
}

/** Reads a line of Caddy's access log in JSON. */
export const readCaddy: LineReader = (line) => {
  const row = jsonLine(line);
  if (typeof row === 'string') {
    return unreadable(row);
  }
  const request = row['request'];
  if (!isJsonObject(request)) {
    return NO_RECORD;
  }
  const headers = isJsonObject(request['headers']) ? request['headers'] : {};
  const { status } = row;
  return recordOf({
    host: string(request, 'host'),
    scheme: isJsonObject(request['tls']) ? 'https' : 'http',
    method: string(request, 'method'),
    target: string(request, 'uri'),
    protocol: string(request, 'proto'),
    address: string(request, 'client_ip') || string(request, 'remote_ip'),
    time: row['ts'],
    status: typeof status === 'number' && status > 0 ? status : null,
    headers: Object.entries(headers).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : []).flatMap((value: unknown) =>
        // Caddy keeps cookies and credentials out of its log.
        typeof value === 'string' && value !== 'REDACTED' ? [[name.toLowerCase(), value] as const] : [],
      ),
    ),
  });
};

/** The names that nginx has for each part of a request; every log has its own choice of them. */
const NGINX = {
  host: ['host', 'http_host', 'server_name'],
  scheme: ['scheme'],
  method: ['request_method', 'method'],
  target: ['request_uri', 'uri'],
  protocol: ['server_protocol', 'protocol'],
  address: ['remote_addr', 'realip_remote_addr'],
  time: ['time_iso8601', 'msec', 'time_local', 'time', '@timestamp'],
} as const;

/** Reads a line of an nginx log whose format is JSON with nginx's own names of variables. */
export const readNginx: LineReader = (line) => {
  const row = jsonLine(line);
  if (typeof row === 'string') {
    return unreadable(row);
  }
  const first = (names: readonly string[]): string =>
    names.map((name) => wordOf(row[name])).find((value) => value !== '' && value !== '-') ?? '';
  const [method = '', target = '', protocol = ''] = string(row, 'request').split(' ');
  return recordOf({
    host: first(NGINX.host),
    scheme: first(NGINX.scheme),
    method: first(NGINX.method) || method,
    target: target || first(NGINX.target),
    protocol: first(NGINX.protocol) || protocol,
    address: first(NGINX.address),
    time: first(NGINX.time),
    status: Number(row['status']) || null,
    headers: Object.entries(row).flatMap(([name, value]) =>
      name.startsWith('http_') && typeof value === 'string'
        ? [[headerName(name), value === '-' ? '' : value] as const]
        : [],
    ),
  });
};

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function headerName(variable: string): string {
  const name = variable.slice('http_'.length).replaceAll('_', '-');
  return name === 'referrer' ? 'referer' : name;
}

function string(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}
