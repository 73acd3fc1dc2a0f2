import type { ReadClient } from '../api/client.ts';
import { ServiceError } from '../api/service-error.ts';
import type { Outcome } from '../model/outcome.ts';
import type { PlannedScope } from '../model/plan.ts';
import type { Cause } from '../model/source.ts';
import { hideInOutcome } from '../plan/hide-in-outcome.ts';
import { liveDifference } from '../plan/live-difference.ts';
import { addressKey } from '../plan/plan-scope.ts';
import { addressOf, stepId } from '../plan/plan-ruleset.ts';
import type { Restoration } from '../plan/reverse/restore-scope.ts';
import { restoreScope } from '../plan/reverse/restore-scope.ts';
import { lookUp } from './look-up.ts';
import type { Trail } from './trail.ts';
import { authorshipOf } from './trail.ts';
import { failureOf, undoneOutcome } from './undone.ts';

/** How a scope goes back to what it was. */
export interface WayBack {
  /** Null when nothing is to be put back. */
  readonly plan: PlannedScope | null;
  /** Rulesets that cannot be put back, and why. */
  readonly outcomes: readonly Outcome[];
}

/**
 * Plans the way back of what a run has written in one scope. Rulesets that somebody else has touched since
 * are left alone and told. Where something comes back under a new id, the other rulesets of the plan are
 * read as well, for rules that name it.
 */
export async function planWayBack(
  plan: PlannedScope,
  trails: readonly Trail[],
  client: ReadClient,
): Promise<WayBack> {
  const outcomes: Outcome[] = [];
  const restorations: Restoration[] = [];
  for (const trail of trails) {
    const { step, before } = trail;
    await tellingFailure(step.id, outcomes, async () => {
      const found = await authorshipOf(trail, client, plan.scope);
      if (found.kind === 'others') {
        outcomes.push(hideInOutcome(touched(trail, found.live), step));
      } else if (found.kind === 'ours') {
        restorations.push({ address: addressOf(step.target), before, live: found.live });
      }
    });
  }
  if (restorations.some(bringsBack)) {
    const seen = new Set(trails.map(({ step }) => addressKey(addressOf(step.target))));
    for (const { target, base } of plan.bases.filter((one) => !seen.has(addressKey(addressOf(one.target))))) {
      const address = addressOf(target);
      await tellingFailure(stepId(plan.scope, address), outcomes, async () => {
        const live = await lookUp(client, plan.scope, target, base);
        restorations.push({ address, before: live, live });
      });
    }
  }
  if (restorations.length === 0) {
    return { plan: null, outcomes };
  }
  const back = restoreScope({ scope: plan.scope, rulesets: restorations, catalogue: [], cause: CAUSE });
  if (back.kind === 'failed') {
    const { code, message } = back.error;
    const failed = trails.map(({ step }): Outcome => ({
      kind: 'failed',
      step: step.id,
      code,
      message,
      writes: 0,
    }));
    return { plan: null, outcomes: failed };
  }
  const { tokenEnv } = plan;
  return { plan: { ...back, ...(tokenEnv === undefined ? {} : { tokenEnv }) }, outcomes };
}

const CAUSE: Cause = { file: 'rollback', line: 1, column: 1 };

/** Whether rules or the whole ruleset come back under a new id. */
function bringsBack({ before, live }: Restoration): boolean {
  const alive = new Set(live?.rules.map((rule) => rule.id));
  return before !== null && (live === null || before.rules.some((rule) => !alive.has(rule.id)));
}

function touched({ step, left }: Trail, live: Restoration['live']): Outcome {
  return {
    kind: 'refused',
    step: step.id,
    code: 'apply/touched',
    message: 'was not put back: somebody else has written to it since',
    hint: 'rulewright versions shows what there was, and rulewright rollback goes back to one',
    writes: 0,
    difference: liveDifference(left, live),
  };
}

/** Does what reads; what the service or the way to it does is told of the step. */
async function tellingFailure(step: string, outcomes: Outcome[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const failure = failureOf(error);
    outcomes.push(
      undoneOutcome(
        step,
        { ...failure, message: `was not put back: live could not be read. ${failure.message}` },
        0,
      ),
    );
  }
}
