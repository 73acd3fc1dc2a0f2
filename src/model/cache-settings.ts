import { isJsonArray, objectOf, objectsIn, textsIn } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';

/** How long answers of some statuses stay in the cache of the edge. */
export interface StatusTime {
  readonly from: number;
  readonly to: number;
  /** Undefined where the rule does not say. */
  readonly seconds: number | undefined;
}

/** What a cache rule says that several judges ask (api.md 5.11). */
interface CacheSettings {
  /** Whether answers may be cached; undefined where the rule does not say. */
  readonly caches: boolean | undefined;
  /** For how long the edge and the browser keep answers, in seconds; undefined where the rule does not say. */
  readonly edgeSeconds: number | undefined;
  readonly browserSeconds: number | undefined;
  /** By status, whatever the origin says. */
  readonly statusTimes: readonly StatusTime[];
  readonly customKey: JsonObject | undefined;
}

/** Reads the parameters of a cache rule. */
export function readCacheSettings(parameters: unknown): CacheSettings {
  const { cache, edge_ttl: edge, browser_ttl: browser, cache_key: key } = objectOf(parameters);
  const custom = objectOf(key)['custom_key'];
  return {
    caches: typeof cache === 'boolean' ? cache : undefined,
    edgeSeconds: numberIn(objectOf(edge)['default']),
    browserSeconds: numberIn(objectOf(browser)['default']),
    statusTimes: readStatusTimes(objectOf(edge)['status_code_ttl']),
    customKey: custom === undefined ? undefined : objectOf(custom),
  };
}

/** Reads `status_code_ttl`: an entry has a status, or a range of which an end may be open. */
export function readStatusTimes(times: unknown): readonly StatusTime[] {
  return objectsIn(times).map(({ status_code: code, status_code_range: range, value }) => {
    const { from = code ?? LOWEST, to = code ?? HIGHEST } = objectOf(range);
    return { from: Number(from), to: Number(to), seconds: numberIn(value) };
  });
}

const [LOWEST, HIGHEST] = [100, 999];

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Reads a list of query parameters, which has five forms (api.md 5.11): all of them, or some by name. */
export function readQueryNames(value: JsonValue): 'all' | readonly string[] {
  return value === '*' || textsIn(value).includes('*') || objectOf(value)['all'] === true
    ? 'all'
    : textsIn(isJsonArray(value) ? value : objectOf(value)['list']);
}
