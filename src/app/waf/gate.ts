import type { ReadClient } from '../../api/client.ts';
import { ServiceError } from '../../api/service-error.ts';
import { getWafMigrationStatus } from '../../api/waf-migration.ts';
import { isBeforeMigration } from '../../migrate/waf-fit.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlannedScope, Step } from '../../model/plan.ts';
import type { Scope } from '../../model/scope.ts';
import { MANAGED_PHASE } from '../../model/waf-migration.ts';
import type { Report } from '../run/events.ts';
import { refusedOutcomes } from '../planning/refused-outcomes.ts';

/**
 * Refuses plans that write the managed rules of zones which have not finished their migration: those are
 * written by the migration alone. It is asked only where a plan writes that phase. Empty when nothing stands
 * against the plan; else the outcome of every step, for then nothing is written.
 */
export async function wafGate(
  scopes: readonly PlannedScope[],
  clientFor: (scope: PlannedScope) => ReadClient,
  report: Report,
): Promise<readonly Outcome[]> {
  const refused = new Map<string, Outcome>();
  for (const planned of scopes) {
    const step = planned.scope.kind === 'zone' ? planned.steps.find(writesManagedRules) : undefined;
    if (step !== undefined) {
      const state = await stateOf(clientFor(planned), planned.scope, report);
      if (state !== null && isBeforeMigration(state)) {
        refused.set(step.id, refusal(step, planned.scope, state));
      }
    }
  }
  return refusedOutcomes(scopes, refused);
}

/** Failures of a zone that is not enrolled, with the command that helps (api.md 10.2). */
export function explainEnrollment(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.map((outcome) =>
    outcome.kind === 'failed' &&
    [outcome, ...(outcome.refusals ?? [])].some(({ message }) => NOT_ENROLLED.test(message))
      ? { ...outcome, hint: 'the zone still has the old WAF: rulewright waf check says how to migrate it' }
      : outcome,
  );
}

const NOT_ENROLLED = /WAF enrollment is required/u;

function writesManagedRules({ target }: Step): boolean {
  return target.kind === 'ruleset' && target.level === 'zone' && target.phase === MANAGED_PHASE;
}

/** The state of a zone; null without a migration, and where it cannot be read, which is reported. */
async function stateOf(client: ReadClient, scope: Scope, report: Report): Promise<string | null> {
  try {
    return (await getWafMigrationStatus(client, scope.id)).state;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'api/aborted') {
      throw error;
    }
    if (error.code !== 'api/not-found') {
      report({ kind: 'waf-not-checked', scope, reason: error.message });
    }
    return null;
  }
}

function refusal({ id }: Step, { name }: Scope, state: string): Outcome {
  const command = state === 'start' ? `rulewright waf check ${name}` : `rulewright waf finish ${name}`;
  return {
    kind: 'refused',
    step: id,
    code: 'apply/waf-migration',
    message: `the managed rules of ${name} are written by its migration (state ${state}) until that is finished`,
    hint: state === 'validation' ? `${command}, or rulewright waf validate ${name} for another try` : command,
    writes: 0,
  };
}
