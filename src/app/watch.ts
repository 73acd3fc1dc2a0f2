import type { FileHold } from '../files/index.ts';
import { holdFile } from '../files/index.ts';
import { errorMessage } from '../model/index.ts';
import type { Clock } from '../network/index.ts';
import type { FollowedBranch } from './watch/pull-branch.ts';
import { pullBranch } from './watch/pull-branch.ts';
import type { StatusAddress, TakenWebhook } from './watch/serve-status.ts';
import { serveStatus } from './watch/serve-status.ts';
import type { RoundResult, WatchStatus } from './watch/watch-status.ts';
import { newStatus } from './watch/watch-status.ts';

/** What is watched, and how. */
export interface WatchChoice {
  readonly branch: FollowedBranch;
  readonly intervalMs: number;
  /** Whether rounds apply; otherwise they plan. */
  readonly applies: boolean;
  /** The file that only one watcher holds; null if there is one watcher only. */
  readonly lease: string | null;
  /** Where the status is served, and with what webhooks are signed there (null: none are taken); null if nowhere. */
  readonly status: (StatusAddress & { readonly webhookSecret: string | null }) | null;
}

/** What a round is asked to do. */
export interface RoundQuestion {
  readonly act: 'plan' | 'apply';
  /** Whether this watcher may still write: null, or why not. */
  readonly mayWrite: () => Promise<string | null>;
}

/** A round that has ended, with its metrics as OpenMetrics text. */
export interface RoundEnd {
  readonly result: RoundResult;
  readonly metrics: string;
}

/** What a watcher is given. */
export interface WatchPorts {
  readonly clock: Clock;
  /** Ends the watcher; a round that is under way is left to end by itself. */
  readonly signal: AbortSignal;
  readonly round: (question: RoundQuestion) => Promise<RoundEnd>;
  readonly tell: (line: string) => void;
}

/** The longest wait after failures. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Pulls a branch and plans or applies it, again and again, until the signal. Only one of several watchers with a lease does anything. After a failure
 * it waits twice as long as before. After a refusal, or when only a part was written, the same commit is planned but not applied again: somebody has to
 * look, and the branch to move. Rejects if the status cannot be served, or the lease cannot be held for another reason than another watcher.
 */
export async function watch(choice: WatchChoice, ports: WatchPorts): Promise<void> {
  const { clock, signal, tell } = ports;
  const status = newStatus();
  const bell = newBell();
  const served =
    choice.status === null ? null : await serveStatus(choice.status, status, webhookOf(choice.status, bell));
  if (served !== null && choice.status !== null) {
    tell(`status at http://${choice.status.host}:${served.port}/healthz and /metrics`);
  }
  let hold: FileHold | null = null;
  try {
    while (!signal.aborted) {
      hold = await takeLease(choice, hold, ports);
      if (hold?.kind === 'taken') {
        if (status.phase !== 'standing-by') {
          tell('another watcher holds the lease; standing by');
        }
        status.phase = 'standing-by';
      } else {
        status.phase = 'working';
        await goRound(choice, ports, { status, hold });
        status.phase = 'waiting';
      }
      const began = clock.now();
      await pause(waitAfter(status, choice), clock, AbortSignal.any([signal, bell.next()]));
      // However often somebody pushes.
      await pause(Math.min(choice.intervalMs, SHORTEST_PAUSE_MS) - (clock.now() - began), clock, signal);
    }
  } finally {
    await served?.close();
    if (hold?.kind === 'held') {
      await hold.release();
    }
  }
}

/**
 * Holds the lease, or finds out who else does; null without a lease. Where the lease cannot be read later on, as on a volume that is gone for a while,
 * somebody else may have it.
 */
