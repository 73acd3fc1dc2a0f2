import { orElse, ServiceError, isMaintenanceMode, isNotFound, listRulesets } from '../api/index.ts';
import type { Outcome, LiveRuleset, Scope } from '../model/index.ts';
import { isAtBase, isAchieved, scopeLabel, RulewrightError } from '../model/index.ts';
import {
  insisting,
  lookUp,
  STALE_HINT,
  failureOutcome,
  failureOf,
  inDoubt,
  unrecorded,
  outcomeOfError,
  INTERRUPTED,
  stopped,
  isSameRule,
  applyScope,
  undoingRun,
  ATTEMPTS,
  sendUntilKnown,
  NOT_SHOWN,
  notReadable,
} from '../apply/index.ts';
import { shellWord } from '../text/index.ts';
import { WHOLE, planRollback } from '../plan/index.ts';
import type {
  Failing,
  JournalEntry,
  Journal,
  WriteEffect,
  Stop,
  ApplyEvent,
  WriteAccess,
} from '../apply/index.ts';
import type { ReadClient, WriteClient } from '../api/index.ts';
import type { JsonObject } from '../data/index.ts';
import { objectOf, plainJson } from '../data/index.ts';
import type { OldObjectTarget, ReplacingEntrypoint, RetireStep, RetirementPlan } from './retirement-plan.ts';
import { objectDigest } from './retirement-plan.ts';
import {
  filters,
  firewallRules,
  pageRules,
  rateLimits,
  wafOverrides,
  WITH_UNUSED_FILTER,
} from './legacy-objects.ts';

/** A retirement to be carried out. */
interface RetirementRun {
  readonly plan: RetirementPlan;
  readonly access: WriteAccess;
  readonly journal: Journal;
  readonly report: (event: ApplyEvent) => void;
  /** Stops the run between two deletions. */
  readonly signal: AbortSignal | undefined;
}

/** Reads the entry points again after a deletion, and restores what the deletion certainly changed in one. */
async function checkEntrypoints(
  step: RetireStep,
  run: RetirementRun,
  live: readonly LiveEntrypoint[],
): Promise<Outcome> {
  for (const { replacing, before } of live) {
    const now = await orElse(readEntrypoint(run, replacing, 'insist'), (error) => error);
    if (now instanceof ServiceError) {
      const message = `It was deleted, but the entry point could not be read after it: ${now.message}`;
      return failureOutcome(step.id, { ...failureOf(now), message }, 1);
    }
    if (!isAtBase(now, replacing.base)) {
      const { phase } = replacing;
      const { message, hint } = await afterMove(step, run, { phase, before, now });
      return {
        kind: 'conflict',
        step: step.id,
        message: `the entry point of ${phase} changed when it was deleted: ${message}`,
        hint,
        writes: 1,
      };
    }
  }
  return { kind: 'done', step: step.id, version: null, writes: 1 };
}

/** Reads an entry point that has taken over from what is retired; null when there is none. */
function readEntrypoint(
  { plan, access }: RetirementRun,
  { phase, base }: ReplacingEntrypoint,
  urgency: 'insist' | 'usual' = 'usual',
): Promise<LiveRuleset | null> {
  const client = urgency === 'insist' ? insisting(access.client) : access.client;
  return lookUp(client, plan.scope, { kind: 'ruleset', level: 'zone', phase, name: '' }, base);
}

/** An entry point as it is before a deletion. */
interface LiveEntrypoint {
  readonly replacing: ReplacingEntrypoint;
  readonly before: LiveRuleset | null;
}

/** The entry point of a phase before and after a deletion; null when there is none. */
interface EntrypointChange {
  readonly phase: string;
  readonly before: LiveRuleset | null;
  readonly now: LiveRuleset | null;
}

/**
 * Restores what our deletion took from an entry point, through a plan of its own, as `rollback` does. Any other move may be somebody's work: it is
 * left, and the hint is the command that takes it back.
 */
async function afterMove(
  step: RetireStep,
  run: RetirementRun,
  { phase, before, now }: EntrypointChange,
): Promise<{ readonly message: string; readonly hint: string }> {
  const ruleset = `${shellWord(scopeLabel(run.plan.scope))} ${phase}`;
  if (before === null) {
    return { message: 'there was none, and now there is', hint: STALE_HINT };
  }
  if (now === null) {
    return { message: 'it is gone', hint: 'rulewright apply makes it again from the files' };
  }
  const rollbackTo = ({ version }: LiveRuleset): string =>
    `rulewright rollback ${ruleset} --to ${version} --whole-ruleset`;
  if (now.id !== before.id) {
    const message = 'it is another one now, and is left as it is, since somebody may have made it';
    return { message, hint: `${STALE_HINT}; its versions: rulewright versions ${ruleset}` };
  }
  const changed = `it went from version ${before.version} to ${now.version}`;
  if (!isOfDeletion(step, before, now)) {
    return {
      message: `${changed}, and is left as it is, since that may be somebody's work`,
      hint: `see what changed with rulewright versions ${ruleset}; if version ${before.version} should come back: ${rollbackTo(before)}`,
    };
  }
  const trouble = await orElse(
    writeBack(run, before, now),
    ({ message }) => `could not be restored: ${message}`,
  );
  return trouble === null
    ? {
        message: `${changed} without the rule that replaces it, and has its rules of version ${before.version} again`,
        hint: `old and new rules seem to be one list in this zone: delete nothing more through the old interface; if somebody else took the rule out: ${rollbackTo(now)}`,
      }
    : { message: `${changed}, and ${trouble}`, hint: rollbackTo(before) };
}

