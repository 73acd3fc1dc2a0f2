import { hash } from 'node:crypto';
import { canonicalJson, isJsonArray, isJsonObject, parsedJson } from '../data/index.ts';
import type { Shard } from '../model/index.ts';
import type { LogFacts } from './open-log.ts';
import { countReplay, replayOf } from './replay-records.ts';
import type { CountedReplay, ReplayedLogs } from './replay-records.ts';
import type { ReplayDocument } from '../model/index.ts';
import { joinParts } from './replayer.ts';
import type { ReplayOptions } from './replayer.ts';

/** What a shard of a replay has counted, to be joined with the others; plain JSON. */
export interface ReplayShard {
  readonly kind: 'replay-shard';
  readonly formatVersion: 1;
  readonly index: number;
  readonly count: number;
  /** SHA-256 (hex) of what all shards have to have in common: rules, lists, logs and settings. */
  readonly run: string;
  /** SHA-256 (hex) of `counted`. */
  readonly integrity: string;
  /** What was counted, as JSON with maps. */
  readonly counted: string;
}

/** Counts the records of a shard. Which these are follows from the log alone: its lines or files in turn, or the counters of rate limits. */
export async function replayShard(
  given: ReplayedLogs,
  options: ReplayOptions,
  { index, count }: Shard,
): Promise<ReplayShard> {
  const counted = await countReplay(given, { ...options, shard: { index, count, logs: given.logs.length } });
  const text = JSON.stringify(counted, withMaps);
  const names = given.logs.map(({ name }) => name);
  const run = canonicalJson({
    options: { ...options, shard: null },
    names,
    plan: given.plan,
    format: given.format,
    count,
  });
  return {
    kind: 'replay-shard',
    formatVersion: 1,
    index,
    count,
    run: hash('sha256', run),
    integrity: hash('sha256', text),
    counted: text,
  };
}

/** A shard with the name of its file. */
interface NamedReplayShard {
  readonly file: string;
  readonly value: unknown;
}

/** The replay of the whole log, or what is wrong with the shards. */
export type JoinedReplay =
  | { readonly kind: 'joined'; readonly replay: ReplayDocument }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** Adds up what the shards of a replay have counted: exactly what one machine would have. Refuses shards of different runs, and missing ones. */
export function joinReplayShards(named: readonly NamedReplayShard[]): JoinedReplay {
  const problems: string[] = [];
  const read = named.flatMap(({ file, value }) => {
    const counted = isShard(value) ? countedIn(value) : null;
    if (!isShard(value) || counted === null) {
      problems.push(`${file} is damaged, or was made by another version of rulewright`);
      return [];
    }
    return [{ file, shard: value, counted }];
  });
  const [first] = read;
  if (first === undefined) {
    return { kind: 'refused', problems };
  }
  const files = new Map<number, string>();
  for (const { file, shard } of read) {
    const twin = files.get(shard.index);
    files.set(shard.index, file);
    if (shard.run !== first.shard.run || shard.count !== first.shard.count) {
      problems.push(`${file} and ${first.file} were made from other rules, logs or settings`);
    } else if (twin !== undefined) {
      problems.push(`${file} and ${twin} are both shard ${shard.index} of ${shard.count}`);
    }
  }
  const missing = Array.from({ length: first.shard.count }, (_, at) => at + 1).filter((at) => !files.has(at));
  if (missing.length > 0) {
    problems.push(`missing: ${missing.map((at) => `${at}/${first.shard.count}`).join(', ')}`);
  }
  const logs = logsOf(read.map(({ counted }) => counted));
  if (logs === null) {
    problems.push('the shards have read different logs under the same names');
  }
  if (problems.length > 0 || logs === null) {
    return { kind: 'refused', problems };
  }
  const part = joinParts(
    read.map(({ counted }) => counted.part),
    first.counted.rules.length,
  );
  return { kind: 'joined', replay: replayOf({ ...first.counted, read: logs, part }) };
}

/** Returns what was read of each log; null where shards have read different ones. */
function logsOf(all: readonly CountedReplay[]): readonly LogFacts[] | null {
  const logs = new Map<number, LogFacts>();
  for (const facts of all.flatMap(({ read }) => read)) {
    const known = logs.get(facts.file) ?? facts;
    if (known.digest !== facts.digest) {
      return null;
    }
    logs.set(facts.file, known);
  }
  return [...logs.values()].toSorted((a, b) => a.file - b.file);
}

/** How a map stands in JSON. */
const MAP = '$map';

function withMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? { [MAP]: [...value] } : value;
}

function isShard(value: unknown): value is ReplayShard {
  return (
    isJsonObject(value) &&
    value['kind'] === 'replay-shard' &&
    value['formatVersion'] === 1 &&
    typeof value['index'] === 'number' &&
    typeof value['count'] === 'number' &&
    typeof value['run'] === 'string' &&
    typeof value['integrity'] === 'string' &&
    typeof value['counted'] === 'string'
  );
}

/** Returns what a shard has counted; null where that is not what it wrote. */
function countedIn({ counted, integrity }: ReplayShard): CountedReplay | null {
  if (hash('sha256', counted) !== integrity || parsedJson(counted) === undefined) {
    return null;
  }
  const value: CountedReplay = JSON.parse(counted, (_, item: unknown) =>
    isJsonObject(item) && isJsonArray(item[MAP]) ? mapOf(item[MAP]) : item,
  );
  return value;
}

function mapOf(entries: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const entry of entries) {
    if (Array.isArray(entry)) {
      map.set(entry[0], entry[1]);
    }
  }
  return map;
}
