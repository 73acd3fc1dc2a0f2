import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { listRulesets, ServiceError } from '../../api/index.ts';
import type {
  Outcome,
  PlannedScope,
  Step,
  LiveRulesetHead,
  LiveRuleset,
  Base,
  LiveDifference,
  Scope,
} from '../../model/index.ts';
import {
  hideInOutcome,
  deviations,
  expectAfter,
  differenceFromStep,
  liveDifference,
  writesOf,
} from '../../plan/index.ts';
import { isAtBase } from '../../model/index.ts';
import type { Write } from '../../plan/index.ts';
import { failureOf, failureOutcome } from '../write/write-failure.ts';
import { lookUp, readBase } from './look-up.ts';
import type { MadeIds } from './name-created.ts';
import { NOTHING_MADE, withMade, nameCreated } from './name-created.ts';

/** What it means for a step that its ruleset is no longer at the step's base. */
export type MovedBase =
  /** Live already is what the step would make, whoever wrote it. */
  | { readonly kind: 'already' }
  | { readonly kind: 'stale'; readonly message: string; readonly difference: LiveDifference };

/** Hint for a stale plan. */
export const STALE_HINT = 'plan again, review the difference, then apply';

/** Returns the outcome of a step whose plan is stale; it has written nothing. */
export function staleOutcome(
  { id }: Step,
  { message, difference }: Extract<MovedBase, { readonly kind: 'stale' }>,
): Outcome {
  return {
    kind: 'refused',
    step: id,
    code: 'apply/stale',
    message,
    hint: STALE_HINT,
    writes: 0,
    difference,
  };
}

/** A step, and the live ruleset that it finds. */
export interface MovedTask {
  readonly client: ReadClient;
  readonly scope: Scope;
  readonly step: Step;
  readonly live: LiveRuleset | null;
  /** Ids of what this run has made so far. */
  readonly made: MadeIds;
}

/**
 * Judges what changed since the plan was made. A saved plan that was carried out before, perhaps by a run that crashed, finds its own work, and is
 * not stale.
 */
export async function judgeMoved(task: MovedTask): Promise<MovedBase> {
  const { client, scope, step, live } = task;
  const base = await readBase(client, scope, step.base);
  if (isAlready(task, base)) {
    return { kind: 'already' };
  }
  return {
    kind: 'stale',
    message: `live moved since the plan was made: it was ${baseText(step.base)}, it is ${versionText(live)}`,
    difference: differenceSince(step, base, live),
  };
}

/** Returns what changed in live since a step's base; `base` is the ruleset at that version, null when it can no longer be read. */
export function differenceSince(
  step: Step,
  base: LiveRuleset | null,
  live: LiveRuleset | null,
): LiveDifference {
  return base === null && step.base.kind === 'version'
    ? differenceFromStep(step, live)
    : liveDifference(base, live);
}

function isAlready({ step, live, made }: MovedTask, base: LiveRuleset | null): boolean {
  if (step.operation === 'delete' || live === null) {
    return step.operation === 'delete' && live === null;
  }
  if (base === null && step.operation === 'update') {
    return false;
  }
  const [whole]: readonly (Write | undefined)[] = writesOf(step, 'ruleset');
  const expected =
    whole === undefined ? null : expectAfter(base, nameCreated(whole, step.target.phase, made));
  return expected !== null && deviations(expected, live).length === 0;
}

function baseText(base: Base): string {
  return base.kind === 'version' ? `version ${base.version}` : 'absent';
}

function versionText(live: LiveRuleset | null): string {
  return live === null ? 'absent' : `version ${live.version}`;
}

/** A scope of a plan, with the client that reads it. */
export interface ReadScope {
  readonly plan: PlannedScope;
  readonly client: ReadClient;
}

/**
 * Checks before anything is written that every ruleset of a plan still is what the plan was made from, or already what the plan makes, since a saved
 * plan may be old. Returns null when all are, otherwise the outcomes of a run that does nothing. A scope's list shows the versions of all its
 * rulesets; a single ruleset is read itself, which costs the same. Only its own GET proves that an entry point is still absent.
 */
export async function checkBases(
  scopes: readonly ReadScope[],
  concurrency: number,
): Promise<readonly Outcome[] | null> {
  const checked = await checkSteps(scopes, concurrency);
  return checked.every(({ outcome }) => outcome === null)
    ? null
    : checked.map(
        ({ step, outcome }) => outcome ?? { kind: 'not-reached', step: step.id, reason: NOTHING_WRITTEN },
      );
}

