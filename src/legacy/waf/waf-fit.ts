import type { ErrorCode } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { MAX_EXPRESSION_LENGTH, MAX_RULES } from '../conversion.ts';
import type { WafStep, WafBlocker, WafOverrideView, WafCheck, WafStanding } from './waf-migration.ts';

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
function nextCommand(state: string, zone: string): string | null {
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

/** What decides whether a zone is eligible; null where it could not be read. */
export interface WafReadings {
  readonly zone: string;
  readonly compatible: boolean;
  readonly overrides: readonly WafOverrideView[] | null;
  /** Expressions of the active firewall rules that bypass the managed rules. */
  readonly bypasses: readonly string[] | null;
}

/** Returns what keeps a zone from migrating, each with its remedy (specification 3.1 rule 4, 3.2, 7.5). */
export function blockersOf({ zone, compatible, overrides, bypasses }: WafReadings): readonly WafBlocker[] {
  const count = overrides?.length ?? 0;
  const long = (bypasses ?? []).filter(
    (text) => new TextEncoder().encode(text).length > MAX_EXPRESSION_LENGTH,
  );
  const found: readonly WafBlocker[] = [
    ...(count > 0
      ? [
          {
            kind: 'overrides',
            message: `${counted(count, 'URI-based override')} of the old WAF`,
            remedy: `note what they do, then rulewright waf remove-overrides ${zone}; skip rules can do the same afterwards`,
          } as const,
        ]
      : []),
    ...((bypasses?.length ?? 0) > MAX_RULES
      ? [
          {
            kind: 'many-rules',
            message: `${bypasses?.length ?? 0} firewall rules to carry over, more than ${MAX_RULES}`,
            remedy: 'delete those that are not needed, or ask the support of the service',
          } as const,
        ]
      : []),
    ...(long.length > 0
      ? [
          {
            kind: 'long-expressions',
            message: `${counted(long.length, 'firewall rule has an expression', 'firewall rules have expressions')} over 4 KB`,
            remedy: 'shorten them, for example with a list, or ask the support of the service',
          } as const,
        ]
      : []),
  ];
  return compatible || found.length > 0
    ? found
    : [
        {
          kind: 'unknown',
          message: 'the service calls the zone not eligible and does not say why',
          remedy: 'look at the zone in the dashboard, or ask the support of the service',
        },
      ];
}

/** Returns the command that a zone's state asks for; null if nothing is left to do. */
export function wafNext(standing: WafStanding): string | null {
  return standing.kind === 'known' ? nextCommand(standing.status.state, standing.scope.name) : null;
}

/** Returns the command to run after a check; null if something prevents the migration, or nothing is left to do. */
export function wafNextAfterCheck({ standing, compatible, blockers }: WafCheck): string | null {
  if (standing.kind !== 'known' || blockers.length > 0) {
    return null;
  }
  const { state } = standing.status;
  const { name } = standing.scope;
  return compatible === true && state === 'start'
    ? `rulewright waf config ${name} --output zones/${name}-managed.yaml`
    : nextCommand(state, name);
}
