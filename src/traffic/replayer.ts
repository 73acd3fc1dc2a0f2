import type { LogFormat, Shard } from '../model/index.ts';
import { hashOf } from './counts.ts';
import { judge } from './judge-record.ts';
import { knownNetworks } from './known-network.ts';
import type { NetworkTexts } from './known-network.ts';
import { lineReader } from './log-format.ts';
import type { LineReader, ReadRecord, TrafficRecord } from './record.ts';
import { recordValues } from './record-values.ts';
import { readyZones } from './replay-zone.ts';
import type { ReadyZone, ReplayedRule, ReplayZone } from './replay-zone.ts';
import { addTally, countRecord, newTally } from './tally.ts';
import type { ReplayTally } from './tally.ts';

/** What a replay is about. Plain JSON, since threads are given it. */
export interface ReplayOptions {
  readonly zones: readonly ReplayZone[];
  /** The name of the zone of records that have no host, as in most access logs; null if they may be of any. */
  readonly hostless: string | null;
  /** Networks that the answer tells of by name. */
  readonly networks: NetworkTexts;
  readonly showAddresses: boolean;
  /** Whether the log is a sample, so that nothing in it can be counted against a limit. */
  readonly sampled: boolean;
  /** The part of the records that is counted, and how many logs there are; all of them unless given. */
  readonly shard?: (Shard & { readonly logs: number }) | undefined;
}

/** Whole lines of a log. */
export interface LogBlock {
  readonly format: Exclude<LogFormat, 'har'>;
  /** Which log of the run it is, and the number of its first line. */
  readonly file: number;
  readonly line: number;
  readonly bytes: Uint8Array;
}

/** A line that could not be read. */
export interface BadLine {
  readonly file: number;
  readonly line: number;
  readonly reason: string;
}

/** What a replay, or a part of it, has counted. */
export interface ReplayPart {
  readonly tally: ReplayTally;
  readonly unreadable: number;
  /** The first ones. */
  readonly badLines: readonly BadLine[];
  readonly unknownColumns: readonly string[];
}

/** Sends records through their zones, and counts. */
export interface Replayer {
  /** Whether records have to come in one stream, since rate limits count them. */
  readonly inOrder: boolean;
  /** The rules that it counts for. */
  readonly rules: readonly ReplayedRule[];
  /** Whether anything of a log has to be read. */
  readonly needs: (file: number) => boolean;
  readonly read: (block: LogBlock) => void;
  /** Takes records that were read otherwise, and the number of the first. */
  readonly take: (records: readonly ReadRecord[], at: Omit<BadLine, 'reason'>) => void;
  /** Returns a line that cannot be read where hardly any can, so that it is not worth going on. */
  readonly hopeless: () => BadLine | null;
  /** Ends the replay. */
  readonly finish: () => ReplayPart;
}

/** A record, and the zone that it went to. */
interface SentTo {
  readonly record: TrafficRecord;
  readonly zone: ReadyZone;
}

/** A record that waits for those before it; null for one that another shard counts. */
interface WaitingRecord {
  readonly time: number;
  readonly sent: SentTo | null;
}

/** How many records wait to be put in the order of their times, where rate limits count them: logs are in order but for a few minutes. */
const WINDOW = 20_000;

/** Shards take turns by so many lines of a log. */
const LINES_EACH = 1000;

/** So many lines that cannot be read, and nine in ten, are no log: whoever reads on only spends time. */
const MOST_UNREADABLE = 200_000;
const UNREADABLE_EACH = 9;

/** How many lines that cannot be read are named, and how many columns. */
const MOST_NAMED = 20;
const MOST_COLUMNS = 100;

/**
 * Creates what sends records and counts. Equal records are not judged once for all of them: of a realistic mix 99.9 % differ in what rules read, and
 * answers kept by the value of each field saved less time than the machine varies. Of its time, parsing JSON takes about a sixth.
 */
