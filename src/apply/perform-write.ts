import type { WriteClient } from '../api/client.ts';
import { ServiceError } from '../api/service-error.ts';
import type { JsonValue } from '../model/json.ts';
import type { Base, Step } from '../model/plan.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import { describeDeviation, deviations, expectAfter } from '../plan/expect.ts';
import type { Write } from '../plan/writes.ts';
import type { ScopeRun } from './context.ts';
import { isAtBase, lookUp } from './look-up.ts';
import { sendWrite } from './send-write.ts';

/** A write that took effect, and the ruleset after it (null: deleted). */
export interface Landed {
  readonly kind: 'landed';
  readonly ruleset: LiveRuleset | null;
}

/** What came of a write. */
export type WriteResult =
  | Landed
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly hint?: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly hint?: string }
  | { readonly kind: 'conflict'; readonly message: string; readonly hint: string };

/** One write, and what it is made on. */
export interface WriteTask {
  readonly step: Step;
  readonly write: Write;
  readonly before: LiveRuleset | null;
  readonly client: WriteClient;
  readonly run: ScopeRun;
}

/** How often a write is sent at most when each time it is certain that it did nothing. */
const ATTEMPTS = 3;

/**
 * Sends a write and makes sure of its effect. After an unknown outcome the ruleset is read: as it was
 * before, the write is sent again; as intended, it is done; anything else is a conflict.
 */
export async function performWrite(task: WriteTask): Promise<WriteResult> {
  const { step, write, run } = task;
  await run.journal.record({
    kind: 'intent',
    step: step.id,
    write: toJson(write),
    base: toJson(baseNow(task)),
  });
  const result = await attempt(task, 1);
  await run.journal.record(
    result.kind === 'landed'
      ? { kind: 'landed', step: step.id, version: result.ruleset?.version ?? null }
      : { kind: 'failed', step: step.id, message: result.message },
  );
  return result;
}

async function attempt(task: WriteTask, count: number): Promise<WriteResult> {
  const { client, run, write, before } = task;
  try {
    const answer = await sendWrite(client, run.scope, write, before);
    // The answer to a deleted rule may be empty (api.md 2.1 row 12).
    const after =
      answer === null && write.kind !== 'delete-ruleset'
        ? await lookUp(client, run.scope, task.step.target, baseNow(task))
        : answer;
    return judge(task, after);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const now = await lookUp(client, run.scope, task.step.target, baseNow(task));
    if (error.effect === 'none') {
      return refusedOrFailed(task, error, now);
    }
    if (isAtBase(now, baseNow(task))) {
      return count < ATTEMPTS ? attempt(task, count + 1) : failed(error);
    }
    return judge(task, now);
  }
}

/** The base that this write is made on: the ruleset after the step's earlier writes. */
function baseNow({ step, before }: WriteTask): Base {
  return before === null
    ? step.base
    : { kind: 'version', id: before.id, version: before.version, lastUpdated: before.lastUpdated };
}

/** Whether the ruleset after a write is what the write should have made of it. */
function judge(task: WriteTask, after: LiveRuleset | null): WriteResult {
  const expected = expectAfter(task.before, task.write);
  if (expected === null || after === null) {
    return expected === null && after === null
      ? { kind: 'landed', ruleset: null }
      : conflict(after === null ? 'the ruleset is gone' : 'the ruleset is still there');
  }
  const found = deviations(expected, after).map(describeDeviation);
  const wanted = task.before === null ? 1n : BigInt(task.before.version) + 1n;
  if (BigInt(after.version) !== wanted) {
    const between = `version ${wanted} was expected, the service answered ${after.version}: somebody else wrote`;
    return conflict([between, ...found].join('; '));
  }
  if (found.length > 0) {
    return {
      kind: 'failed',
      code: 'apply/unexpected-result',
      message: `the service took the write, but ${found.join('; ')}`,
      hint: 'plan again to see what is left to do',
    };
  }
  return { kind: 'landed', ruleset: after };
}

/** A refusal by the service means a stale plan when the ruleset moved meanwhile. */
function refusedOrFailed(task: WriteTask, error: ServiceError, now: LiveRuleset | null): WriteResult {
  if (isAtBase(now, baseNow(task))) {
    return failed(error);
  }
  return {
    kind: 'refused',
    code: 'apply/stale',
    message: `live moved while it was being written: ${error.message}`,
    hint: 'plan again, review the difference, then apply',
  };
}

function failed(error: ServiceError): WriteResult {
  return {
    kind: 'failed',
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

function conflict(message: string): WriteResult {
  return {
    kind: 'conflict',
    message,
    hint: 'nothing more was written to this ruleset; plan again to see what the other write changed',
  };
}

/** Plain JSON for the journal. */
function toJson(value: Write | Base): JsonValue {
  const parsed: JsonValue = JSON.parse(JSON.stringify(value));
  return parsed;
}
