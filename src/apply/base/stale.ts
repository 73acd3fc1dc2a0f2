import type { ReadClient } from '../../api/client.ts';
import type { Step } from '../../model/plan.ts';
import type { Base } from '../../model/base.ts';
import type { LiveDifference } from '../../model/live-difference.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import { deviations, expectAfter } from '../../plan/requests/expect.ts';
import { differenceFromStep, liveDifference } from '../../plan/difference/live-difference.ts';
import type { Write } from '../../plan/requests/writes.ts';
import { writesOf } from '../../plan/requests/writes.ts';
import { readBase } from './look-up.ts';
import type { MadeIds } from './name-created.ts';
import { nameCreated } from './name-created.ts';

/** What it means for a step that its ruleset is no longer at the step's base. */
export type Moved =
  /** Live already is what the step would make, whoever wrote it. */
  | { readonly kind: 'already' }
  | { readonly kind: 'stale'; readonly message: string; readonly difference: LiveDifference };

/** Hint for a stale plan. */
export const STALE_HINT = 'plan again, review the difference, then apply';

/** Returns the outcome of a step whose plan is stale; it has written nothing. */
export function staleOutcome(
  { id }: Step,
  { message, difference }: Extract<Moved, { readonly kind: 'stale' }>,
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
export async function judgeMoved(task: MovedTask): Promise<Moved> {
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
