import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { openReadClient } from '../../api/index.ts';
import { readScope } from '../../live/index.ts';
import type { Plan, PlannedScope, ScopePlan, Safety, Cause, DesiredScope } from '../../model/index.ts';
import { changingScopes } from '../../model/index.ts';
import {
  guardRun,
  guardScope,
  makePlan,
  hideSecrets,
  reverseAddresses,
  reverseScope,
} from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { Service } from '../service/open-service.ts';
import { withService } from '../service/open-service.ts';
import { planError } from '../service/plan-error.ts';
import type { Guards } from '../project/project-guards.ts';
import { requireSensitive } from '../project/require-sensitive.ts';
import { requireSameService } from '../service/same-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** The applied plan to undo. */
export interface ReverseOptions {
  readonly plan: Plan;
  /** The plan's file, as it is shown. */
  readonly file: string;
  readonly guards: Guards;
}

/**
 * Plans to undo a plan that was applied. Each scope is read anew, and fails unless live is exactly what the plan left there. Writes
 * nothing.
 */
export async function reversePlan(
  { plan, file, guards }: ReverseOptions,
  options: ServiceOptions,
  report: OnEvent,
): Promise<Plan> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    requireSameService(plan, service.identity);
    // Without the sensitive values, live would seem to differ from the plan.
    requireSensitive(plan.scopes, options.secrets);
    const cause: Cause = { file, line: 1, column: 1 };
    const changed = changingScopes(plan.scopes);
    report({ kind: 'scopes', total: changed.length });
    let done = 0;
    const limit = pLimit(options.concurrency);
    const scopes = await limit.map(changed, async (scope) => {
      const reversed = await reverseOne(scope, service, { cause, guards });
      done += 1;
      report({ kind: 'scope-planned', plan: reversed, done, total: changed.length });
      return reversed;
    });
    return makePlan(service.identity, scopes, guardRun(scopes, guards.safety, guards.today));
  });
}

async function reverseOne(
  plan: PlannedScope,
  service: Service<ReadClient>,
  { cause, guards }: { readonly cause: Cause; readonly guards: { safety: Safety; today: string } },
): Promise<ScopePlan> {
  const desired = asRead(plan, cause);
  const reading = await readScope(service.client(plan.tokenEnv), desired, { scope: plan.scope });
  if (reading.kind === 'failed') {
    const { kind, name } = plan.scope;
    return { kind: 'failed', scope: { kind, name }, error: planError(reading.errors) };
  }
  const reversed = reverseScope({ plan, live: reading.live, cause });
  return reversed.kind === 'failed'
    ? reversed
    : guardScope(hideSecrets(reversed), guards.safety, guards.today);
}

/** Returns what to read: the rulesets that the plan was made from, as if the files declared them. */
function asRead(plan: PlannedScope, cause: Cause): DesiredScope {
  const { kind, name } = plan.scope;
  return {
    scope: { kind, name },
    rulesetOwnership: 'declared',
    rulesets: reverseAddresses(plan).map((address) => ({
      address,
      presence: 'present',
      rules: [],
      ownership: { kind: 'all' },
      place: 'any',
      cause,
    })),
    cause,
  };
}
