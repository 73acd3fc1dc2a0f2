import { hash } from 'node:crypto';
import type { Plan, PlanSummary, ScopePlan } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import { canonicalDigest, scopeEffect } from './digest.ts';
import type { RuleCounts } from '../guard/thresholds.ts';
import { countRules, totalCounts } from '../guard/thresholds.ts';
import { allSteps } from '../../model/scope-plans.ts';

/** What a plan of many scopes takes from each, so that no scope has to be kept for it. */
export interface ScopeFacts {
  /** SHA-256 of the effect, hex. */
  readonly effect: string;
  /** SHA-256 of the scope's JSON as it stands in the document, without blanks between, hex. */
  readonly text: string;
  readonly summary: PlanSummary;
  /** How many rules there are and change; absent where nothing does. */
  readonly counts?: RuleCounts;
}

const NO_CHANGE = addSummaries([]);

/** Takes from the plan of a scope what is said of all together. `json` is its JSON, where that is at hand. */
export function factsOf(plan: ScopePlan, json: string = JSON.stringify(plan)): ScopeFacts {
  const text = hash('sha256', json);
  const effect = scopeEffect(plan);
  return plan.kind === 'failed' || plan.steps.length === 0
    ? { effect, text, summary: NO_CHANGE }
    : { effect, text, summary: summarise([plan]), counts: totalCounts(plan.steps.map(countRules)) };
}

/** What the facts of all scopes come to. */
export function wholeOf(facts: readonly ScopeFacts[]): Pick<Plan, 'summary' | 'digest'> {
  return {
    summary: addSummaries(facts.map(({ summary }) => summary)),
    digest: canonicalDigest(facts.map(({ effect }) => effect)),
  };
}

/** Counts of what a plan changes. A rule counts once; a patched rule that moves counts as patched. */
export function summarise(scopes: readonly ScopePlan[]): PlanSummary {
  const rules = { add: 0, patch: 0, move: 0, delete: 0 };
  const rulesets = { create: 0, update: 0, delete: 0 };
  for (const step of allSteps(scopes)) {
    rulesets[step.operation] += 1;
    for (const change of step.changes) {
      rules[change.kind] += 1;
    }
  }
  return { rules, rulesets };
}

/** The counts of several plans together. */
function addSummaries(summaries: readonly PlanSummary[]): PlanSummary {
  const sum = (count: (one: PlanSummary) => number): number =>
    summaries.reduce((all, one) => all + count(one), 0);
  return {
    rules: {
      add: sum(({ rules }) => rules.add),
      patch: sum(({ rules }) => rules.patch),
      move: sum(({ rules }) => rules.move),
      delete: sum(({ rules }) => rules.delete),
    },
    rulesets: {
      create: sum(({ rulesets }) => rulesets.create),
      update: sum(({ rulesets }) => rulesets.update),
      delete: sum(({ rulesets }) => rulesets.delete),
    },
  };
}

/**
 * The plan document of some scopes, with what the guards found about all together. The same inputs give the
 * same bytes. `facts` are those of the scopes, where they were taken before.
 */
export function makePlan(
  baseUrl: string,
  scopes: readonly ScopePlan[],
  findings: readonly GuardFinding[] = [],
  facts: readonly ScopeFacts[] = scopes.map((scope) => factsOf(scope)),
): Plan {
  return sealPlan(
    {
      kind: 'plan',
      formatVersion: 3,
      baseUrl,
      ...wholeOf(facts),
      ...(findings.length === 0 ? {} : { findings }),
      scopes,
    },
    facts,
  );
}

/** The plan with the digest of its whole text, by which an edit is noticed. */
export function sealPlan(plan: Omit<Plan, 'integrity'>, facts: readonly ScopeFacts[]): Plan {
  return { ...plan, integrity: integrityOf(plan, facts) };
}

/** SHA-256 of a plan without its own digest: of its head, whatever the order of its keys, and of the digests of its scopes. */
export function integrityOf(plan: Omit<Plan, 'integrity'>, facts: readonly ScopeFacts[]): string {
  return canonicalDigest({ ...plan, integrity: null, scopes: facts.map(({ text }) => text) });
}