async function takeLease(
  { lease }: WatchChoice,
  hold: FileHold | null,
  { clock, tell }: WatchPorts,
): Promise<FileHold | null> {
  if (lease === null) {
    return null;
  }
  if (hold === null) {
    return holdFile(lease, () => clock.now());
  }
  try {
    if (hold.kind === 'held' && (await hold.isStillHeld())) {
      return hold;
    }
    await (hold.kind === 'held' ? hold.release() : undefined);
    return await holdFile(lease, () => clock.now());
  } catch (error) {
    tell(`the lease cannot be held: ${errorMessage(error)}`);
    return { kind: 'taken', holder: null };
  }
}

interface WatchRound {
  readonly status: WatchStatus;
  readonly hold: FileHold | null;
}

async function goRound(
  { branch, applies }: WatchChoice,
  { clock, round, tell }: WatchPorts,
  { status, hold }: WatchRound,
): Promise<void> {
  const pulled = await pullBranch(branch);
  if (pulled.kind === 'failed') {
    tell(`the branch was not pulled: ${pulled.why}`);
    noteEnd(status, 'failed', clock);
    return;
  }
  const { commit } = pulled;
  if (status.stoppedAt !== null && status.stoppedAt !== commit) {
    status.stoppedAt = null;
  }
  status.commit = commit;
  const act = applies && status.stoppedAt === null ? 'apply' : 'plan';
  const { result, metrics } = await round({ act, mayWrite: () => withheldBy(hold) });
  status.metrics = metrics;
  noteEnd(status, result, clock);
  tell(`${act} of ${commit.slice(0, 12)}: ${WORDS[result]}`);
  if (act === 'apply' && (result === 'refused' || result === 'partial')) {
    status.stoppedAt = commit;
    tell(
      `stopped: ${commit.slice(0, 12)} is not applied again; once somebody has looked, a new commit goes on`,
    );
  }
}

const WORDS: Readonly<Record<RoundResult, string>> = {
  well: 'live is as the files say',
  differs: 'live differs from the files',
  failed: 'failed',
  refused: 'refused',
  partial: 'not carried out as a whole',
};

async function withheldBy(hold: FileHold | null): Promise<string | null> {
  const isHeld = hold === null || (hold.kind === 'held' && (await hold.isStillHeld().catch(() => false)));
  return isHeld ? null : 'the lease of this watcher is gone: another one may be at work';
}

function noteEnd(status: WatchStatus, result: RoundResult, clock: Clock): void {
  status.last = result;
  status.endedAt = clock.now();
  status.wellAt = result === 'well' ? clock.now() : status.wellAt;
  status.failures = result === 'failed' ? status.failures + 1 : 0;
  status.rounds.set(result, (status.rounds.get(result) ?? 0) + 1);
}

function waitAfter({ phase, failures }: WatchStatus, { intervalMs }: WatchChoice): number {
  const longest = Math.max(intervalMs, LONGEST_WAIT_MS);
  return phase === 'standing-by' ? intervalMs : Math.min(longest, intervalMs * 2 ** Math.min(failures, 20));
}

/** The shortest time between two rounds, whatever webhooks come. */
const SHORTEST_PAUSE_MS = 10_000;

/** Wakes a watcher that waits, or that waits next. */
interface WakeBell {
  readonly ring: () => void;
  /** Returns a signal that is aborted when it rings; at once if it rang since the last call. */
  readonly next: () => AbortSignal;
}

function newBell(): WakeBell {
  let waiting: AbortController | null = null;
  let rang = false;
  return {
    ring: () => {
      rang = waiting === null;
      waiting?.abort();
      waiting = null;
    },
    next: () => {
      const controller = new AbortController();
      if (rang) {
        controller.abort();
      } else {
        waiting = controller;
      }
      rang = false;
      return controller.signal;
    },
  };
}

function webhookOf(
  { webhookSecret }: NonNullable<WatchChoice['status']>,
  { ring }: WakeBell,
): TakenWebhook | null {
  return webhookSecret === null ? null : { secret: webhookSecret, onCall: ring };
}

/** Waits, until the signal at most. */
async function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) {
    return;
  }
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}
