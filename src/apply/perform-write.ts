import type { ReadClient, WriteClient } from '../api/client.ts';
import { ServiceError, isNotFound } from '../api/service-error.ts';
import { RulewrightError } from '../model/error.ts';
import type { JsonValue } from '../model/json.ts';
import type { Base, Step } from '../model/plan.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Write } from '../plan/writes.ts';
import type { ScopeRun } from './context.ts';
import type { JournalEntry } from './journal-entry.ts';
import { journalWrite } from './journal-write.ts';
import type { Landed } from './judge-write.ts';
import { judgeWrite, stale } from './judge-write.ts';
import { isAtBase, lookUp } from './look-up.ts';
import { refusalsOf } from './refusals.ts';
import { sendWrite } from './send-write.ts';
import type { Undone } from './undone.ts';
import { failureOf } from './undone.ts';

/** What came of a write; `interrupted`: it was never sent. */
export type WriteResult = Landed | Undone | { readonly kind: 'interrupted' };

/** One write, and what it is made on. */
export interface WriteTask {
  readonly step: Step;
  readonly write: Write;
  readonly before: LiveRuleset | null;
  readonly client: WriteClient;
  /** For looking at what the write did; waits also after an interruption. */
  readonly reader: ReadClient;
  readonly run: ScopeRun;
}

/** How often a write is sent at most when each time it is certain that it did nothing. */
const ATTEMPTS = 3;

/**
 * Sends a write and makes sure of its effect. After an unknown outcome the ruleset is read: as it was
 * before, the write is sent again; as intended, it is done; anything else is told for what it is. Intent
 * and result are in the journal, durably, before the write and after it.
 */
export async function performWrite(task: WriteTask): Promise<WriteResult> {
  const { step, write, before, run } = task;
  if (write.kind === 'delete-ruleset' && before !== null) {
    // A deleted ruleset takes its versions with it (api.md 6.2): this is what it can be made from again.
    await run.journal.record({ kind: 'saved', step: step.id, ruleset: toJson(before) });
  }
  await run.journal.record({
    kind: 'intent',
    step: step.id,
    write: journalWrite(write, before),
    base: toJson(baseNow(task)),
  });
  const result = await attempt(task, 1);
  try {
    await run.journal.record(entryFor(step, result));
  } catch (error) {
    return unrecorded(error, result);
  }
  return result;
}

function entryFor(step: Step, result: WriteResult): JournalEntry {
  return result.kind === 'landed'
    ? { kind: 'landed', step: step.id, version: result.ruleset?.version ?? null }
    : {
        kind: 'failed',
        step: step.id,
        message: result.kind === 'interrupted' ? 'interrupted before it was sent' : result.message,
        landed: tookEffect(result),
      };
}

/** A run does not go on without its journal; that the write landed is told all the same. */
function unrecorded(error: unknown, result: WriteResult): Undone {
  if (!(error instanceof RulewrightError)) {
    throw error;
  }
  const { code, message } = error;
  return {
    kind: 'failed',
    code,
    message: `${message} The write before it ${tookEffect(result) ? 'was done' : 'was not done'}.`,
    ...(tookEffect(result) ? { landed: true } : {}),
  };
}

function tookEffect(result: WriteResult): boolean {
  return result.kind === 'landed' || ('landed' in result && result.landed);
}

async function attempt(task: WriteTask, count: number): Promise<WriteResult> {
  const { client, run, write, before } = task;
  let answer: LiveRuleset | null;
  try {
    answer = await sendWrite(client, run.scope, write, before);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    return error.code === 'api/aborted' && error.effect === 'none'
      ? { kind: 'interrupted' }
      : afterError(task, error, count);
  }
  try {
    // The answer to a deleted rule may be empty (api.md 2.1 row 12).
    const ruleset = answer === null && write.kind !== 'delete-ruleset' ? await lookNow(task) : answer;
    const judged = await judgeWrite(task, { ruleset, answer: 'answered' });
    if (judged.kind !== 'failed') {
      return judged;
    }
    // An answer that leaves something out is no proof that it is not there.
    const read = await judgeWrite(task, { ruleset: await lookNow(task), answer: 'unknown' });
    return read.kind === 'refused' ? judged : read;
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    return {
      ...failureOf(error),
      message: `The service took the write, but live could not be read after it: ${error.message}`,
      landed: true,
    };
  }
}

async function afterError(task: WriteTask, error: ServiceError, count: number): Promise<WriteResult> {
  const { write, step } = task;
  let now: LiveRuleset | null;
  try {
    now = await lookNow(task);
  } catch (second) {
    if (!(second instanceof ServiceError)) {
      throw second;
    }
    return error.effect === 'none'
      ? failureOf(error, refusalsOf(error, write, step))
      : {
          ...failureOf(error),
          message: `${error.message} Live could not be read to find out: ${second.message}`,
        };
  }
  const unmoved = isAtBase(now, baseNow(task));
  if (error.effect === 'none') {
    if (unmoved) {
      return failureOf(error, refusalsOf(error, write, step));
    }
    const gone = isNotFound(error) && (write.kind === 'delete-rule' || write.kind === 'delete-ruleset');
    // What was sent before and seemed to have done nothing may have come to its effect late, and what arrives
    // twice is refused the second time.
    const judged = await judgeWrite(task, { ruleset: now, answer: 'unknown' });
    return judged.kind === 'landed' || ((gone || count > 1) && tookEffect(judged))
      ? judged
      : stale(task, now, `live moved while it was being written: ${error.message}`);
  }
  if (unmoved) {
    return mayRepeat(write, error) && count < ATTEMPTS ? attempt(task, count + 1) : lookOnceMore(task, error);
  }
  return judgeWrite(task, { ruleset: now, answer: 'unknown' });
}

/** Before a write of unknown outcome is given up: what came late is done. */
async function lookOnceMore(task: WriteTask, error: ServiceError): Promise<WriteResult> {
  try {
    const ruleset = await lookNow(task);
    return isAtBase(ruleset, baseNow(task))
      ? failureOf(error)
      : await judgeWrite(task, { ruleset, answer: 'unknown' });
  } catch (second) {
    if (second instanceof ServiceError) {
      return failureOf(error);
    }
    throw second;
  }
}

/**
 * Of custom rulesets the service takes several of one name. One that a gateway has lost sight of may still be
 * made; so its creation is sent again only when it was the service that answered.
 */
function mayRepeat(write: Write, error: ServiceError): boolean {
  return write.kind !== 'create-ruleset' || write.target.level !== 'custom' || error.errors.length > 0;
}

function lookNow(task: WriteTask): Promise<LiveRuleset | null> {
  return lookUp(task.reader, task.run.scope, task.step.target, baseNow(task));
}

/** The base that this write is made on: the ruleset after the step's earlier writes. */
function baseNow({ step, before }: WriteTask): Base {
  return before === null
    ? step.base
    : { kind: 'version', id: before.id, version: before.version, lastUpdated: before.lastUpdated };
}

/** Plain JSON for the journal. */
function toJson(value: Base | LiveRuleset): JsonValue {
  const parsed: JsonValue = JSON.parse(JSON.stringify(value));
  return parsed;
}
