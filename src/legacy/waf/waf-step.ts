import { orElse, openReadClient } from '../../api/index.ts';
import { assertNever } from '../../data/index.ts';
import type { ReadClient } from '../../api/index.ts';
import type { PlannedScope, Scope, ScopeRef } from '../../model/index.ts';
import type { OnEvent, Selection, ServiceOptions, ChosenZones } from '../../app/index.ts';
import { withService, defaultScope, eachZone } from '../../app/index.ts';
import { getWafMigrationStatus, checkWafMigration } from './waf-requests.ts';
import { fitOf, blockersOf } from './waf-fit.ts';
import type {
  WafBlocker,
  WafOutcome,
  WafStatus,
  WafStep,
  WafStepResult,
  WafCheck,
  WafStanding,
} from './waf-migration.ts';
import { readBypasses, readOverrides, standingOf } from './waf-readings.ts';

/** Checks whether zones can be migrated, and what prevents it. Writes nothing. */
export async function checkWaf(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly WafCheck[]> {
  const checks = await eachZone(zones, { options, report }, checkZone);
  return checks.map((check) => ('standing' in check ? check : unasked(check)));
}

/** Checks one zone. */
async function checkZone(client: ReadClient, scope: Scope): Promise<WafCheck> {
  const standing = await standingOf(client, scope);
  if (standing.kind !== 'known') {
    return unasked(standing);
  }
  const fit = fitOf('finish', { state: standing.status.state, plan: scope.plan });
  if (fit.kind !== 'take') {
    return fit.kind === 'refused'
      ? unasked(standing, [
          {
            kind: fit.code === 'waf/no-migration' ? 'no-migration' : 'unknown-state',
            message: fit.message,
            remedy: fit.hint,
          },
        ])
      : unasked(standing);
  }
  const { compatible } = await checkWafMigration(client, scope.id);
  const looking = { client, scope, notChecked: [] };
  const overrides = await readOverrides(looking);
  const bypasses = await readBypasses(looking);
  return {
    standing,
    compatible,
    blockers: blockersOf({ zone: scope.name, compatible, overrides, bypasses }),
    overrides: overrides ?? [],
    notChecked: looking.notChecked,
  };
}

function unasked(standing: WafStanding, blockers: readonly WafBlocker[] = []): WafCheck {
  return { standing, compatible: null, blockers, overrides: [], notChecked: [] };
}

/** A requested step of the migration, with the reviewed files as a plan of the zone's managed rules. */
export interface WafStepOrder {
  readonly step: WafStep;
  readonly plan: PlannedScope;
}

/** Whether the step can be taken. */
export type Prepared =
  | { readonly kind: 'ready'; readonly before: WafStatus }
  /** The step was taken before, and the service is still working on it. */
  | { readonly kind: 'running'; readonly before: WafStatus }
  | { readonly kind: 'ended'; readonly result: WafStepResult };

/** Checks whether the step fits the zone, and what prevents it. Writes nothing. */
export async function prepareStep(
  { step, plan }: WafStepOrder,
  options: ServiceOptions,
  report: OnEvent,
): Promise<Prepared> {
  return withService({ options, open: openReadClient, report }, (service) =>
    prepared({ step, plan }, service.client(plan.tokenEnv)),
  );
}

/** A step for a zone whose managed rules the files do not declare. */
export interface WithoutFiles {
  readonly step: WafStep;
  readonly zone: ScopeRef;
  readonly selection: Selection;
}

/**
 * Returns the result of a step that needs no files, because it was taken before or cannot be taken; undefined if only the files are
 * missing. Writes nothing. Rejects with `api/unknown-scope` for a zone that does not exist.
 */
export async function endWithoutFiles(
  { step, zone, selection }: WithoutFiles,
  options: ServiceOptions,
  report: OnEvent,
): Promise<WafStepResult | undefined> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    const { scope, client } = await defaultScope((env) => service.client(env), selection, zone);
    const standing = await readinessFor(step, scope, client);
    return standing.kind === 'ended' ? standing.result : undefined;
  });
}

/** A zone whose state permits the step. */
interface Open {
  readonly kind: 'open';
  readonly before: WafStatus;
}

async function readinessFor(
  step: WafStep,
  scope: Scope,
  client: ReadClient,
): Promise<Open | Exclude<Prepared, { readonly kind: 'ready' }>> {
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
      return check.compatible === true
        ? { kind: 'open', before }
        : ended(step, scope, before, notEligible(scope, check.blockers));
    default:
      return assertNever(fit);
  }
}

async function prepared({ step, plan }: WafStepOrder, client: ReadClient): Promise<Prepared> {
  const { scope } = plan;
  const standing = await readinessFor(step, scope, client);
  if (standing.kind !== 'open') {
    return standing;
  }
  const { before } = standing;
  const others = plan.steps.filter(({ target }) => target.level !== 'zone');
  if (others.length > 0) {
    return ended(step, scope, before, {
      kind: 'refused',
      code: 'waf/other-rulesets',
      message: `the files also change ${others.map(({ id }) => id).join(', ')}, which a migration does not write`,
      hint: 'leave custom rulesets of this phase for an ordinary apply after the migration',
    });
  }
  return step === 'validate' && before.state === 'validation' && plan.steps.length === 0
    ? ended(step, scope, before, {
        kind: 'nothing-to-do',
        message: 'the zone is already in validation mode with the rules of the files',
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

function ended(
  step: WafStep,
  scope: Scope,
  status: WafStatus | null,
  outcome: WafOutcome,
): Extract<Prepared, { readonly kind: 'ended' }> {
  return {
    kind: 'ended',
    result: { step, scope, before: status, after: status, snapshot: null, outcome },
  };
}

/** Reads the state of a zone again after a step or an error; null if that fails. */
export function statusNow(client: ReadClient, scope: Scope): Promise<WafStatus | null> {
  return orElse(getWafMigrationStatus(client, scope.id), () => null);
}
