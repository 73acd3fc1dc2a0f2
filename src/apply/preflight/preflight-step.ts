import type { DryRunClient, ReadClient } from '../../api/client.ts';
import { dryRun } from '../../api/dry-run.ts';
import { updateRulesetRequest } from '../../api/ruleset-requests.ts';
import { hasStatus, ServiceError } from '../../api/service-error.ts';
import { errorFacts } from '../../model/error.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { StepPreflight } from '../../model/preflight.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { WriteStrategy, Write } from '../../plan/requests/writes.ts';
import { isAtBase } from '../../model/base.ts';
import { lookUp } from '../base/look-up.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import { checkOf, roomMakers } from './preflight-check.ts';
import { refusalsOf } from '../write/refusals.ts';
import { dryRunWrite } from '../write/send-write.ts';
import { judgeMoved } from '../base/stale.ts';
import type { UntouchedRules } from '../write/untouched-rules.ts';
import { namesUntouchedRules, withUntouchedRules } from '../write/untouched-rules.ts';

/** State shared by the checks of all steps. */
export interface PreflightRun {
  readonly strategy: WriteStrategy;
  /** How a PUT may name untouched rules; null until a dry run has shown it. */
  untouched: UntouchedRules | null;
  /** Set when a dry run has written; nothing more is sent after that. */
  wrote: boolean;
}

/** A step, with clients that can only read and send dry runs. */
export interface StepCheck {
  readonly plan: PlannedScope;
  readonly step: Step;
  readonly client: ReadClient;
  readonly check: DryRunClient;
  readonly run: PreflightRun;
}

/** How often a dry run is sent when the service does not answer; repeating it is safe, since it changes nothing. */
const ATTEMPTS = 3;

/** Has the service check one step. */
export async function preflightStep(task: StepCheck): Promise<StepPreflight> {
  const { step, run } = task;
  const { write, unchecked } = checkOf(step, run.strategy);
  if (write === null) {
    const reasons = unchecked.map(({ rule, reason }) => (rule === undefined ? reason : `${rule}: ${reason}`));
    return { kind: 'not-checked', step: step.id, code: 'depends', reason: reasons.join('; ') };
  }
  try {
    const refused = await refusalOf(task, write);
    if (refused === null) {
      return { kind: 'passed', step: step.id, unchecked };
    }
    const after = roomMakers(step, task.plan, refused.error);
    if (after.length > 0) {
      const reason = `the quota has no room before ${after.join(', ')}`;
      return { kind: 'passed', step: step.id, unchecked: [...unchecked, { reason }], after };
    }
    const live = await readLive(task);
    const stale = await staleness(task, live);
    return (
      stale ?? {
        kind: 'refused',
        step: step.id,
        refusals: refusalsOf(refused.error, refused.write, { step, live }),
        unchecked,
      }
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const { code, message, hint } = error;
    if (code === 'api/dry-run-wrote') {
      run.wrote = true;
      return { kind: 'wrote', step: step.id, message, hint: hint ?? '' };
    }
    if (code === 'api/aborted') {
      return { kind: 'not-checked', step: step.id, code: 'interrupted', reason: 'the run was interrupted' };
    }
    if (hasStatus(error, 401, 403)) {
      return { kind: 'not-checked', step: step.id, code: 'forbidden', reason: message, hint };
    }
    return { kind: 'failed', step: step.id, ...errorFacts(error) };
  }
}

interface Refused {
  readonly error: ServiceError;
  readonly write: Write;
}

/**
 * Returns the refusal of a write, or null. The first PUT that names untouched rules by id alone also shows whether the service accepts that: it does
 * if the PUT passes; if the PUT is refused, a dry run of the unchanged list decides.
 */
async function refusalOf(task: StepCheck, write: Write): Promise<Refused | null> {
  const { run } = task;
  const asks = namesUntouchedRules(write) && run.untouched === null;
  if (run.untouched !== 'whole' || !namesUntouchedRules(write)) {
    const error = await dryRunError(task, write, null);
    if (error === null && asks) {
      run.untouched = 'by-id';
    }
    if (error === null || !asks || (await takesIds(task))) {
      return error === null ? null : { error, write };
    }
  }
  const live = await readLive(task);
  const whole = withUntouchedRules(write, live, 'whole');
  const error = await dryRunError(task, whole, live);
  return error === null ? null : { error, write: whole };
}

/** Learns from a dry run of the unchanged list whether the service takes rules by id alone. */
async function takesIds(task: StepCheck): Promise<boolean> {
  const { run } = task;
  const live = await readLive(task);
  if (live === null || live.rules.length === 0) {
    return true;
  }
  const rules = live.rules.map(({ id }) => ({ id }));
  const error = await repeated(task, () =>
    dryRun(task.check, updateRulesetRequest(task.plan.scope, live.id, { rules })),
  );
  run.untouched = error === null ? 'by-id' : 'whole';
  return error === null;
}

function readLive({ client, plan, step }: StepCheck): Promise<LiveRuleset | null> {
  return lookUp(client, plan.scope, step.target, step.base);
}

function dryRunError(task: StepCheck, write: Write, live: LiveRuleset | null): Promise<ServiceError | null> {
  const place = { scope: task.plan.scope, phase: task.step.target.phase };
  return repeated(task, () => dryRunWrite(task.check, place, write, live));
}

/** Sends a dry run, again when it was lost; returns its refusal, null when it passes. Rejects when the service cannot be asked. */
async function repeated({ run }: StepCheck, send: () => Promise<void>): Promise<ServiceError | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send();
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        throw error;
      }
      if (isVerdict(error)) {
        return error;
      }
      if (attempt === ATTEMPTS || run.wrote || !mayRepeat(error)) {
        throw error;
      }
    }
  }
}

/** Whether a dry run was lost on its way: one that was answered, was stopped or never left is not sent again. */
function mayRepeat({ code, effect }: ServiceError): boolean {
  return effect === 'unknown' && code !== 'api/dry-run-wrote' && code !== 'api/aborted';
}

const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** Whether the service judged the write itself, not just the credentials or the delivery of the request. */
function isVerdict({ status, errors }: ServiceError): boolean {
  return status !== null && status >= 400 && status < 500 && !PASSING.has(status) && errors.length > 0;
}

/** Judges a refused step whose base moved, as the refusal may be due to somebody else's change: stale, or done already. Null if it did not move. */
async function staleness(
  { client, plan, step }: StepCheck,
  live: LiveRuleset | null,
): Promise<StepPreflight | null> {
  if (isAtBase(live, step.base)) {
    return null;
  }
  const moved = await judgeMoved({ client, scope: plan.scope, step, live, made: NOTHING_MADE });
  return moved.kind === 'already'
    ? { kind: 'passed', step: step.id, unchecked: [] }
    : { kind: 'stale', step: step.id, message: moved.message, difference: moved.difference };
}
