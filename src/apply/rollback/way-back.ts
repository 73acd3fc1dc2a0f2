import type { ReadClient } from '../../api/index.ts';
import { serviceErrorOf } from '../../api/index.ts';
import type { Outcome, PlannedScope, Scope, Cause } from '../../model/index.ts';
import { hideInOutcome, liveDifference, addressOf, restoreScope } from '../../plan/index.ts';
import { isAtBase, addressKey, baseOf, stepId } from '../../model/index.ts';
import type { Restoration } from '../../plan/index.ts';
import { conflictHint, conflictText } from '../write/conflict.ts';
import { lookUp } from '../base/look-up.ts';
import type { Authorship, Trail } from '../write/scope-run.ts';
import { authorshipOf } from '../write/scope-run.ts';
import type { WriteEffect } from '../write/write-failure.ts';
import { IN_DOUBT_HINT, NO_EFFECT, failureOf, failureOutcome } from '../write/write-failure.ts';

/** How a scope goes back to what it was before the run. */
export interface WayBack {
  /** The plan that puts rulesets back; null when there are none to put back. */
  readonly plan: PlannedScope | null;
  /** Outcomes of the rulesets that cannot be put back. */
  readonly outcomes: readonly Outcome[];
  /** Ids of steps that have a write in doubt, although their rulesets are put back or unchanged. */
  readonly inDoubt: readonly string[];
}

/**
 * Plans how to put back what a run has written in one scope. Rulesets that somebody else has touched since are left alone and reported. If something
 * comes back under a new id, the other rulesets of the plan are read as well, for rules that refer to it.
 */
export async function planWayBack(
  plan: PlannedScope,
  trails: readonly Trail[],
  client: ReadClient,
): Promise<WayBack> {
  const outcomes: Outcome[] = [];
  const restorations: Restoration[] = [];
  const wanted: string[] = [];
  const doubtful: string[] = [];
  for (const trail of trails) {
    const { step, before, inFlight } = trail;
    const effect = inFlight?.effect.kind === 'in-doubt' ? inFlight.effect : NO_EFFECT;
    const tell = { step: step.id, outcomes, effect };
    await tellingFailure(tell, async () => {
      const { authorship, inDoubt } = await authorshipOf(trail, client, plan.scope);
      if (authorship.kind === 'others') {
        outcomes.push(hideInOutcome(touched({ trail, scope: plan.scope, authorship, inDoubt }), step));
        return;
      }
      if (authorship.kind === 'ours') {
        restorations.push({ address: addressOf(step.target), before, live: authorship.live });
        wanted.push(step.id);
      }
      if (inDoubt) {
        doubtful.push(step.id);
      }
    });
  }
  if (restorations.some(bringsBack)) {
    const seen = new Set(trails.map(({ step }) => addressKey(addressOf(step.target))));
    for (const { target, base } of plan.bases.filter((one) => !seen.has(addressKey(addressOf(one.target))))) {
      const address = addressOf(target);
      const tell = { step: stepId(plan.scope, address), outcomes, effect: NO_EFFECT };
      await tellingFailure(tell, async () => {
        const live = await lookUp(client, plan.scope, target, base);
        restorations.push({ address, before: live, live });
      });
    }
  }
  if (restorations.length === 0) {
    return { plan: null, outcomes, inDoubt: doubtful };
  }
  const back = restoreScope({ scope: plan.scope, rulesets: restorations, catalogue: [], cause: CAUSE });
  if (back.kind === 'failed') {
    const { code, message } = back.error;
    const failed = wanted.map((step): Outcome => ({ kind: 'failed', step, code, message, writes: 0 }));
    return { plan: null, outcomes: [...outcomes, ...failed], inDoubt: doubtful };
  }
  return { plan: { ...back, tokenEnv: plan.tokenEnv }, outcomes, inDoubt: doubtful };
}

const CAUSE: Cause = { file: 'rollback', line: 1, column: 1 };

/** Whether rules or the whole ruleset come back under a new id. */
function bringsBack({ before, live }: Restoration): boolean {
  const alive = new Set(live?.rules.map((rule) => rule.id));
  return before !== null && (live === null || before.rules.some((rule) => !alive.has(rule.id)));
}

interface Touched {
  readonly trail: Trail;
  readonly scope: Scope;
  readonly authorship: Extract<Authorship, { readonly kind: 'others' }>;
  readonly inDoubt: boolean;
}

/** Returns the outcome for a ruleset that somebody else changed too: a conflict when something of theirs was lost, may be, or cannot be known. */
function touched({ trail: { step, left }, scope, authorship, inDoubt }: Touched): Outcome {
  const { live, history } = authorship;
  const lost = history?.others.some((other) => other.lost.length > 0) === true;
  if (history !== null && (inDoubt || lost || history.unread.length > 0)) {
    const { others, unread } = history;
    return {
      kind: 'conflict',
      step: step.id,
      message: `was not put back: ${inDoubt ? `${IN_DOUBT}. Meanwhile ` : ''}${conflictText(history)}`,
      hint: conflictHint({ scope, target: step.target, history }),
      writes: 0,
      ...(inDoubt ? { inDoubt } : {}),
      others,
      ...(unread.length === 0 ? {} : { unread }),
    };
  }
  return {
    kind: 'refused',
    step: step.id,
    code: 'apply/touched',
    message: isAtBase(live, baseOf(left))
      ? `was not put back: ruleset ${live?.id} is not what this run made, although the service answered with its id`
      : 'was not put back: somebody else has written to it since',
    hint: 'rulewright versions shows what there was, and rulewright rollback goes back to one',
    writes: 0,
    difference: liveDifference(left, live),
  };
}

const IN_DOUBT = 'no answer came to a write of this run, which may still land';

/** Returns the outcomes of a rollback, in which no step with a write in doubt is said to be as before. */
export function tellDoubt(outcomes: readonly Outcome[], doubtful: readonly string[]): readonly Outcome[] {
  const seen = new Set(outcomes.map(({ step }) => step));
  const doubt = (step: string, is: string, writes: number): Outcome => ({
    kind: 'failed',
    step,
    code: 'apply/in-doubt',
    message: `${is}, but ${IN_DOUBT}`,
    hint: IN_DOUBT_HINT,
    writes,
    inDoubt: true,
  });
  return [
    ...outcomes.map((outcome) =>
      outcome.kind === 'done' && doubtful.includes(outcome.step)
        ? doubt(outcome.step, `was put back to version ${outcome.version}`, outcome.writes)
        : outcome,
    ),
    ...doubtful.filter((step) => !seen.has(step)).map((step) => doubt(step, 'is as it was before', 0)),
  ];
}

/** Where a failed read is reported. */
interface FailedReadReport {
  readonly step: string;
  readonly outcomes: Outcome[];
  /** Effect of the last write of the step, as far as it is known. */
  readonly effect: WriteEffect;
}

/** Does work that reads; reports a failure of the service, or on the way to it, as the outcome of the step. */
async function tellingFailure(
  { step, outcomes, effect }: FailedReadReport,
  work: () => Promise<void>,
): Promise<void> {
  const error = await serviceErrorOf(work());
  if (error !== null) {
    const message = `was not put back: live could not be read. ${error.message}`;
    outcomes.push(failureOutcome(step, { ...failureOf(error), message, effect }, 0));
  }
}