/** Whether the only change is what the service makes of our deletion where old and new rules are one list (api.md 9.3): the next version, without the replacing rule. */
function isOfDeletion({ replacedBy }: RetireStep, before: LiveRuleset, now: LiveRuleset): boolean {
  const left = before.rules.filter(({ ref }) => ref !== replacedBy);
  return (
    BigInt(now.version) === BigInt(before.version) + 1n &&
    now.name === before.name &&
    now.description === before.description &&
    left.length === before.rules.length - 1 &&
    left.length === now.rules.length &&
    left.every((rule, index) => {
      const other = now.rules[index];
      return rule.id === other?.id && isSameRule(rule, other);
    })
  );
}

/** Restores the rules of a version; returns null when all of it was done, otherwise what was not. */
async function writeBack(
  { plan: { scope }, access, journal }: RetirementRun,
  version: LiveRuleset,
  live: LiveRuleset,
): Promise<string | null> {
  const listed = await listRulesets(access.client, scope);
  const catalogue = listed.filter(({ kind }) => kind === 'managed');
  const back = planRollback({ scope, live, version, catalogue, share: WHOLE, extent: 'whole' });
  if (back.kind === 'failed') {
    return `was not restored: ${back.error.message}`;
  }
  const outcomes = await applyScope(back, undoingRun({ scope, access, strategy: 'auto', journal }));
  const failed = outcomes.find((outcome) => !isAchieved(outcome));
  return failed === undefined
    ? null
    : `could not be restored: ${'message' in failed ? failed.message : failed.kind}`;
}

const FAMILIES = {
  firewall_rule: firewallRules,
  filter: filters,
  rate_limit: rateLimits,
  waf_override: wafOverrides,
  page_rule: pageRules,
} as const satisfies Record<OldObjectTarget['kind'], unknown>;

/** Reads an object of a deprecated interface as it is now; null when it certainly does not exist. */
async function readOldObject(
  client: ReadClient,
  scope: Scope,
  { kind, id }: OldObjectTarget,
): Promise<JsonObject | null> {
  const reading: Promise<object> = FAMILIES[kind].get(client, scope.id, id);
  const object = await orElse(reading, () => null, isNotFound);
  // The form that plans and journals have.
  return object === null ? null : objectOf(plainJson(object));
}

function deleteOldObject(
  client: WriteClient,
  scope: Scope,
  { target: { kind, id }, withFilter }: RetireStep,
): Promise<void> {
  return FAMILIES[kind].remove(client, scope.id, id, withFilter ? WITH_UNUSED_FILTER : undefined);
}

type DeletionFailure = ReturnType<typeof failureOf>;

/** Result of a deletion. */
export type Deletion =
  | { readonly kind: 'gone' }
  | { readonly kind: 'kept'; readonly error: ServiceError; readonly failure: DeletionFailure };

/** Deletes an object. After an unknown outcome, reads it: one that is gone was deleted, one that is there can be deleted once more. */
function deleteObject(step: RetireStep, run: RetirementRun): Promise<Deletion> {
  return sendUntilKnown<void, Deletion>({
    send: () => deleteNow(step, run),
    answered: () => GONE,
    failed: async (failing) => {
      const seen = await look(step, run);
      return seen === 'gone' ? GONE : deletionOf(step, failing, seen);
    },
  });
}

const GONE: Deletion = { kind: 'gone' };

/** Judges a deletion that failed and does not show. */
function deletionOf(
  step: RetireStep,
  { error, count, lost }: Failing,
  seen: 'there' | ServiceError,
): Deletion | 'repeat' {
  const mayRepeat = error.effect === 'unknown' && error.code !== 'api/aborted' && count < ATTEMPTS;
  if (seen === 'there' && mayRepeat) {
    return 'repeat';
  }
  const isDoubtful =
    !isKept(step, error) && (lost !== null || (seen !== 'there' && error.effect === 'unknown'));
  const failure = isDoubtful
    ? inDoubt(lost ?? error, seen === 'there' ? NOT_SHOWN : notReadable(seen))
    : withHint(failureOf(error), error);
  return { kind: 'kept', error, failure };
}

async function deleteNow(step: RetireStep, { plan, access }: RetirementRun): Promise<void> {
  if (access.kind === 'dry-run') {
    throw new RulewrightError('a dry run deletes nothing', { code: 'apply/misuse', fault: 'bug' });
  }
  await deleteOldObject(access.client, plan.scope, step);
}

