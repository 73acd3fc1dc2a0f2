import type { ReadClient } from '../../api/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { ObjectStep, Outcome, Scope } from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import type { ReversedObject } from '../../plan/index.ts';
import type { Journal, JournalEntry } from '../journal/journal-entry.ts';
import type { ApplyEvent, WriteAccess } from '../write/scope-run.ts';
import { receiptsIn } from '../write/receipts.ts';
import type { WriteReceipt } from '../write/receipts.ts';
import { INTERRUPTED, failureOutcome, outcomeOfError, stopped } from '../write/write-failure.ts';
import type { WriteFailure } from '../write/write-failure.ts';

/** What carrying out the steps on objects of one scope takes. */
export interface ObjectRun {
  readonly scope: Scope;
  readonly access: WriteAccess;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly report: (event: ApplyEvent) => void;
  readonly signal: AbortSignal | undefined;
  /** The receipts of the writes of the step so far; absent where none are noted. */
  readonly receipts?: readonly WriteReceipt[];
}

/** Where objects are read. */
export interface ObjectReading {
  readonly client: ReadClient;
  readonly scope: Scope;
}

/** What a kind of managed object knows of its steps; the way of a run is the same for all kinds. */
export interface ManagedObject<Step extends ObjectStep> {
  /** Carries out a step. Never throws, since other steps go on. */
  readonly apply: (step: Step, run: ObjectRun) => Promise<Outcome>;
  /** Returns the outcomes of the steps of a scope whose objects are no longer what they were planned from. */
  readonly moved: (steps: readonly Step[], reading: ObjectReading) => Promise<readonly Outcome[]>;
  /** Whether live shows a step as done. */
  readonly isDone: (step: Step, reading: ObjectReading) => Promise<boolean>;
  /** Reads the object, and returns the step that undoes one that was done. */
  readonly reverse: (step: Step, reading: ObjectReading) => Promise<ReversedObject<Step>>;
}

/** How a write came out; `Now` is what is known of the object afterwards. */
export type ObjectWritten<Now> =
  | { readonly kind: 'landed'; readonly now: Now }
  | { readonly kind: 'interrupted' }
  | Extract<WriteFailure, { readonly kind: 'failed' }>;

/** A step can start from what live is, or it is over. */
export type ObjectBegun<Now> =
  | { readonly kind: 'ready'; readonly now: Now }
  | { readonly kind: 'over'; readonly outcome: Outcome };

/** The writes of a step on an object, and how its kind sends them. */
export interface ObjectWriting<Write, Now> {
  readonly writes: readonly Write[];
  /** Reads the object, and ends the step unless it can start from there. */
  readonly begin: () => Promise<ObjectBegun<Now>>;
  /** The entry with all that the step replaces, for objects without versions. */
  readonly saved: JournalEntry;
  /** Returns a write and what it is made on, as the journal records them. */
  readonly recorded: (write: Write, now: Now) => { readonly write: JsonValue; readonly base: JsonValue };
  /** Sends a write, until it is known what became of it. */
  readonly send: (write: Write, now: Now) => Promise<ObjectWritten<Now>>;
  /** Checks after the last write that live is what the step leads to. */
  readonly finish: (now: Now, writes: number) => Promise<Outcome>;
}

/**
 * Carries out a step on an object, write by write: checks first that live is what it was planned from, and records each write before it is sent.
 */
export async function carryOut<Write, Now>(
  step: ObjectStep,
  run: ObjectRun,
  { writes, begin, saved, recorded, send, finish }: ObjectWriting<Write, Now>,
): Promise<Outcome> {
  const { journal, signal } = run;
  run.report({ kind: 'step-started', scope: run.scope, step: step.id, writes: writes.length });
  let done = 0;
  try {
    const begun = await begin();
    if (begun.kind === 'over') {
      return begun.outcome;
    }
    if (run.access.kind === 'dry-run') {
      const reason = `dry run: ${writes.length} to write`;
      return { kind: 'skipped', step: step.id, reason, toWrite: writes.length };
    }
    // What it replaces stands nowhere else: these objects have no versions.
    await journal.record(saved);
    let { now } = begun;
    for (const write of writes) {
      if (signal?.aborted === true) {
        return stopped(step.id, done, INTERRUPTED);
      }
      await journal.record({ kind: 'intent', step: step.id, ...recorded(write, now) });
      const noted = run.receipts?.length ?? 0;
      const result = await send(write, now);
      await journal.record({
        ...entryOf(step, result),
        ...receiptsIn(run.receipts?.slice(noted) ?? []),
      });
      if (result.kind === 'interrupted') {
        return stopped(step.id, done, INTERRUPTED);
      }
      if (result.kind === 'failed') {
        return failureOutcome(step.id, result, done);
      }
      done += 1;
      now = result.now;
    }
    return await finish(now, done);
  } catch (error) {
    return outcomeOfError(step.id, done, error);
  }
}

function entryOf<Now>({ id }: ObjectStep, result: ObjectWritten<Now>): JournalEntry {
  switch (result.kind) {
    case 'landed':
      return { kind: 'landed', step: id, version: null };
    case 'interrupted':
      return { kind: 'failed', step: id, message: 'interrupted before it was sent', landed: false };
    default:
      return {
        kind: 'failed',
        step: id,
        message: result.message,
        landed: false,
        ...(result.effect.kind === 'in-doubt' ? { inDoubt: true as const } : {}),
      };
  }
}

/** What is said where a write without an answer could not be looked up. */
export const UNREAD = 'What came of it could not be read';

/** How often a write is sent at most: each write of these objects may land twice without harm. */
export const ATTEMPTS = 3;
