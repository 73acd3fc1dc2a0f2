import type { ReadClient } from '../../api/index.ts';
import { ServiceError } from '../../api/index.ts';
import type { GuardFinding, Outcome, PlannedScope, Step, Scope } from '../../model/index.ts';
import type { OnEvent } from '../../app/index.ts';
import { getWafMigrationStatus } from './waf-requests.ts';
import { awaitsMigration } from './waf-fit.ts';
import { MANAGED_PHASE } from './waf-migration.ts';

/**
 * Adds a finding to a plan that begins to write the managed rules of a zone whose migration is not finished, because apply will
 * refuse it. Asks only if the plan creates that entry point, which a zone with the old WAF does not have.
 */
export async function findMigration(
  plan: PlannedScope,
  client: ReadClient,
  report: OnEvent,
): Promise<PlannedScope> {
  const step = managedStep(plan);
  if (step?.operation !== 'create') {
    return plan;
  }
  const found = await migrationOf(client, plan.scope, report);
  if (found.kind !== 'state' || !awaitsMigration(found.state)) {
    return plan;
  }
  const { message, hint } = unfinished(plan.scope, found.state);
  const finding: GuardFinding = {
    kind: 'migration',
    effect: 'refuse',
    step: step.id,
    message: `${message}: ${hint}`,
  };
  return { ...plan, findings: [...plan.findings, finding] };
}

/**
 * Refuses a plan that writes the managed rules of a zone whose WAF migration is not finished, since only the migration may write those. Asks only if
 * the plan writes that phase.
 */
export async function refuseMigration(
  plan: PlannedScope,
  client: ReadClient,
  report: OnEvent,
): Promise<Outcome | null> {
  const step = managedStep(plan);
  return step === undefined ? null : refusalOf(step, plan.scope, { client, report });
}

/** Adds to the failure of a zone that is not enrolled a hint with the command that helps (api.md 10.2). */
export function explainEnrollment(outcome: Outcome): Outcome {
  return outcome.kind === 'failed' &&
    [outcome, ...(outcome.refusals ?? [])].some(({ message }) => NOT_ENROLLED.test(message))
    ? { ...outcome, hint: 'the zone still has the old WAF: rulewright waf check says how to migrate it' }
    : outcome;
}

const NOT_ENROLLED = /WAF enrollment is required/u;

/** Returns the step that writes the managed rules of a zone. */
function managedStep({ scope, steps }: PlannedScope): Step | undefined {
  return scope.kind === 'zone'
    ? steps.find(({ target }) => target.level === 'zone' && target.phase === MANAGED_PHASE)
    : undefined;
}

/** What is known of the migration of a zone. */
type Migration =
  | { readonly kind: 'state'; readonly state: string }
  /** There is no migration, or the service does not show it to this token: a token that may write the rules need not be able to read it. */
  | { readonly kind: 'none' }
  /** The service did not answer: the migration may be in any state. */
  | { readonly kind: 'unknown'; readonly error: ServiceError };

async function migrationOf(client: ReadClient, scope: Scope, report: OnEvent): Promise<Migration> {
  try {
    return { kind: 'state', state: (await getWafMigrationStatus(client, scope.id)).state };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'api/aborted') {
      throw error;
    }
    if (error.code === 'api/not-found') {
      return { kind: 'none' };
    }
    report({
      kind: 'not-checked',
      scope,
      what: 'is migrated to the new managed rules',
      reason: error.message,
    });
    return isLastingNo(error) ? { kind: 'none' } : { kind: 'unknown', error };
  }
}

/** Answers of a gateway, and of a service that is asked too often. */
const PASSING_CODES: ReadonlySet<string> = new Set(['api/rate-limited', 'api/not-json']);

/** Whether the service refused the request in a way that a retry would not change. */
function isLastingNo({ status, code }: ServiceError): boolean {
  return status !== null && status >= 400 && status < 500 && !PASSING_CODES.has(code);
}

async function refusalOf(
  { id, operation }: Step,
  scope: Scope,
  { client, report }: { readonly client: ReadClient; readonly report: OnEvent },
): Promise<Outcome | null> {
  const found = await migrationOf(client, scope, report);
  if (found.kind === 'unknown') {
    // A zone that has managed rules most likely no longer has the old WAF, so a failing interface does not refuse the plan.
    return operation !== 'create'
      ? null
      : {
          kind: 'refused',
          step: id,
          code: 'apply/waf-not-checked',
          message: `whether the WAF migration of ${scope.name} is finished could not be read: ${found.error.message}`,
          hint: 'until it is, only the migration may write these rules; try again',
          writes: 0,
        };
  }
  return found.kind === 'none' || !awaitsMigration(found.state)
    ? null
    : {
        kind: 'refused',
        step: id,
        code: 'apply/waf-migration',
        ...unfinished(scope, found.state),
        writes: 0,
      };
}

/** Returns the message that a zone's migration is not finished, and a hint with the command that continues it. */
function unfinished({ name }: Scope, state: string): { readonly message: string; readonly hint: string } {
  const command = state === 'start' ? `rulewright waf check ${name}` : `rulewright waf finish ${name}`;
  return {
    message: `the managed rules of ${name} are written by its WAF migration (state ${state}) until that is finished`,
    hint: state === 'validation' ? `${command}, or rulewright waf validate ${name} for another try` : command,
  };
}