/** Returns whether an old object is still there, or the error when that cannot be read. */
function look(step: RetireStep, { plan, access }: RetirementRun): Promise<'gone' | 'there' | ServiceError> {
  const old = readOldObject(insisting(access.client), plan.scope, step.target);
  return orElse(
    old.then((found) => (found === null ? 'gone' : 'there')),
    (error) => error,
  );
}

/** Whether the service keeps a filter because it is used elsewhere; sending the deletion again does not change that. */
function isKept({ target }: RetireStep, error: ServiceError): boolean {
  return target.kind === 'filter' && error.code === 'api/refused' && !isMaintenanceMode(error);
}

/** Adds a hint to a failure whose cause is an old interface that has become read-only. */
function withHint(failure: DeletionFailure, error: ServiceError): DeletionFailure {
  return isMaintenanceMode(error)
    ? {
        ...failure,
        hint: 'the old interface of this zone is read-only: its objects can no longer be deleted, and need not be; ask the vendor what still applies',
      }
    : failure;
}

/**
 * Deletes old objects one at a time, in the order of the plan. Each is read before it is deleted, and must be what the plan saw. After each deletion
 * the entry points that have taken over are read: if one is no longer what the plan was made from, the run stops, and restores it if the deletion did
 * that.
 * What is left is done by a run of a new plan.
 */
export async function retireObjects(run: RetirementRun): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let stop: Stop | null = null;
  for (const step of run.plan.steps) {
    stop ??= run.signal?.aborted === true ? INTERRUPTED : null;
    const outcome = stop === null ? await retire(step, run) : stopped(step.id, 0, stop);
    run.report({ kind: 'step-ended', outcome });
    outcomes.push(outcome);
    if (stop === null && !isAchieved(outcome)) {
      stop = { kind: 'because', reason: `${step.id} was not done, and the order of deletions matters` };
    }
  }
  return outcomes;
}

/** Retires one object. Never throws, not even for bugs, since what was deleted so far has to be reported. */
async function retire(step: RetireStep, run: RetirementRun): Promise<Outcome> {
  run.report({ kind: 'step-started', scope: run.plan.scope, step: step.id, writes: 1 });
  try {
    return await retireOne(step, run);
  } catch (error) {
    return outcomeOfError(step.id, 0, error);
  }
}

async function retireOne(step: RetireStep, run: RetirementRun): Promise<Outcome> {
  const { plan, access } = run;
  const live: LiveEntrypoint[] = [];
  for (const replacing of plan.entrypoints) {
    const before = await readEntrypoint(run, replacing);
    if (!isAtBase(before, replacing.base)) {
      return stale(step, `the entry point of ${replacing.phase} moved since the plan was made`);
    }
    live.push({ replacing, before });
  }
  const old = await readOldObject(access.client, plan.scope, step.target);
  if (old === null) {
    return { kind: 'skipped', step: step.id, reason: goneReason(step) };
  }
  if (objectDigest(old) !== step.digest) {
    return stale(step, 'it changed since the plan was made');
  }
  if (access.kind === 'dry-run') {
    return { kind: 'skipped', step: step.id, reason: 'dry run: 1 to delete', toWrite: 1 };
  }
  await run.journal.record({
    kind: 'intent',
    step: step.id,
    write: { kind: `delete-${step.target.kind}`, id: step.target.id },
    base: step.before,
  });
  const result = await deleteObject(step, run);
  if (result.kind === 'kept') {
    const { error, failure } = result;
    const isInDoubt = failure.effect.kind === 'in-doubt';
    const lost = await record(step, run, failure.effect, {
      kind: 'failed',
      step: step.id,
      message: failure.message,
      landed: false,
      ...(isInDoubt ? { inDoubt: true } : {}),
    });
    if (lost !== null) {
      return lost;
    }
    if (error.code === 'api/aborted' && !isInDoubt) {
      return stopped(step.id, 0, INTERRUPTED);
    }
    return isKept(step, error)
      ? { kind: 'skipped', step: step.id, reason: `left: the service keeps it (${error.message})` }
      : failureOutcome(step.id, failure, 0);
  }
  const landed = { kind: 'landed', version: null } as const;
  const lost = await record(step, run, landed, { ...landed, step: step.id });
  return lost ?? checkEntrypoints(step, run, live);
}

/** Records the result of a deletion. Returns null, or the outcome when the journal cannot be written: the run does not go on without it. */
async function record(
  step: RetireStep,
  { journal }: RetirementRun,
  effect: WriteEffect,
  entry: JournalEntry,
): Promise<Outcome | null> {
  try {
    await journal.record(entry);
    return null;
  } catch (error) {
    return failureOutcome(step.id, unrecorded(error, effect), 0);
  }
}

function goneReason({ target }: RetireStep): string {
  return target.kind === 'filter' ? 'it went with its rule' : 'it is gone already';
}

function stale(step: RetireStep, message: string): Outcome {
  return { kind: 'refused', step: step.id, code: 'apply/stale', message, hint: STALE_HINT, writes: 0 };
}
