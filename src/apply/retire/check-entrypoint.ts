import { orElse, ServiceError } from '../../api/service-error.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { RetireStep } from '../../model/retirement.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { isAtBase } from '../../model/base.ts';
import { insisting, lookUp } from '../base/look-up.ts';
import { STALE_HINT } from '../base/stale.ts';
import { failureOutcome, failureOf } from '../base/write-failure.ts';
import { restoreEntrypoint } from './restore-entrypoint.ts';
import type { RetirementRun } from './retirement-run.ts';

/** Reads the entry point again after a deletion, and restores what the deletion changed in it. */
export async function checkEntrypoint(
  step: RetireStep,
  run: RetirementRun,
  before: LiveRuleset | null,
): Promise<Outcome> {
  const now = await orElse(readEntrypoint(run, 'insist'), (error) => error);
  if (now instanceof ServiceError) {
    const message = `It was deleted, but the entry point could not be read after it: ${now.message}`;
    return failureOutcome(step.id, { ...failureOf(now), message }, 1);
  }
  if (isAtBase(now, run.plan.base)) {
    return { kind: 'done', step: step.id, version: null, writes: 1 };
  }
  const restored =
    before === null
      ? { message: 'there was none, and now there is', hint: STALE_HINT }
      : await restoreEntrypoint(run, before, now);
  return {
    kind: 'conflict',
    step: step.id,
    message: `the entry point of ${run.plan.phase} changed when it was deleted: ${restored.message}`,
    hint: restored.hint,
    writes: 1,
  };
}

/** Reads the entry point that has taken over from what is retired; null when there is none. */
export function readEntrypoint(
  { plan, access }: RetirementRun,
  urgency: 'insist' | 'usual' = 'usual',
): Promise<LiveRuleset | null> {
  const client = urgency === 'insist' ? insisting(access.client) : access.client;
  const { scope, phase, base } = plan;
  return lookUp(client, scope, { kind: 'ruleset', level: 'zone', phase, name: '' }, base);
}
