import pLimit from 'p-limit';
import type { ReadClient } from '../api/client.ts';
import { ServiceError } from '../api/service-error.ts';
import { readScope } from '../live/read-scope.ts';
import { RulewrightError } from '../model/error.ts';
import type { ScopePlan } from '../model/plan.ts';
import { scopeLabel } from '../model/scope.ts';
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
  readonly today: string;
  readonly concurrency: number;
  readonly report: Report;
}

/** Plans scopes side by side, in the order of the files. A scope that cannot be read fails alone. */
export async function planScopes(
  scopes: readonly DesiredScope[],
  options: PlanScopesOptions,
): Promise<readonly ScopePlan[]> {
  const limit = pLimit(options.concurrency);
  let done = 0;
  options.report({ kind: 'scopes', total: scopes.length });
  const plans = await Promise.all(
    scopes.map((scope) =>
      limit(async () => {
        const plan = await planOne(scope, options);
        done += 1;
        options.report({ kind: 'scope-planned', plan, done, total: scopes.length });
        return plan;
      }),
    ),
  );
  return refuseTwins(plans);
}

async function planOne(desired: DesiredScope, options: PlanScopesOptions): Promise<ScopePlan> {
  try {
    const live = await readScope(options.service.client(desired.tokenEnv), desired);
    const plan = planScope(desired, live);
    return plan.kind === 'failed' ? plan : guardScope(plan, options.safety, options.today);
  } catch (error) {
    if (error instanceof ServiceError || (error instanceof RulewrightError && error.fault !== 'bug')) {
      const { code, message, hint } = error;
      return {
        kind: 'failed',
        scope: desired.scope,
        error: { code, message, ...(hint === undefined ? {} : { hint }) },
      };
    }
    throw error;
  }
}

/** One scope under two names (a name and an id) would be planned twice against the same live state. */
function refuseTwins(plans: readonly ScopePlan[]): readonly ScopePlan[] {
  const seen = new Set<string>();
  return plans.map((plan) => {
    if (plan.kind === 'failed') {
      return plan;
    }
    const key = `${plan.scope.kind}:${plan.scope.id}`;
    if (!seen.has(key)) {
      seen.add(key);
      return plan;
    }
    return {
      kind: 'failed',
      scope: { kind: plan.scope.kind, name: plan.scope.name },
      error: {
        code: 'plan/scope-twice',
        message: `${scopeLabel(plan.scope)} stands in the files under two names, its name and its id ${plan.scope.id}`,
        hint: 'use one of them in all files',
      },
    };
  });
}
