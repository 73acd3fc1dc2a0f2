/**
 * Carries out a plan, for `app`: preflight, writes, look-up after unknown outcomes, journal, rollback.
 *
 * Promises: writes only what the plan says, and only while live is what the plan was made from; a write of unknown outcome is looked up; nothing is
 * deleted or put back that this run did not certainly make; whatever happens, the journal says what was sent.
 * Never: decides what should be different; that is `plan`.
 */
export { applyPlan } from './apply-plan.ts';
export type { PlanOutcome, PlanRun } from './apply-plan.ts';
export { areDone, outcomesSince } from './base/check-bases.ts';
export { insisting, readBase } from './base/look-up.ts';
export { holdJournal } from './journal/hold-journal.ts';
export type { Hold } from './journal/hold-journal.ts';
export { NO_JOURNAL, recordDone } from './journal/journal-entry.ts';
export type { Journal, JournalEvent, JournalStep } from './journal/journal-entry.ts';
export { continueJournal, openJournal, settleRun } from './journal/journal.ts';
export { mergeJournals } from './journal/merge-journals.ts';
export type { MergedJournals, NamedJournal } from './journal/merge-journals.ts';
export { readLastRun } from './journal/read-journal.ts';
export type { RecordedRun } from './journal/read-journal.ts';
export { describeUnfinished, readUnfinishedRetirement, stillLanding } from './journal/unfinished-run.ts';
export type { UnfinishedRetirement } from './journal/unfinished-run.ts';
export { preflight } from './preflight/preflight.ts';
export { retireObjects } from './retire/retire-objects.ts';
export { bringBackTaken, findTakenAlong } from './rollback/taken-along.ts';
export type { TakenAlong } from './rollback/taken-along.ts';
export { PLAN_MISMATCH } from './steps/step-run.ts';
export type { WriteAccess, KeepWritten } from './write/scope-run.ts';
export { mayComeLate } from './write/send-write.ts';
