import { ServiceError } from '../api/service-error.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Step } from '../model/plan.ts';
import { slug } from '../model/slug.ts';
import type { Write } from '../plan/writes.ts';
import { writesOf } from '../plan/writes.ts';
import type { ScopeRun } from './context.ts';
import { isAtBase, lookUp } from './look-up.ts';
import { nameCreated } from './name-created.ts';
import type { Landed } from './perform-write.ts';
import { performWrite } from './perform-write.ts';

/**
 * Carries out one step: reads its base again and refuses when it moved, sends its writes one after the
 * other, and checks after each that the service now holds what was asked for. Never throws for what the
 * service or the way to it does.
 */
export async function applyStep(step: Step, run: ScopeRun): Promise<Outcome> {
  const planned = writesOf(step, run.strategy);
  run.report({ kind: 'step-started', step: step.id, writes: planned.length });
  let writes = 0;
  try {
    const live = await lookUp(run.access.client, run.scope, step.target, step.base);
    if (!isAtBase(live, step.base)) {
      return stale(step, live?.version ?? null);
    }
    if (run.access.kind === 'dry-run') {
      return { kind: 'skipped', step: step.id, reason: `dry run: ${planned.length} to write` };
    }
    let state: Landed = { kind: 'landed', ruleset: live };
    for (const write of planned) {
      if (writes > 0 && run.signal?.aborted === true) {
        return { ...failure(step, 'interrupted', writes), code: 'apply/interrupted' };
      }
      const named = nameCreated(write, step.target.phase, run.created);
      const result = await performWrite({
        step,
        write: named,
        before: state.ruleset,
        client: run.access.client,
        run,
      });
      if (result.kind !== 'landed') {
        return { ...result, step: step.id, writes };
      }
      writes += 1;
      state = result;
      remember(write, result, run);
    }
    return { kind: 'done', step: step.id, version: state.ruleset?.version ?? null, writes };
  } catch (error) {
    if (error instanceof ServiceError) {
      return failure(step, error.message, writes, error);
    }
    throw error;
  }
}

function remember(write: Write, landed: Landed, run: ScopeRun): void {
  if (write.kind === 'create-ruleset' && write.target.level === 'custom' && landed.ruleset !== null) {
    run.created.set(`${write.target.phase}/${slug(write.target.name)}`, landed.ruleset.id);
  }
}

function stale(step: Step, found: string | null): Outcome {
  const was = step.base.kind === 'version' ? `version ${step.base.version}` : 'absent';
  const now = found === null ? 'absent' : `version ${found}`;
  return {
    kind: 'refused',
    step: step.id,
    code: 'apply/stale',
    message: `live moved since the plan was made: it was ${was}, it is ${now}`,
    hint: 'plan again, review the difference, then apply',
    writes: 0,
  };
}

function failure(
  step: Step,
  message: string,
  writes: number,
  error?: ServiceError,
): Extract<Outcome, { kind: 'failed' }> {
  return {
    kind: 'failed',
    step: step.id,
    code: error?.code ?? 'apply/failed',
    message,
    ...(error?.hint === undefined ? {} : { hint: error.hint }),
    writes,
  };
}
