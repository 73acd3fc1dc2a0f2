import type { ReadClient } from '../api/client.ts';
import { openReadClient } from '../api/client.ts';
import { fitOf } from '../migrate/waf-fit.ts';
import type { PlannedScope } from '../model/plan.ts';
import type { Scope } from '../model/scope.ts';
import type { WafBlocker, WafOutcome, WafStatus, WafStep, WafStepResult } from '../model/waf-migration.ts';
import type { Report } from './events.ts';
import { openService } from './open-service.ts';
import type { ServiceOptions } from './service-options.ts';
import { checkZone } from './waf-check.ts';
import { readStatus } from './waf-zones.ts';

/** A step of the migration that is asked for: the reviewed files as a plan of the zone's managed rules. */
export interface WafStepOrder {
  readonly step: WafStep;
  readonly plan: PlannedScope;
}

/** Whether the step can be taken. */
export type Prepared =
  | { readonly kind: 'ready'; readonly before: WafStatus }
  /** It was taken before, and the service is at it. */
  | { readonly kind: 'running'; readonly before: WafStatus }
  | { readonly kind: 'ended'; readonly result: WafStepResult };

/** Reads whether the step fits the zone, and what stands in its way. Writes nothing. */
export async function prepareStep(
  { step, plan }: WafStepOrder,
  options: ServiceOptions,
  report: Report,
): Promise<Prepared> {
  const service = await openService(options, openReadClient, report);
  try {
    return await prepared({ step, plan }, service.client(plan.tokenEnv));
  } finally {
    await service.close();
  }
}

async function prepared({ step, plan }: WafStepOrder, client: ReadClient): Promise<Prepared> {
  const { scope } = plan;
  const check = await checkZone(client, scope);
  if (check.standing.kind !== 'known') {
    return ended(step, scope, null, {
      kind: 'refused',
      code: 'waf/no-migration',
      message: 'the plan level of the zone has no managed rules to migrate',
    });
  }
  const before = check.standing.status;
  const fit = fitOf(step, { state: before.state, plan: scope.plan });
  switch (fit.kind) {
    case 'wait':
      return { kind: 'running', before };
    case 'done':
      return ended(step, scope, before, { kind: 'nothing-to-do', message: fit.message });
    case 'refused':
      return ended(step, scope, before, fit);
    case 'take':
      break;
    default:
      return fit satisfies never;
  }
  const others = plan.steps.filter(({ target }) => target.level !== 'zone');
  if (others.length > 0) {
    return ended(step, scope, before, {
      kind: 'refused',
      code: 'waf/other-rulesets',
      message: `the files also change ${others.map(({ id }) => id).join(', ')}, which a migration does not write`,
      hint: 'leave custom rulesets of this phase for an ordinary apply after the migration',
    });
  }
  if (check.compatible !== true) {
    return ended(step, scope, before, notEligible(scope, check.blockers));
  }
  return step === 'validate' && before.state === 'validation' && plan.steps.length === 0
    ? ended(step, scope, before, {
        kind: 'nothing-to-do',
        message: 'the zone is in validation mode with the rules of the files',
      })
    : { kind: 'ready', before };
}

function notEligible(scope: Scope, blockers: readonly WafBlocker[]): WafOutcome {
  return {
    kind: 'refused',
    code: 'waf/not-eligible',
    message: `the zone cannot be migrated now: ${blockers.map(({ message }) => message).join('; ')}`,
    hint: `rulewright waf check ${scope.name} says what to do`,
  };
}

function ended(step: WafStep, scope: Scope, status: WafStatus | null, outcome: WafOutcome): Prepared {
  return {
    kind: 'ended',
    result: { step, scope, before: status, after: status, snapshot: null, outcome },
  };
}

/** The state of a zone once more, after something went wrong; null where it cannot be read. */
export async function statusNow(client: ReadClient, scope: Scope): Promise<WafStatus | null> {
  try {
    return await readStatus(client, scope);
  } catch {
    return null;
  }
}
