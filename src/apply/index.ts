/**
 * Carries out a plan, for `app`: preflight, writes, look-up after unknown outcomes, journal, rollback.
 *
 * Promises: writes only what the plan says, and only while live is what the plan was made from; a write of unknown outcome is looked up; nothing is
 * deleted or put back that this run did not certainly make; whatever happens, the journal says what was sent.
 * Never: decides what should be different; that is `plan`.
 */
export { applyPlan, checkBeforeWriting } from './apply-plan.ts';
export type { PlanOutcome, PlanRun } from './apply-plan.ts';
export { STALE_HINT, areDone, outcomesSince } from './base/check-bases.ts';
export { changedSince, lastChange } from './base/changed-since.ts';
export type { ChangedScope, LeftScope } from './base/changed-since.ts';
export { insisting, lookUp, readBase } from './base/look-up.ts';
export { isObjectDone } from './objects/apply-objects.ts';
export { holdJournal } from './journal/hold-journal.ts';
export type { Hold } from './journal/hold-journal.ts';
export { NO_JOURNAL, recordDone } from './journal/journal-entry.ts';
export type {
  Journal,
  JournalEntry,
  JournalEvent,
  JournalStep,
  WaveRecord,
} from './journal/journal-entry.ts';
export { continueJournal, openJournal, settleRun } from './journal/journal.ts';
export { mergeJournals } from './journal/merge-journals.ts';
export type { MergedJournals, NamedJournal } from './journal/merge-journals.ts';
export { timeOf } from './journal/journal-values.ts';
export { readOwnWrites } from './journal/own-writes.ts';
export { lastSavedObject } from './journal/recorded-objects.ts';
export { entriesIn, lastRunIn, readLastRun } from './journal/read-journal.ts';
export type { RecordedRun } from './journal/read-journal.ts';
export { mayGoBack, unfinishedRollout } from './journal/read-rollout.ts';
export type { UnfinishedRollout } from './journal/read-rollout.ts';
export { isWaveOpen, readWaves } from './journal/read-waves.ts';
export type { RecordedWave } from './journal/read-waves.ts';
export { readNotPutBack } from './journal/not-put-back.ts';
export { describeUnfinished, stillLanding } from './journal/unfinished-run.ts';
export { preflight } from './preflight/preflight.ts';
export { earlierWrites } from './rollback/earlier-writes.ts';
export type { EarlierPlan } from './rollback/earlier-writes.ts';
export { joinRollbacks, rollBackAll } from './rollback/roll-back.ts';
export type { WrittenPlan } from './rollback/roll-back.ts';
export { restoreRulesetEdits, findOverwrittenEdits } from './rollback/overwritten-edits.ts';
export type { OverwrittenEdits } from './rollback/overwritten-edits.ts';
export { applyScope } from './steps/apply-scope.ts';
export { PLAN_MISMATCH } from './steps/mismatch-outcome.ts';
export { isSameRule } from './write/concurrent-edits.ts';
export { notingReceipts, receiptsIn } from './write/receipts.ts';
export { undoingRun } from './write/scope-run.ts';
export type { ApplyEvent, KeepWritten, WriteAccess } from './write/scope-run.ts';
export { ATTEMPTS, mayComeLate, sendUntilKnown } from './write/send-write.ts';
export type { Failing } from './write/send-write.ts';
export { NOT_SHOWN, notReadable } from './write/settle-write.ts';
export {
  INTERRUPTED,
  failureOf,
  failureOutcome,
  inDoubt,
  outcomeOfError,
  stopped,
  unrecorded,
} from './write/write-failure.ts';
export type { Stop, WriteEffect } from './write/write-failure.ts';
