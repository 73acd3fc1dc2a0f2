import type { ReadClient, WriteClient } from '../../api/index.ts';
import { knownError, isAtBase } from '../../model/index.ts';
import type { LiveRuleName, Outcome, Step, LiveRuleset } from '../../model/index.ts';
import { liveRuleName, stepSecrets } from '../../plan/index.ts';
import type { Write } from '../../plan/index.ts';
import { insisting, insistingWriter, lookUp, readBase } from '../base/look-up.ts';
import { undoingRun } from '../write/scope-run.ts';
import { restoreConcurrentEdits } from '../write/restore-concurrent-edits.ts';
import { conflictHint, conflictText } from '../write/conflict.ts';
import type { WriteRace, History } from '../write/concurrent-edits.ts';
import { readHistory, overwrittenRules } from '../write/concurrent-edits.ts';
import { findWrite } from '../write/judge-write.ts';
import { entryFor } from '../write/perform-write.ts';
import type { WriteTask } from '../write/scope-run.ts';
import { failureOutcome } from '../write/write-failure.ts';
import type { Journal } from '../journal/journal-entry.ts';
import type { RecordedRun, RecordedStep } from '../journal/read-journal.ts';

/** Rules of somebody else that a PUT of the rule list removed or reverted in a run that did not end. */
export type OverwrittenEdits = {
  readonly recorded: RecordedStep;
  /** `message` says what somebody else wrote beside the PUT, and `hint` how to get at it. */
  readonly message: string;
  readonly hint: string;
} & (
  | {
      readonly kind: 'missing';
      /** Rules that are not back, with their former ids. */
      readonly rules: readonly LiveRuleName[];
    }
  /** Whether the PUT removed or reverted something is not known; `failed`: only because live could not be read. */
  | { readonly kind: 'unknown'; readonly failed: boolean }
);

/**
 * Finds the rules of others that PUTs of rule lists removed or reverted in a run that did not end, and that are not back: the run may have crashed
 * between such a PUT and the requests that bring the rules back. Judges by the versions that the service keeps; where they cannot be read, reports
 * that this is not known.
 */
export async function findOverwrittenEdits(
  { steps }: RecordedRun,
  clientFor: (tokenEnv: string | undefined) => ReadClient,
): Promise<readonly OverwrittenEdits[]> {
  const found: OverwrittenEdits[] = [];
  for (const recorded of steps) {
    const listed = listOf(recorded);
    if (listed !== null) {
      try {
        found.push(...(await takenBy(listed, clientFor(recorded.tokenEnv))));
      } catch (error) {
        // For example, the token may no longer exist: that is no reason to stop a run.
        found.push({ ...notKnown(listed), failed: true, message: knownError(error).message });
      }
    }
  }
  return found;
}

/** The PUT of a rule list in a run that did not end, and the version that it was made on. */
interface UnfinishedPut {
  readonly recorded: RecordedStep;
  readonly write: Write;
  readonly base: Extract<Step['base'], { readonly kind: 'version' }>;
}

function listOf(recorded: RecordedStep): UnfinishedPut | null {
  const { write, base } = recorded.list ?? { write: null, base: null };
  return write === null || base?.kind !== 'version' ? null : { recorded, write, base };
}

async function takenBy(listed: UnfinishedPut, client: ReadClient): Promise<readonly OverwrittenEdits[]> {
  const { recorded, write, base } = listed;
  const { scope, target } = recorded;
  const [before, now] = await endsOf(listed, client);
  if (now === null || isAtBase(now, base)) {
    return [];
  }
  if (before === null) {
    return [notKnown(listed)];
  }
  const staying = stayingIn(before, recorded);
  const history = await readHistory({ client, scope, write, made: null, before, staying, now });
  const race = firstOf({ ...history, now });
  const rules = overwrittenRules({ planned: before, staying, race }).map(({ rule }) => liveRuleName(rule));
  const told = {
    recorded,
    message: conflictText(history),
    hint: conflictHint({ scope, target, history }),
  };
  if (rules.length > 0) {
    return [{ ...told, kind: 'missing', rules }];
  }
  return mayHideSome(history) ? [{ ...told, kind: 'unknown', failed: false }] : [];
}

function notKnown({
  recorded,
  base: { version },
}: UnfinishedPut): Extract<OverwrittenEdits, { readonly kind: 'unknown' }> {
  const { scope, target } = recorded;
  const history = { ours: null, others: [], unread: [{ from: version, to: version }], landings: [] };
  return {
    kind: 'unknown',
    failed: false,
    recorded,
    message: conflictText(history),
    hint: conflictHint({ scope, target, history }),
  };
}

/**
 * Keeps only the first landing: somebody who later deletes one of the rules makes the same list as ours, so of all versions that look like the work
 * of our list, only the first one is.
 */
function firstOf({ landings, now }: WriteRace): WriteRace {
  return { landings: landings.slice(0, 1), now };
}

/** Whether versions that cannot be read may have contained rules that our list removed or reverted. */
function mayHideSome({ ours, unread }: History): boolean {
  return ours !== null && unread.some(({ from }) => BigInt(from) < BigInt(ours.version));
}

function endsOf(
  { recorded: { scope, target }, base }: UnfinishedPut,
  client: ReadClient,
): Promise<readonly [LiveRuleset | null, LiveRuleset | null]> {
  return Promise.all([readBase(client, scope, base), lookUp(client, scope, target, base)]);
}

/** The client and the journal for bringing rules back. */
export interface RestoreMeans {
  readonly client: WriteClient;
  /** The journal of the unfinished run: should this run crash as well, the next one finds out again how far it came. */
  readonly journal: Journal;
}

/** Brings back the rules that a PUT of the rule list removed or reverted, as its own run would have; null when nothing is left to bring back. */
export async function restoreRulesetEdits(
  recorded: RecordedStep,
  { client, journal }: RestoreMeans,
): Promise<Outcome | null> {
  const listed = listOf(recorded);
  const [before, now] = listed === null ? [null, null] : await endsOf(listed, client);
  if (listed === null || before === null) {
    return null;
  }
  const task = taskOf(listed, { before, client, journal });
  const found = await findWrite(task, now);
  if (found.kind !== 'conflict' || found.race === undefined) {
    return null;
  }
  if (recorded.inFlight !== null) {
    await journal.record(entryFor(task.step, found));
  }
  return failureOutcome(
    recorded.step,
    await restoreConcurrentEdits(task, { ...found, race: firstOf(found.race) }),
    0,
  );
}

/** Returns the ids of the rules that the step of the PUT does not place, in their order. */
function stayingIn({ rules }: LiveRuleset, { moves }: RecordedStep): readonly string[] {
  const moved = new Set(moves);
  return rules.flatMap(({ id }) => (moved.has(id) ? [] : [id]));
}

function taskOf(
  { recorded, write }: UnfinishedPut,
  { before, client, journal }: RestoreMeans & { readonly before: LiveRuleset },
): WriteTask {
  const { step: id, scope, target, base } = recorded;
  const staying = stayingIn(before, recorded);
  const step: Step = { id, target, base, after: [], operation: 'update', changes: [], staying };
  return {
    step,
    write,
    before,
    client: insistingWriter(client),
    reader: insisting(client),
    run: undoingRun({ scope, access: { kind: 'write', client }, strategy: 'rules', journal }),
    secrets: stepSecrets(step),
  };
}
