import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { BadLine, LogBlock, ReplayOptions, ReplayPart } from './replayer.ts';

/** What a thread is told: to read whole lines, or that there are no more. */
export type ToThread = { readonly kind: 'lines'; readonly block: LogBlock } | { readonly kind: 'end' };

/** What a thread says: that it has read what it was given, or what it has counted. */
export type FromThread =
  | { readonly kind: 'read'; readonly hopeless: BadLine | null }
  | { readonly kind: 'part'; readonly part: ReplayPart };

/** Threads that read blocks of lines. */
export interface ReplayThreads {
  /** Hands on a block; waits while all threads have enough to do. */
  readonly read: (block: LogBlock) => Promise<void>;
  /** Returns a line that cannot be read where a thread can read hardly any. */
  readonly hopeless: () => BadLine | null;
  /** Returns what each of them has counted. */
  readonly finish: () => Promise<readonly ReplayPart[]>;
  readonly close: () => Promise<void>;
}

/** More threads than this do not read faster: one hands out what they read. */
const MOST_THREADS = 8;

/** The program's file for a thread, which stands beside this one in the bundle; there is none where the program runs from its source. */
const THREAD = new URL('replay-thread.cjs', import.meta.url);

/** Returns how many threads a replay may have here; 0 for none but this one. */
export function threadsHere(): number {
  const cores = availableParallelism();
  return cores > 1 && existsSync(fileURLToPath(THREAD)) ? Math.min(cores, MOST_THREADS) : 0;
}

/** How many blocks wait in a thread, so that it never waits itself. */
const AHEAD = 2;

/** Starts threads, each of which compiles the rules and counts what it is given. */
export function startThreads(count: number, options: ReplayOptions): ReplayThreads {
  const threads = Array.from({ length: count }, () => startThread(options));
  return {
    read: async (block) => {
      const [idlest] = threads.toSorted((a, b) => a.waiting() - b.waiting());
      if (idlest === undefined) {
        return;
      }
      idlest.send(block);
      while (threads.every((thread) => thread.waiting() >= AHEAD)) {
        await Promise.race(threads.map((thread) => thread.progress()));
      }
    },
    hopeless: () => threads.map((thread) => thread.hopeless()).find((line) => line !== null) ?? null,
    finish: () => Promise.all(threads.map((thread) => thread.finish())),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface ReplayThread {
  readonly send: (block: LogBlock) => void;
  readonly waiting: () => number;
  /** Settles when the thread says something next; rejects when it has failed. */
  readonly progress: () => Promise<void>;
  readonly hopeless: () => BadLine | null;
  readonly finish: () => Promise<ReplayPart>;
  readonly close: () => Promise<unknown>;
}

function startThread(options: ReplayOptions): ReplayThread {
  const worker = new Worker(THREAD, { workerData: options });
  const state: {
    waiting: number;
    hopeless: BadLine | null;
    part: ReplayPart | null;
    failure: unknown;
  } = {
    waiting: 0,
    hopeless: null,
    part: null,
    failure: undefined,
  };
  let listeners: (() => void)[] = [];
  const tell = (): void => {
    const told = listeners;
    listeners = [];
    told.forEach((listener) => listener());
  };
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'read') {
      state.waiting -= 1;
      state.hopeless = message.hopeless;
    } else {
      state.part = message.part;
    }
    tell();
  });
  worker.on('error', (error) => {
    state.failure = error;
    tell();
  });
  const progress = async (): Promise<void> => {
    if (state.failure === undefined) {
      await new Promise<void>((resolve) => {
        listeners.push(resolve);
      });
    }
    if (state.failure !== undefined) {
      throw state.failure;
    }
  };
  const post = (message: ToThread, transfer: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, [...transfer]);
  return {
    waiting: () => state.waiting,
    hopeless: () => state.hopeless,
    progress,
    send: (block) => {
      state.waiting += 1;
      const bytes = ownBytes(block.bytes);
      post({ kind: 'lines', block: { ...block, bytes } }, [bytes.buffer]);
    },
    finish: async () => {
      post({ kind: 'end' });
      while (state.part === null) {
        await progress();
      }
      return state.part;
    },
    close: () => worker.terminate(),
  };
}

/** Returns bytes that have their memory for themselves, so that it can be handed over instead of copied. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
