import { hash } from 'node:crypto';
import { RulewrightError } from '../model/index.ts';
import type {
  LogFormat,
  ReplayDocument,
  ReplayExample,
  ReplayGroup,
  ReplayGroups,
  ReplayOutcome,
  ReplayRule,
} from '../model/index.ts';
import { compareText } from '../text/index.ts';
import { noOutcomes, sumOf, topValues } from './counts.ts';
import { LogReader } from './open-log.ts';
import type { Log, LogFacts } from './open-log.ts';
import { createReplayer, joinParts } from './replayer.ts';
import type { BadLine, ReplayOptions, ReplayPart } from './replayer.ts';
import type { ReplayedRule } from './replay-zone.ts';
import { startThreads, threadsHere } from './threads.ts';
import type { ReplayThreads } from './threads.ts';
import type { GroupTally, RuleTally, TrafficExample } from './tally.ts';

/** The logs of a replay, and what it belongs to. */
export interface ReplayedLogs {
  readonly logs: readonly Log[];
  /** Null: each log is looked at. */
  readonly format: LogFormat | null;
  /** Digest of the plan that is replayed. */
  readonly plan: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends the requests of logs through live and desired rules, and says what would have been otherwise. */
export async function replay(given: ReplayedLogs, options: ReplayOptions): Promise<ReplayDocument> {
  return replayOf(await countReplay(given, options));
}

/** A zone whose requests are counted, and whether the rules of its account are known. */
interface CountedZone {
  readonly name: string;
  readonly hasAccount: boolean;
}

/** What was counted of a replay, or of a shard of it, and what it is about. */
export interface CountedReplay {
  /** Digest of the plan that is replayed. */
  readonly plan: string;
  /** The names of all logs and all zones. */
  readonly logs: readonly string[];
  readonly zones: readonly CountedZone[];
  readonly rules: readonly ReplayedRule[];
  /** What was read of those logs that were. */
  readonly read: readonly LogFacts[];
  readonly part: ReplayPart;
}

/** Sends the requests of logs, or those of a shard, through live and desired rules, and counts. */
export async function countReplay(
  { logs, format, plan, signal }: ReplayedLogs,
  options: ReplayOptions,
): Promise<CountedReplay> {
  const reader = new LogReader();
  const here = createReplayer(options);
  const most = here.inOrder ? 0 : threadsHere();
  let threads: ReplayThreads | null = null;
  let pieces = 0;
  try {
    for (const [file, log] of logs.entries()) {
      if (!here.needs(file)) {
        continue;
      }
      for await (const piece of reader.read(log, file, format)) {
        signal?.throwIfAborted();
        pieces += 1;
        if (piece.kind === 'records') {
          here.take(piece.records, piece);
        } else if (pieces <= PIECES_HERE || most === 0) {
          here.read(piece);
        } else {
          threads ??= startThreads(most, options);
          await threads.read(piece);
        }
        requireHope(here.hopeless() ?? threads?.hopeless() ?? null, logs);
      }
    }
    const parts = [here.finish(), ...(threads === null ? [] : await threads.finish())];
    const { rules } = here;
    return {
      plan,
      logs: logs.map(({ name }) => name),
      zones: options.zones.map(({ zone, live }) => ({
        name: zone.name,
        hasAccount: live.some(({ scope }) => scope.kind === 'account'),
      })),
      rules,
      read: reader.facts(),
      part: joinParts(parts, rules.length),
    };
  } finally {
    await threads?.close();
  }
}

function requireHope(line: BadLine | null, logs: readonly Log[]): void {
  if (line !== null) {
    throw new RulewrightError(
      `of each ten lines of the logs, nine cannot be read, such as line ${line.line} of ${logs[line.file]?.name ?? ''}: ${line.reason}`,
      { code: 'replay/log', fault: 'user', hint: 'say which form the logs have with --log-format' },
    );
  }
}

/** How many pieces of logs, of a megabyte each, are read before it is worth starting threads, which compile the rules anew. */
const PIECES_HERE = 8;

/** Returns the document of what was counted. */
export function replayOf({ plan, logs, zones, rules, read, part }: CountedReplay): ReplayDocument {
  const { tally, unreadable, badLines, unknownColumns } = part;
  const { agreement, from, to } = tally;
  return {
    kind: 'replay',
    formatVersion: 1,
    records: tally.records,
    unreadable,
    other_zones: tally.otherZones,
    without_host: tally.withoutHost,
    zones: zones.map(({ name, hasAccount }) => {
      const outcomes = tally.zones.get(name) ?? noOutcomes();
      return {
        name,
        records: sumOf(outcomes),
        outcomes,
        ...(hasAccount ? {} : { without_account: true as const }),
      };
    }),
    period: from === null || to === null ? null : { from: timeText(from), to: timeText(to) },
    log: {
      files: logs.length,
      formats: [...new Set(read.flatMap((log) => log.format ?? []))],
      bytes: read.reduce((sum, { bytes }) => sum + bytes, 0),
      digest: digestOf(read),
    },
    plan,
    outcomes: tally.outcomes,
    depends_on: [...tally.dependsOn]
      .map(([field, records]) => ({ field, records }))
      .toSorted((a, b) => b.records - a.records || compareText(a.field, b.field)),
    agreement: {
      compared: agreement.compared,
      compared_earlier: agreement.comparedEarlier,
      agreed: agreement.agreed,
      left_out: {
        other_rules: agreement.leftOut.get('other-rules') ?? 0,
        no_time: agreement.leftOut.get('no-time') ?? 0,
        not_simulated: agreement.leftOut.get('not-simulated') ?? 0,
      },
      disagreements: [...agreement.disagreements]
        .toSorted(([a, some], [b, others]) => others - some || compareText(a, b))
        .slice(0, MOST_DISAGREEMENTS)
        .map(([key, records]) => {
          const [rule = '', recorded = '', simulated = ''] = key.split('\n');
          return { rule, recorded, simulated, records };
        }),
    },
    groups: groupsOf(tally.groups),
    rules: rules.flatMap((rule, number) => {
      const counts = tally.rules[number];
      return counts === undefined ? [] : [ruleOf(rule, counts)];
    }),
    unreadable_lines: badLines.map(({ file, line, reason }) => ({ file: logs[file] ?? '', line, reason })),
    unknown_columns: unknownColumns.toSorted(compareText),
  };
}

/** Returns the digest of a log, or of the digests of several, one on each line. */
function digestOf(read: readonly LogFacts[]): string {
  const [first] = read;
  return first !== undefined && read.length === 1
    ? first.digest
    : hash('sha256', read.map(({ digest }) => `${digest}\n`).join(''));
}

const MOST_DISAGREEMENTS = 10;

function ruleOf(
  { scope, phase, ruleset, ref, description, change, enabled }: ReplayedRule,
  counts: RuleTally,
): ReplayRule {
  return {
    scope: { kind: scope.kind, name: scope.name },
    phase,
    ruleset,
    ref,
    ...(description === undefined ? {} : { description }),
    change,
    ...(enabled ? {} : { disabled: true as const }),
    matched_live: counts.matchedLive,
    matched_desired: counts.matchedDesired,
    undecided_live: counts.undecidedLive,
    undecided_desired: counts.undecidedDesired,
    ended_before: counts.endedBefore,
    skipped_before: counts.skippedBefore,
    outcomes: counts.outcomes,
    ...(change === 'none' || counts.groups.size === 0 ? {} : { groups: groupsOf(counts.groups) }),
  };
}

/** The outcomes that groups are told of, the most severe first. */
const GROUPED = [
  'newly_blocked',
  'newly_challenged',
  'newly_passed',
  'otherwise_changed',
  'unknown',
] as const;

function groupsOf(groups: ReadonlyMap<ReplayOutcome, GroupTally>): ReplayGroups {
  return Object.fromEntries(
    GROUPED.flatMap((outcome) => {
      const group = groups.get(outcome);
      return group === undefined ? [] : [[outcome, groupOf(group)]];
    }),
  );
}

const MOST_LISTED = 5;

function groupOf(group: GroupTally): ReplayGroup {
  return {
    records: group.records,
    verified_bots: group.verifiedBots,
    bots_known: group.botsKnown,
    networks: [...group.networks]
      .map(([name, records]) => ({ name, records }))
      .toSorted((a, b) => compareText(a.name, b.name)),
    paths: topValues(group.paths, MOST_LISTED),
    countries: topValues(group.countries, MOST_LISTED),
    user_agents: topValues(group.agents, MOST_LISTED),
    examples: group.examples.map(exampleOf),
  };
}

function exampleOf({
  time,
  method,
  host,
  path,
  country,
  from,
  live,
  desired,
  rule,
}: TrafficExample): ReplayExample {
  const when = time === null ? null : timeText(time);
  return { time: when, method, host, path, country, from, live, desired, rule };
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
