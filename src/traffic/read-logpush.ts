import { encodeBytes } from '../expression/index.ts';
import type { Value } from '../expression/index.ts';
import { isJsonObject } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import { PartialMap, splitUrl } from '../simulate/index.ts';
import type { Header, Url } from '../simulate/index.ts';
import { HEADER_COLUMNS, LOGPUSH_COLUMNS, READ_COLUMNS, SECURITY_ACTIONS } from './logpush-columns.ts';
import { unreadable } from './record.ts';
import type { TrafficOutcome } from '../model/index.ts';
import type { LineReader, RecordedAction } from './record.ts';
import { readTime } from './timestamps.ts';

/** What a reader is told of the rules, and tells of the log. */
export interface ReadingNeeds {
  /** The fields that rules ask for; nothing else has to be read. */
  readonly fields: ReadonlySet<string>;
  /** Gets each column, or key, that says nothing to the rules language. */
  readonly unknown: (column: string) => void;
}

/** Returns a reader of the lines of the dataset `http_requests`. */
export function logpushReader({ fields, unknown }: ReadingNeeds): LineReader {
  const columns = LOGPUSH_COLUMNS.filter(({ field }) => fields.has(field));
  const isNewShape = shapeWatch();
  return (line) => {
    const row = jsonLine(line);
    if (typeof row === 'string') {
      return unreadable(row);
    }
    if (isNewShape(row)) {
      Object.keys(row)
        .filter((column) => !READ_COLUMNS.has(column))
        .forEach(unknown);
    }
    const url = urlOf(row);
    if (url === undefined) {
      return unreadable('it has no ClientRequestURI or ClientRequestPath');
    }
    const known = new Map<string, Value>();
    for (const { column, field, convert } of columns) {
      const value = convert(row[column]);
      if (value !== undefined) {
        known.set(field, value);
      }
    }
    if (fields.has(COOKIES) && isJsonObject(row['Cookies'])) {
      known.set(COOKIES, cookiesIn(row['Cookies']));
    }
    const { ClientRequestScheme: scheme, EdgeColoID: coloId, OriginResponseStatus: status } = row;
    return {
      kind: 'record',
      record: {
        time: readTime(row['EdgeStartTimestamp']),
        host: url.host,
        method: stringOf(row['ClientRequestMethod']) || 'GET',
        url,
        hasScheme: scheme === 'http' || scheme === 'https',
        address: stringOf(row['ClientIP']),
        fields: known,
        headers: headersOf(row),
        hasAllHeaders: false,
        status: typeof status === 'number' && status > 0 ? status : null,
        recorded: recordedAction(row),
        colo: stringOf(row['EdgeColoCode']) || (typeof coloId === 'number' ? String(coloId) : ''),
      },
    };
  };
}

const COOKIES = 'http.request.cookies';

/** Returns the cookies that a custom field keeps, and says nothing of others. */
function cookiesIn(cookies: JsonObject): PartialMap {
  const kept = new PartialMap();
  for (const [name, value] of Object.entries(cookies)) {
    if (typeof value === 'string') {
      kept.set(encodeBytes(name), value === '' ? [] : [encodeBytes(value)]);
    }
  }
  return kept;
}

/** Parses a line as a JSON object; else says why it is none. */
export function jsonLine(line: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : 'it is not a JSON object';
  } catch {
    return 'it is not JSON';
  }
}

/** Returns whether an object has other keys than the one before: the lines of a log mostly have the same. */
export function shapeWatch(): (row: JsonObject) => boolean {
  let last: readonly string[] = [];
  return (row) => {
    const keys = Object.keys(row);
    const isNew = keys.length !== last.length || keys.some((key, index) => key !== last[index]);
    last = keys;
    return isNew;
  };
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function urlOf(row: JsonObject): Url | undefined {
  const uri = stringOf(row['ClientRequestURI']) || stringOf(row['ClientRequestPath']);
  const host = encodeBytes(stringOf(row['ClientRequestHost']).toLowerCase());
  const { ClientRequestScheme: scheme } = row;
  const url = splitUrl(encodeBytes(uri), host.replace(/:\d+$/u, ''));
  return url === undefined || scheme !== 'http' ? url : { ...url, scheme: 'http', port: 80 };
}

function headersOf(row: JsonObject): readonly Header[] {
  const headers: Header[] = [];
  for (const [column, name] of HEADER_COLUMNS) {
    const value = row[column];
    if (typeof value === 'string') {
      headers.push({ name, value: encodeBytes(value) });
    }
  }
  const custom = row['RequestHeaders'];
  if (isJsonObject(custom)) {
    for (const [name, value] of Object.entries(custom)) {
      if (typeof value === 'string') {
        headers.push({ name: encodeBytes(name.toLowerCase()), value: encodeBytes(value) });
      }
    }
  }
  return headers;
}

/** Returns what the service did by the security columns; null where the row has none. */
function recordedAction(row: JsonObject): RecordedAction | null {
  const {
    SecurityAction: action,
    SecurityRuleID: rule,
    SecurityActions: actions,
    SecuritySources: sources,
  } = row;
  if (typeof action !== 'string' && !Array.isArray(actions)) {
    return null;
  }
  const words = Array.isArray(actions) ? actions : [];
  const names = Array.isArray(sources) ? sources : null;
  const last = typeof action === 'string' ? action : (words.findLast(isEnding) ?? '');
  const said = typeof last === 'string' ? SECURITY_ACTIONS.get(last) : undefined;
  return {
    outcome: said?.outcome ?? null,
    solved: said?.solved === true,
    rule: stringOf(rule),
    byProduct: names === null || !Array.isArray(actions) ? null : byProduct(names, words),
  };
}

function isEnding(value: unknown): boolean {
  const outcome = typeof value === 'string' ? SECURITY_ACTIONS.get(value)?.outcome : undefined;
  return outcome === 'blocked' || outcome === 'challenged';
}

const NOTHING: ReadonlyMap<string, TrafficOutcome> = new Map();

/** Returns what each product did: of several things the one that ends the request. */
function byProduct(
  sources: readonly unknown[],
  words: readonly unknown[],
): ReadonlyMap<string, TrafficOutcome> | null {
  if (sources.length === 0) {
    return NOTHING;
  }
  const done = new Map<string, TrafficOutcome>();
  for (const [index, source] of sources.entries()) {
    const word = words[index];
    const outcome = typeof word === 'string' ? SECURITY_ACTIONS.get(word)?.outcome : undefined;
    const before = typeof source === 'string' ? done.get(source) : undefined;
    if (typeof source === 'string' && outcome && before !== 'blocked' && before !== 'challenged') {
      done.set(source, outcome);
    }
  }
  return done;
}
