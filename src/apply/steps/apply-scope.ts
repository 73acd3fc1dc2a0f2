import type { Outcome, PlannedScope } from '../../model/index.ts';
import { isAchieved } from '../../model/index.ts';
import { hideInOutcome, byUrgency } from '../../plan/index.ts';
import type { ScopeRun } from '../write/scope-run.ts';
import type { Stop } from '../write/write-failure.ts';
import { INTERRUPTED, stopped } from '../write/write-failure.ts';
import type { StepRun, StepState } from './step-run.ts';
import { PLAN_MISMATCH } from './mismatch-outcome.ts';
import { advance, openStep } from './step-run.ts';

/**
 * Carries out the steps of one scope, write by write. Among the steps whose dependencies have ended, the one whose next write strengthens protection
 * most goes first, across rulesets. A refused step stops only the steps that depend on it, unless it shows that the plan does not describe live; a
 * failed step or a conflict stops the whole scope, because it is then unknown why the service did not do as asked. Returns the outcomes in the order
 * of the plan.
 */
export async function applyScope(
  plan: PlannedScope,
  run: ScopeRun,
  /** The steps that need a list which was not made or filled, each with that list's step. */
  inVain: ReadonlyMap<string, string> = new Map(),
): Promise<readonly Outcome[]> {
  const steps = plan.steps.map((step) => openStep(step, run));
  const states = new Map<string, StepState>(steps.map(({ step }) => [step.id, { kind: 'waiting' }]));
  const settle = (step: StepRun, ended: StepState): void => {
    const state = withoutSecrets(ended, step);
    states.set(step.step.id, state);
    if (state.kind === 'ended') {
      run.report({ kind: 'step-ended', outcome: state.outcome });
    }
  };
  for (;;) {
    const open = steps.filter(({ step }) => states.get(step.id)?.kind !== 'ended');
    const stop = reasonToStop(states, run);
    for (const step of open) {
      const why = stop ?? blockedBy(step, states) ?? lacking(inVain.get(step.step.id));
      if (why !== null) {
        const state = states.get(step.step.id);
        const writes = state?.kind === 'running' ? state.done : 0;
        settle(step, { kind: 'ended', outcome: stopped(step.step.id, writes, why) });
      }
    }
    const next = nextOf(steps, states);
    const state = next === undefined ? undefined : states.get(next.step.id);
    if (next === undefined || state === undefined || state.kind === 'ended') {
      return steps.flatMap(({ step }) => {
        const state = states.get(step.id);
        return state?.kind === 'ended' ? [state.outcome] : [];
      });
    }
    settle(next, await advance(next, state, run));
  }
}

function withoutSecrets(state: StepState, { step }: StepRun): StepState {
  return state.kind === 'ended' ? { ...state, outcome: hideInOutcome(state.outcome, step) } : state;
}

type States = ReadonlyMap<string, StepState>;

function reasonToStop(states: States, { signal }: ScopeRun): Stop | null {
  for (const [id, state] of states) {
    const outcome = state.kind === 'ended' ? state.outcome : null;
    const kind = outcome?.kind;
    if (outcome?.kind === 'refused' && outcome.code === PLAN_MISMATCH) {
      return { kind: 'because', reason: `${id} shows that the plan cannot be trusted` };
    }
    if (kind === 'failed' || kind === 'conflict') {
      return { kind: 'because', reason: `${id} ${kind === 'failed' ? 'failed' : 'met a conflict'}` };
    }
  }
  return signal?.aborted === true ? INTERRUPTED : null;
}

/** Returns the reason to skip a step when a step that it depends on ended without being done; otherwise null. */
function blockedBy({ step }: StepRun, states: States): Stop | null {
  const blocker = step.after.find((id) => {
    const state = states.get(id);
    return state?.kind === 'ended' && !isAchieved(state.outcome);
  });
  return lacking(blocker);
}

function lacking(step: string | undefined): Stop | null {
  return step === undefined ? null : { kind: 'because', reason: `it needs ${step}, which was not done` };
}

/** Returns the step with the most urgent next write among those whose dependencies have ended; ties keep the order of the plan. */
function nextOf(steps: readonly StepRun[], states: States): StepRun | undefined {
  return steps
    .filter(({ step }) => states.get(step.id)?.kind !== 'ended')
    .filter(({ step }) => step.after.every((id) => (states.get(id) ?? ENDED).kind === 'ended'))
    .map((step) => ({ step, urgency: urgencyOf(step, states) }))
    .sort((a, b) => byUrgency(a.urgency, b.urgency))[0]?.step;
}

/** State of a dependency that belongs to another run, which cannot be waited for. */
const ENDED = { kind: 'ended' } as const;

function urgencyOf({ step, writes }: StepRun, states: States) {
  const state = states.get(step.id);
  return writes[state?.kind === 'running' ? state.done : 0]?.urgency ?? 'neutral';
}
