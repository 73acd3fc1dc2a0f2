import type { DryRunClient, ReadClient } from '../../api/index.ts';
import { dryRun, updateRulesetRequest, hasStatus, ServiceError, hasServiceCode } from '../../api/index.ts';
import {
  contentFromWire,
  errorFacts,
  executedReference,
  isAtBase,
  rulesetReferences,
  splitReference,
  unmadeRule,
} from '../../model/index.ts';
import type { PlannedScope, Step, StepPreflight, Unchecked, LiveRuleset } from '../../model/index.ts';
import type { WriteStrategy, Write } from '../../plan/index.ts';
import { lookUp } from '../base/look-up.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import { refusalsOf } from '../write/refusals.ts';
import { dryRunWrite } from '../write/send-write.ts';
import { judgeMoved } from '../base/check-bases.ts';
import type { UntouchedRules } from '../write/scope-run.ts';
import { namesUntouchedRules, withUntouchedRules } from '../write/scope-run.ts';
import type { JsonObject } from '../../data/index.ts';
import { listsNamed, writesOf } from '../../plan/index.ts';

/** What a dry run can check of a step before anything of the plan is done, and what it cannot. */
interface PreflightCheck {
  /** The write to check: the only one of the step, or else one PUT of its final list; null when nothing can be checked. */
  readonly write: Write | null;
  readonly unchecked: readonly Unchecked[];
}

/** Returns how to check a step, without the parts that depend on something that this plan has yet to create or delete. */
function checkOf(step: Step, strategy: WriteStrategy, unmadeLists: ReadonlySet<string>): PreflightCheck {
  if (step.operation === 'delete' && step.after.length > 0) {
    return { write: null, unchecked: [{ reason: 'rules that name this ruleset go first' }] };
  }
  const single = writesOf(step, strategy);
  const [write] = single.length === 1 ? single : writesOf(step, 'ruleset');
  return write === undefined
    ? { write: null, unchecked: [] }
    : withoutUnmade(write, { outdated: executing(step), unmade: (rule) => unmade(rule, unmadeLists) });
}

/** Returns the ids of changed live rules that execute a ruleset: unchanged, they would clash with another rule that takes over that ruleset. */
function executing({ changes }: Step): ReadonlySet<string> {
  return new Set(
    changes.flatMap((change) =>
      change.kind === 'patch' && executedReference(change.before) !== undefined ? [change.id] : [],
    ),
  );
}

/** What cannot be checked yet, and the live rules that must not stay as they are meanwhile. */
interface Unmade {
  readonly outdated: ReadonlySet<string>;
  /** Returns what a rule names that this plan makes first; undefined when there is nothing. */
  readonly unmade: (rule: JsonObject) => string | undefined;
}

function withoutUnmade(write: Write, means: Unmade): PreflightCheck {
  switch (write.kind) {
    case 'create-ruleset': {
      const { rules, unchecked } = keepMade(write.rules, means);
      return { write: { ...write, rules }, unchecked };
    }
    case 'put-ruleset': {
      const { rules, unchecked } = keepMade(write.rules ?? [], means);
      return { write: write.rules === null ? write : { ...write, rules }, unchecked };
    }
    case 'add-rule':
    case 'patch-rule': {
      const needs = write.rule === null ? undefined : means.unmade(write.rule);
      return needs === undefined || write.rule === null
        ? { write, unchecked: [] }
        : { write: null, unchecked: [notMade(write.rule, needs)] };
    }
    default:
      return { write, unchecked: [] };
  }
}

/**
 * Replaces the rules that cannot be checked yet: a new rule is left out, a live rule is left as it is, or left out if its present content would stand
 * in the way of other rules (`outdated`).
 */
function keepMade(
  rules: readonly JsonObject[],
  { outdated, unmade: needed }: Unmade,
): {
  readonly rules: readonly JsonObject[];
  readonly unchecked: readonly Unchecked[];
} {
  const unchecked: Unchecked[] = [];
  const kept = rules.flatMap((rule): readonly JsonObject[] => {
    const needs = needed(rule);
    if (needs === undefined) {
      return [rule];
    }
    unchecked.push(notMade(rule, needs));
    const { id } = rule;
    return typeof id !== 'string' || outdated.has(id) ? [] : [{ id }];
  });
  return { rules: kept, unchecked };
}

/** Returns a rule's reference to a custom ruleset, a rule or a list that is not there yet; undefined when there is none. */
function unmade(rule: JsonObject, lists: ReadonlySet<string>): string | undefined {
  const content = contentFromWire(rule);
  const list = lists.size === 0 ? undefined : [...listsNamed(content)].find((name) => lists.has(name));
  return (
    rulesetReferences(content).find((reference) => splitReference(reference)[0] === 'custom') ??
    unmadeRule(rule) ??
    (list === undefined ? undefined : `the list ${list}`)
  );
}

function notMade({ ref }: JsonObject, needs: string): Unchecked {
  return {
    ...(typeof ref === 'string' ? { rule: ref } : {}),
    reason: `it names ${needs}, which this plan makes first`,
  };
}

/** Service error codes for too many rules in a phase, and for too many rulesets (api.md 1.6). */
const [TOO_MANY_RULES, TOO_MANY_RULESETS] = [50001, 20217];

/**
 * Returns the ids of earlier steps that free room in the quota for which a step was refused: they delete rules of the same phase, which count
 * together (api.md 8.1), or a custom ruleset. Until they are done, such a refusal is meaningless. Empty for other refusals.
 */
function roomMakers(step: Step, plan: PlannedScope, refusal: ServiceError): readonly string[] {
  const { phase, level } = step.target;
  const makesRoom = (other: Step): boolean =>
    hasServiceCode(refusal, TOO_MANY_RULES)
      ? other.target.phase === phase && other.changes.some((change) => change.kind === 'delete')
      : hasServiceCode(refusal, TOO_MANY_RULESETS) &&
        level === 'custom' &&
        other.target.level === 'custom' &&
        other.operation === 'delete';
  const place = plan.steps.findIndex((other) => other.id === step.id);
  return plan.steps
    .slice(0, place)
    .filter(makesRoom)
    .map((other) => other.id);
}

/** State shared by the checks of all steps. */
export interface PreflightRun {
  readonly strategy: WriteStrategy;
  /** The names of the lists that the plan has yet to make, by account. */
  readonly unmadeLists: ReadonlyMap<string, ReadonlySet<string>>;
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
  const { plan, step, run } = task;
  const { write, unchecked } = checkOf(
    step,
    run.strategy,
    run.unmadeLists.get(plan.scope.accountId) ?? new Set(),
  );
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

interface RefusedDryRun {
  readonly error: ServiceError;
  readonly write: Write;
}

/**
 * Returns the refusal of a write, or null. The first PUT that names untouched rules by id alone also shows whether the service accepts that: it does
 * if the PUT passes; if the PUT is refused, a dry run of the unchanged list decides.
 */
async function refusalOf(task: StepCheck, write: Write): Promise<RefusedDryRun | null> {
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
