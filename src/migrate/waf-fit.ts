import type { ErrorCode, WafStep } from '../model/index.ts';

/** Whether a step fits the state of a zone. */
export type StepFit =
  | { readonly kind: 'take' }
  /** The step was taken before, and the service is working on it. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'done'; readonly message: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** What decides whether a step fits: the state as the service names it, and the plan level where it named one. */
export interface MigrationStage {
  readonly state: string;
  readonly plan: string | undefined;
}

/** Returns how a step fits a state (specification 3.1). No step fits a state that is not known here. */
export function fitOf(step: WafStep, { state, plan }: MigrationStage): StepFit {
  if (plan === 'free') {
    return refused(
      'waf/no-migration',
      'Free zones have no managed rules to migrate',
      'there is nothing to do',
    );
  }
  switch (state) {
    case 'start':
    case 'validation':
      return step === 'validate' && plan !== undefined && plan !== 'enterprise'
        ? refused(
            'waf/no-validation-mode',
            `validation mode is for Enterprise zones, and this one is ${plan}`,
            'rulewright waf finish goes straight to the new managed rules',
          )
        : { kind: 'take' };
    case 'pending':
      return step === 'finish'
        ? { kind: 'wait' }
        : refused(
            'waf/being-finished',
            'the migration is being finished, and there is no way back to validation mode',
            'rulewright waf finish waits for its end',
          );
    case 'complete':
      return { kind: 'done', message: 'the zone is migrated' };
    case 'default':
      return { kind: 'done', message: 'the zone never had the previous WAF: there is nothing to migrate' };
    default:
      return refused(
        'waf/unknown-state',
        `the service says that the migration is in the state ${JSON.stringify(state)}, which is not known here`,
        'nothing is done in a state that is not understood; look at the zone in the dashboard',
      );
  }
}

/** Whether only the migration is still to write the managed rules of a zone. */
export function awaitsMigration(state: string): boolean {
  return state === 'start' || state === 'validation' || state === 'pending';
}

/** Returns the command that a state asks for; null where nothing is left to do. */
export function nextCommand(state: string, zone: string): string | null {
  switch (state) {
    case 'start':
      return `rulewright waf check ${zone}`;
    case 'validation':
    case 'pending':
      return `rulewright waf finish ${zone}`;
    default:
      return null;
  }
}

function refused(code: ErrorCode, message: string, hint: string): StepFit {
  return { kind: 'refused', code, message, hint };
}
