import { errorMessage } from '../model/index.ts';
import type { Clock } from '../network/index.ts';
import type { FollowedBranch } from './watch/pull-branch.ts';
import { pullBranch } from './watch/pull-branch.ts';
import type { StatusAddress, TakenWebhook } from './watch/serve-status.ts';
import { serveStatus } from './watch/serve-status.ts';
import type { RoundResult, WatchStatus } from './watch/watch-status.ts';
import { newStatus } from './watch/watch-status.ts';
import { keepStopped, readStopped } from './watch/stopped-at.ts';
import type { HeldLease, WatchLease } from './watch/watch-lease.ts';

/** What is watched, and how. */
export interface WatchChoice {
  readonly branch: FollowedBranch;
  readonly intervalMs: number;
  /** Whether rounds apply; otherwise they plan. */
  readonly applies: boolean;
  /** What only one watcher holds; null if there is one watcher only. Closed at the end. */
  readonly lease: WatchLease | null;
  /** Where the commit is kept that is not applied again. */
  readonly stoppedFile: string;
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
 * look, and the branch to move. Rejects if the status cannot be served, or the lease cannot be held for another reason than another watcher when it starts.
 */
export async function watch(choice: WatchChoice, ports: WatchPorts): Promise<void> {
  const { clock, signal, tell } = ports;
  const status = newStatus();
  const bell = newBell();
  let isFirst = true;
  const served =
    choice.status === null
      ? null
      : await serveStatus(choice.status, status, webhookOf(choice.status, bell, clock));
  if (served !== null && choice.status !== null) {
    tell(`status at http://${choice.status.host}:${served.port}/healthz and /metrics`);
  }
  let held: HeldLease | null = null;
  try {
    while (!signal.aborted) {
      held = choice.lease === null ? null : await takeLease(choice.lease, held, { tell, isFirst });
      isFirst = false;
      if (choice.lease !== null && held === null) {
        if (status.phase !== 'standing-by') {
          tell('another watcher holds the lease; standing by');
        }
        status.phase = 'standing-by';
      } else {
        status.phase = 'working';
        await goRound(choice, ports, { status, held });
        status.phase = 'waiting';
      }
      const began = clock.now();
      await pause(waitAfter(status, choice), clock, AbortSignal.any([signal, bell.next()]));
      // However often somebody pushes.
      await pause(Math.min(choice.intervalMs, SHORTEST_PAUSE_MS) - (clock.now() - began), clock, signal);
    }
  } finally {
    await served?.close();
    await held?.release();
    await choice.lease?.close();
  }
}

/**
 * Holds the lease; null where somebody else does. Where that cannot be known later on, as when a volume or an API server is gone for a while, somebody else
 * may have it; at the first time it is a mistake in how the watcher was started.
 */
async function takeLease(
  lease: WatchLease,
  held: HeldLease | null,
  { tell, isFirst }: { readonly tell: WatchPorts['tell']; readonly isFirst: boolean },
): Promise<HeldLease | null> {
  try {
    if (held !== null && (await held.isStillHeld())) {
      return held;
    }
    await held?.release();
    return await lease.take();
  } catch (error) {
    if (isFirst) {
      throw error;
    }
    tell(`the lease cannot be held: ${errorMessage(error)}`);
    return null;
  }
}

interface WatchRound {
  readonly status: WatchStatus;
  readonly held: HeldLease | null;
}

async function goRound(
  { branch, applies, stoppedFile }: WatchChoice,
  { clock, round, tell }: WatchPorts,
  { status, held }: WatchRound,
): Promise<void> {
  const pulled = await pullBranch(branch);
  if (pulled.kind === 'failed') {
    tell(`the branch was not pulled: ${pulled.why}`);
    noteEnd(status, 'failed', clock);
    return;
  }
  const { commit } = pulled;
  status.commit = commit;
  if (applies) {
    try {
      await noteStopped(status, stoppedFile, commit);
    } catch (error) {
      tell(`it is not known whether this commit may be applied: ${errorMessage(error)}`);
      noteEnd(status, 'failed', clock);
      return;
    }
  }
  const act = applies && status.stoppedAt === null ? 'apply' : 'plan';
  const { result, metrics } = await round({ act, mayWrite: () => withheldBy(held) });
  status.metrics = metrics;
  noteEnd(status, result, clock);
  tell(`${act} of ${commit.slice(0, 12)}: ${WORDS[result]}`);
  if (act === 'apply' && (result === 'refused' || result === 'partial')) {
    status.stoppedAt = commit;
    tell(
      `stopped: ${commit.slice(0, 12)} is not applied again, also not after a restart. Once somebody has looked, a new commit goes on, or this one if ${stoppedFile} is deleted${
        result === 'refused'
          ? '. A watcher allows nothing by itself: that takes a safety.allow in the files, or an apply by hand'
          : ''
      }`,
    );
    await keepStopped(stoppedFile, commit).catch((error: unknown) =>
      tell(`a restart would apply it again: ${errorMessage(error)}`),
    );
  }
}

/** Finds out whether an earlier round, perhaps of another watcher, stopped at this commit. */
async function noteStopped(status: WatchStatus, file: string, commit: string): Promise<void> {
  const stopped = await readStopped(file);
  if (stopped !== null && stopped !== commit) {
    await keepStopped(file, null);
  }
  status.stoppedAt = stopped === commit ? commit : null;
}

const WORDS: Readonly<Record<RoundResult, string>> = {
  well: 'live is as the files say',
  differs: 'live differs from the files',
  failed: 'failed',
  refused: 'refused',
  partial: 'not carried out as a whole',
};

async function withheldBy(held: HeldLease | null): Promise<string | null> {
  const isHeld = held === null || (await held.isStillHeld().catch(() => false));
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
  clock: Clock,
): TakenWebhook | null {
  return webhookSecret === null ? null : { secret: webhookSecret, now: () => clock.now(), onCall: ring };
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