export function createReplayer({
  zones,
  hostless,
  networks,
  showAddresses,
  sampled,
  shard,
}: ReplayOptions): Replayer {
  const ready = readyZones(zones, { sampled });
  const fields = recordValues(ready.fields);
  const zoneOf = zoneFinder(ready.zones, hostless);
  const tally = newTally(ready.rules.length);
  const counting = { fields, networks: knownNetworks(networks), showAddresses, rules: ready.rules };
  const inOrder = [...ready.zones.values()].some(({ hasLimits }) => hasLimits);
  const columns = new Set<string>();
  const readers = new Map<LogBlock['format'], LineReader>();
  const badLines: BadLine[] = [];
  let unreadable = 0;
  let waiting: WaitingRecord[] = [];

  const send = ({ record, zone }: SentTo): void => {
    countRecord(tally, { record, zone, judgement: judge(record, zone, fields) }, counting);
  };
  const sendEarliest = (count: number): void => {
    waiting.sort((a, b) => a.time - b.time);
    for (const { sent } of waiting.slice(0, count)) {
      if (sent !== null) {
        send(sent);
      }
    }
    waiting = waiting.slice(count);
  };
  const byFile = shard !== undefined && !inOrder && shard.logs >= shard.count;
  const ownsLine = (file: number, line: number): boolean =>
    shard === undefined ||
    (byFile ? file : file + Math.floor(line / LINES_EACH)) % shard.count === shard.index - 1;
  // A counter is on one machine, whichever lines it counts.
  const owns = ({ record, zone }: SentTo, isOwnLine: boolean): boolean =>
    shard === undefined || !zone.hasLimits
      ? isOwnLine
      : hashOf(zone.countedApart(record, fields.original(record, zone.facts))) % shard.count ===
        shard.index - 1;
  const take = (read: ReadRecord, file: number, line: number): void => {
    const isOwnLine = ownsLine(file, line);
    if (read.kind === 'unreadable' && isOwnLine) {
      unreadable += 1;
      if (badLines.length < MOST_NAMED) {
        badLines.push({ file, line, reason: read.reason });
      }
    }
    if (read.kind !== 'record') {
      return;
    }
    const { record } = read;
    const zone = zoneOf(record.host);
    if (zone === null) {
      tally[record.host === '' ? 'withoutHost' : 'otherZones'] += isOwnLine ? 1 : 0;
      return;
    }
    const sent = { record, zone };
    const own = owns(sent, isOwnLine) ? sent : null;
    if (inOrder) {
      // A record of another shard keeps its place, so that as many are looked at together as by one machine.
      waiting.push({ time: record.time ?? 0, sent: own });
      if (waiting.length >= 2 * WINDOW) {
        sendEarliest(WINDOW);
      }
    } else if (own !== null) {
      send(own);
    }
  };
  const readerOf = (format: LogBlock['format']): LineReader => {
    const known =
      readers.get(format) ??
      lineReader(format, {
        fields: ready.fields,
        unknown: (column) => {
          columns.add(column);
          if (columns.size > MOST_COLUMNS) {
            columns.delete([...columns].reduce((a, b) => (a < b ? b : a)));
          }
        },
      });
    readers.set(format, known);
    return known;
  };
  return {
    inOrder,
    rules: ready.rules,
    needs: (file) => !byFile || ownsLine(file, 0),
    read: ({ format, file, line, bytes }) => {
      const read = readerOf(format);
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      let number = line;
      for (let start = 0; start < text.length; number += 1) {
        const found = text.indexOf('\n', start);
        const end = found === -1 ? text.length : found;
        const content = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
        if (content !== '' && (inOrder || ownsLine(file, number))) {
          take(read(content), file, number);
        }
        start = end + 1;
      }
    },
    take: (records, { file, line }) => {
      for (const [index, record] of records.entries()) {
        take(record, file, line + index);
      }
    },
    hopeless: () =>
      unreadable > MOST_UNREADABLE &&
      unreadable > UNREADABLE_EACH * (tally.records + waiting.length + tally.otherZones + tally.withoutHost)
        ? (badLines[0] ?? null)
        : null,
    finish: () => {
      sendEarliest(waiting.length);
      return { tally, unreadable, badLines, unknownColumns: [...columns] };
    },
  };
}

/** The most hosts whose zone is kept: a log may have any number of them. */
const MOST_HOSTS = 10_000;

/** Returns a function that finds the zone of a host: the one with the longest name. */
function zoneFinder(
  zones: ReadonlyMap<string, ReadyZone>,
  hostless: string | null,
): (host: string) => ReadyZone | null {
  const known = new Map<string, ReadyZone | null>();
  const find = (host: string): ReadyZone | null => {
    for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '') {
      const zone = zones.get(name);
      if (zone !== undefined) {
        return zone;
      }
    }
    return null;
  };
  return (host) => {
    if (host === '') {
      return zones.get(hostless ?? '') ?? null;
    }
    const before = known.get(host);
    if (before !== undefined) {
      return before;
    }
    const zone = find(host);
    if (known.size < MOST_HOSTS) {
      known.set(host, zone);
    }
    return zone;
  };
}

/** Adds up parts of one replay. */
export function joinParts(parts: readonly ReplayPart[], rules: number): ReplayPart {
  const tally = newTally(rules);
  parts.forEach((part) => addTally(tally, part.tally));
  return {
    tally,
    unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0),
    badLines: parts
      .flatMap((part) => part.badLines)
      .toSorted((a, b) => a.file - b.file || a.line - b.line)
      .slice(0, MOST_NAMED),
    unknownColumns: [...new Set(parts.flatMap((part) => part.unknownColumns))]
      .toSorted()
      .slice(0, MOST_COLUMNS),
  };
}
