import { isJsonObject, parsedJson } from '../data/index.ts';
import type { LogFormat } from '../model/index.ts';
import { readCaddy, readCombined, readNginx } from './read-access-log.ts';
import { logpushReader } from './read-logpush.ts';
import type { ReadingNeeds } from './read-logpush.ts';
import { requestReader } from './read-request.ts';
import type { LineReader } from './record.ts';

/** Returns a reader of the lines of a log; archives have none, since one is read as a whole. */
export function lineReader(format: Exclude<LogFormat, 'har'>, needs: ReadingNeeds): LineReader {
  return {
    logpush: () => logpushReader(needs),
    combined: () => readCombined,
    caddy: () => readCaddy,
    nginx: () => readNginx,
    jsonl: () => requestReader(needs.unknown),
  }[format]();
}

/** Recognises the form of a log by its beginning; null where it is none that is known. */
export function detectFormat(beginning: string): LogFormat | null {
  const start = beginning.replace(/^\uFEFF?\s+/u, '');
  if (/^\{\s*"log"\s*:\s*\{/u.test(start)) {
    return 'har';
  }
  const [line = ''] = start.split('\n', 1);
  if (!line.startsWith('{')) {
    return readCombined(line).kind === 'record' ? 'combined' : null;
  }
  const row = parsedJson(line);
  return isJsonObject(row) ? (MARKS.find(([, keys]) => keys.some((key) => key in row))?.[0] ?? null) : null;
}

/** Keys by which a form in JSON is known. */
const MARKS: readonly (readonly [LogFormat, readonly string[]])[] = [
  ['logpush', ['ClientRequestURI', 'ClientRequestPath', 'EdgeStartTimestamp', 'ClientRequestHost', 'RayID']],
  ['caddy', ['logger']],
  ['nginx', ['remote_addr', 'request_uri', 'request_method', 'time_iso8601', 'time_local']],
  ['jsonl', ['url']],
];
