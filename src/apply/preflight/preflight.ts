import pLimit from 'p-limit';
import type { DryRunClient, ReadClient } from '../../api/index.ts';
import { probeDryRun, ABSENT_RULE_ID } from '../../api/index.ts';
import { groupBy } from '../../data/index.ts';
import { objectSteps } from '../../model/index.ts';
import type { PlannedScope, Step, Preflight, StepPreflight, ScopeKind } from '../../model/index.ts';
import type { WriteStrategy } from '../../plan/index.ts';
import type { UntouchedRules } from '../write/scope-run.ts';
import type { PreflightRun } from './preflight-step.ts';
import { preflightStep } from './preflight-step.ts';

/** A scope of a plan, with the clients that read it and send dry runs. */
export interface CheckedScope {
  readonly plan: PlannedScope;
  readonly client: ReadClient;
  readonly check: DryRunClient;
}

/** What to check, and how. */
export interface PreflightOptions {
  readonly scopes: readonly CheckedScope[];
  readonly strategy: WriteStrategy;
  /** Number of scopes checked concurrently. */
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
}

/** Result of a preflight, and what it learned about naming untouched rules in the writes. */
export interface PreflightResult {
  readonly preflight: Preflight;
  readonly untouched: UntouchedRules;
}

type Support = Awaited<ReturnType<typeof probeDryRun>>;

/**
 * Has the service check every step with `dry_run` before the first write (design: applying, preflight), but only once the service has proven for this
 * kind of scope that it honours the parameter, which is learned once per run. Steps that cannot be checked are reported with the reason.
 */
export async function preflight(options: PreflightOptions): Promise<PreflightResult> {
  const { scopes, strategy, concurrency, signal } = options;
  const run: PreflightRun = {
    strategy,
    unmadeLists: listsToMake(scopes.map(({ plan }) => plan)),
    untouched: null,
    wrote: false,
  };
  const known = new Map<ScopeKind, Promise<Support>>();
  const limit = pLimit(concurrency);
  const steps = await limit.map(scopes, async (scope): Promise<readonly StepPreflight[]> => {
    if (scope.plan.steps.length === 0) {
      return [];
    }
    const stop = (): NotCheckedReason | null =>
      run.wrote ? STOPPED : signal?.aborted === true ? INTERRUPTED : null;
    const reason = stop() ?? UNPROVEN[await supportFor(scope, known)];
    const found: StepPreflight[] = [];
    for (const step of scope.plan.steps) {
      const notNow = reason ?? stop();
      found.push(
        notNow === null
          ? await preflightStep({ ...scope, step, run })
          : { kind: 'not-checked', step: step.id, ...notNow },
      );
    }
    return found;
  });
  return {
    preflight: { kind: 'done', steps: steps.flat() },
    untouched: run.untouched ?? 'whole',
  };
}

function listsToMake(plans: readonly PlannedScope[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byAccount = groupBy(plans, ({ scope }) => scope.accountId);
  return new Map(
    [...byAccount].map(([account, own]) => [
      account,
      new Set(
        objectSteps(own).flatMap(({ operation, target }) => (operation === 'create' ? [target.name] : [])),
      ),
    ]),
  );
}

type NotCheckedReason = Pick<Extract<StepPreflight, { readonly kind: 'not-checked' }>, 'code' | 'reason'>;

const STOPPED: NotCheckedReason = { code: 'stopped', reason: 'another dry run has written' };
const INTERRUPTED: NotCheckedReason = { code: 'interrupted', reason: 'the run was interrupted' };

/** Why no dry runs are sent, by the support that the service has shown; null when they are sent. */
const UNPROVEN: Readonly<Record<Support, NotCheckedReason | null>> = {
  honoured: null,
  unknown: { code: 'unproven', reason: 'the service did not prove that it knows dry runs' },
  forbidden: { code: 'forbidden', reason: 'the credentials have no permission to write' },
};

/** Learns once per run and kind of scope whether dry runs are honoured; a missing permission says nothing about other scopes. */
async function supportFor(scope: CheckedScope, known: Map<ScopeKind, Promise<Support>>): Promise<Support> {
  const { kind } = scope.plan.scope;
  const earlier = known.get(kind);
  const learned = earlier === undefined ? 'forbidden' : await earlier;
  if (learned !== 'forbidden') {
    return learned;
  }
  const support = probeScope(scope);
  known.set(kind, support);
  return support;
}

/** Probes dry runs phase by phase until one is not forbidden: each phase has a permission of its own. */
async function probeScope({ check, plan }: CheckedScope): Promise<Support> {
  for (const ruleset of probedRulesets(plan.steps)) {
    const support = await probeDryRun(check, plan.scope, ruleset);
    if (support !== 'forbidden') {
      return support;
    }
  }
  return 'forbidden';
}

/** Returns the rulesets to probe, one per phase. A probe deletes a rule that does not exist; the ruleset need not exist either. */
function probedRulesets(steps: readonly Step[]): ReadonlySet<string> {
  const live = new Map(
    steps.flatMap(({ base, target }) => (base.kind === 'version' ? [[target.phase, base.id] as const] : [])),
  );
  const isWhole = live.size > 0 && steps.every(({ target }) => live.has(target.phase));
  return new Set([...live.values(), ...(isWhole ? [] : [ABSENT_RULE_ID])]);
}
