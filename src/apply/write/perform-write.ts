import { assertNever, plainJson } from '../../data/index.ts';
import type { Step, LiveRuleset } from '../../model/index.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { journalRuleset, journalWrite } from '../journal/journal-entry.ts';
import { notingReceipts, receiptsIn } from './receipts.ts';
import type { WriteEffect, WriteFailure } from './write-failure.ts';
import { NO_EFFECT, inDoubt, unrecorded } from './write-failure.ts';
import type { LandedWrite } from './judge-write.ts';
import { sendWrite, sendUntilKnown } from './send-write.ts';
import { NOT_SHOWN, settleAnswer, settleFailure } from './settle-write.ts';
import { baseNow } from './scope-run.ts';
import type { WriteTask } from './scope-run.ts';

/** Result of a write; `interrupted`: it was never sent. */
export type WriteResult = LandedWrite | WriteFailure | { readonly kind: 'interrupted' };

/**
 * Sends a write and makes sure of its effect. After an unknown outcome, reads the ruleset: if it is as before, the write is sent again; if it is as
 * intended, the write is done; anything else is reported as it is, including that the effect is unknown. Records intent and result durably in the
 * journal, before the write and after it.
 */
export async function performWrite(task: WriteTask): Promise<WriteResult> {
  const { step, write, before, run, secrets } = task;
  if (write.kind === 'delete-ruleset' && before !== null) {
    // A deleted ruleset takes its versions with it (api.md 6.2): it can be made again only from this entry.
    await run.journal.record({ kind: 'saved', step: step.id, ruleset: journalRuleset(before) });
  }
  await run.journal.record({
    kind: 'intent',
    step: step.id,
    write: journalWrite(write, before, secrets),
    base: plainJson(baseNow(task)),
  });
  const { client, receipts } = notingReceipts(task.client);
  const result = await send({ ...task, client });
  try {
    await run.journal.record({ ...entryFor(step, result), ...receiptsIn(receipts) });
  } catch (error) {
    return unrecorded(error, effectOf(result));
  }
  return result;
}

function send(task: WriteTask): Promise<WriteResult> {
  const { client, run, step, write, before } = task;
  const place = { scope: run.scope, phase: step.target.phase };
  return sendUntilKnown<LiveRuleset | null, WriteResult>({
    send: () => sendWrite(client, place, write, before),
    answered: (answer) => settleAnswer(task, answer),
    failed: async (failing) => {
      const { error, lost } = failing;
      if (error.code === 'api/aborted' && error.effect === 'none') {
        return lost === null ? { kind: 'interrupted' } : inDoubt(lost, NOT_SHOWN);
      }
      return settleFailure(task, failing);
    },
  });
}

/** Returns what the result of a write says about its effect. */
export function effectOf(result: WriteResult): WriteEffect {
  switch (result.kind) {
    case 'landed':
      return { kind: 'landed', version: result.ruleset?.version ?? null };
    case 'failed':
    case 'conflict':
      return result.effect;
    case 'refused':
    case 'interrupted':
      return NO_EFFECT;
    default:
      return assertNever(result);
  }
}

/** Returns the journal entry for the result of a write. */
export function entryFor(step: Step, result: WriteResult): JournalEntry {
  const effect = effectOf(result);
  return result.kind === 'landed'
    ? { kind: 'landed', step: step.id, version: result.ruleset?.version ?? null }
    : {
        kind: 'failed',
        step: step.id,
        message: result.kind === 'interrupted' ? 'interrupted before it was sent' : result.message,
        landed: effect.kind === 'landed',
        ...(effect.kind === 'in-doubt' ? { inDoubt: true } : {}),
      };
}