/** What has become of steps that another plan replaces: live matches them already, or their rulesets have changed. Others have no outcome. */
export async function outcomesSince(
  scopes: readonly ReadScope[],
  concurrency: number,
): Promise<readonly Outcome[]> {
  const checked = await checkSteps(scopes, concurrency);
  return checked.flatMap(({ step, outcome, isDone }): readonly Outcome[] =>
    isDone
      ? [{ kind: 'skipped', step: step.id, reason: 'live already matches what was reviewed' }]
      : outcome?.kind === 'refused'
        ? [outcome]
        : [],
  );
}

/** Whether live already matches every step of these scopes. Reads no further scopes after one that does not match. */
export async function areDone(scopes: readonly ReadScope[], concurrency: number): Promise<boolean> {
  const limit = pLimit(concurrency);
  let done = true;
  const look = async (scope: ReadScope): Promise<void> => {
    const isDone = done && (await checkScope(scope)).every((checked) => checked.isDone);
    done &&= isDone;
  };
  await limit.map(scopes, look);
  return done;
}

async function checkSteps(
  scopes: readonly ReadScope[],
  concurrency: number,
): Promise<readonly CheckedStep[]> {
  const limit = pLimit(concurrency);
  const checked = await limit.map(scopes, checkScope);
  return checked.flat();
}

const NOTHING_WRITTEN = 'nothing of a saved plan is written if one of its rulesets changed or cannot be read';

interface CheckedStep {
  readonly step: Step;
  /** The outcome that prevents carrying out the plan; null when nothing does. */
  readonly outcome: Outcome | null;
  /** Whether live already matches the step. */
  readonly isDone: boolean;
}

async function checkScope(scope: ReadScope): Promise<readonly CheckedStep[]> {
  const { steps } = scope.plan;
  const checked: CheckedStep[] = [];
  let made = NOTHING_MADE;
  try {
    const heads = steps.length === 1 ? null : await listRulesets(scope.client, scope.plan.scope);
    for (const step of steps) {
      const found = heads !== null && isListedAtBase(heads, step) ? AT_BASE : await look(scope, step, made);
      made = found.made ?? made;
      const outcome = found.outcome === null ? null : hideInOutcome(found.outcome, step);
      checked.push({ step, outcome, isDone: found.made !== undefined });
    }
    return checked;
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    // Only the step that could not be read carries the error; the steps after it were not read.
    const [first, ...rest] = steps.slice(checked.length);
    return [
      ...checked,
      ...(first === undefined ? [] : [{ step: first, outcome: unread(first, error), isDone: false }]),
      ...rest.map((step) => ({ step, outcome: null, isDone: false })),
    ];
  }
}

interface BaseCheck {
  readonly outcome: Outcome | null;
  /** Ids of what the run has made up to this step; set only when live already matches the step. */
  readonly made?: MadeIds;
}

const AT_BASE: BaseCheck = { outcome: null };

/**
 * Whether a list proves that a step's base has not moved. It shows every custom ruleset; an entry point missing from it may be one that the token may
 * not read.
 */
function isListedAtBase(heads: readonly LiveRulesetHead[], { base, target }: Step): boolean {
  if (base.kind === 'version') {
    return isAtBase(heads.find(({ id }) => id === base.id) ?? null, base);
  }
  return (
    target.level === 'custom' &&
    !heads.some(
      ({ kind, phase, name }) => kind === 'custom' && phase === target.phase && name === target.name,
    )
  );
}

async function look({ plan: { scope }, client }: ReadScope, step: Step, made: MadeIds): Promise<BaseCheck> {
  const live = await lookUp(client, scope, step.target, step.base);
  if (isAtBase(live, step.base)) {
    return AT_BASE;
  }
  const moved = await judgeMoved({ client, scope, step, live, made });
  if (moved.kind === 'already') {
    return { outcome: null, made: withMade(made, step, live) };
  }
  return { outcome: staleOutcome(step, moved) };
}

function unread({ id }: Step, error: ServiceError): Outcome {
  return error.code === 'api/aborted'
    ? { kind: 'not-reached', step: id, reason: 'the run was interrupted' }
    : failureOutcome(id, failureOf(error), 0);
}
