import type { ReadClient } from '../api/client.ts';
import type { ScopeReading } from '../live/read-scope.ts';
import { readScopes } from '../live/read-scopes.ts';
import type { RulewrightError } from '../model/error.ts';
import type { PlanError, ScopePlan } from '../model/plan.ts';
import type { Safety } from '../model/settings.ts';
import type { DesiredScope } from '../model/state.ts';
import { guardScope } from '../plan/guard/guard-scope.ts';
import { planScope } from '../plan/plan-scope.ts';
import type { Report } from './events.ts';
import type { Service } from './open-service.ts';

/** What planning needs beside the desired side. */
export interface PlanScopesOptions {
  readonly service: Service<ReadClient>;
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly concurrency: number;
  readonly report: Report;
}

/**
 * Plans scopes as they are read, side by side; answers them in the order of the files. A scope that
 * cannot be read fails alone: a failed read is never taken for "empty".
 */
export async function planScopes(
  scopes: readonly DesiredScope[],
  options: PlanScopesOptions,
): Promise<readonly ScopePlan[]> {
  const { service, report, concurrency } = options;
  const plans = new Map<DesiredScope, ScopePlan>();
  report({ kind: 'scopes', total: scopes.length });
  const clientFor = (desired: DesiredScope): ReadClient => service.client(desired.tokenEnv);
  for await (const reading of readScopes(scopes, { clientFor, concurrency })) {
    const plan = planOne(reading, options);
    plans.set(reading.desired, plan);
    report({ kind: 'scope-planned', plan, done: plans.size, total: scopes.length });
  }
  return scopes.flatMap((scope) => plans.get(scope) ?? []);
}

function planOne(reading: ScopeReading, { safety, today }: PlanScopesOptions): ScopePlan {
  if (reading.kind === 'failed') {
    const bug = reading.errors.find((error) => error.fault === 'bug');
    if (bug !== undefined) {
      throw bug;
    }
    return { kind: 'failed', scope: reading.desired.scope, error: planError(reading.errors) };
  }
  const plan = planScope(reading.desired, reading.live);
  return plan.kind === 'failed' ? plan : guardScope(plan, safety, today);
}

/** One error for a scope; where several reads failed, all their messages. */
function planError(errors: readonly RulewrightError[]): PlanError {
  const [first] = errors;
  const messages = [...new Set(errors.map((error) => error.message))];
  return {
    code: first?.code ?? 'live/failed',
    message: messages.join('\n'),
    ...(first?.hint === undefined ? {} : { hint: first.hint }),
  };
}
