import { hash } from 'node:crypto';
import type { Plan, PlanSummary, ScopePlan } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import { canonicalDigest, scopeEffect } from './digest.ts';
import type { RuleCounts } from '../guard/thresholds.ts';
import { countRules, totalCounts } from '../guard/thresholds.ts';
import { allSteps } from '../../model/scope-plans.ts';

/** What a plan of many scopes needs from each scope, so that the scopes themselves need not be kept in memory. */
export interface ScopeFacts {
  /** SHA-256 (hex) of the scope's effect. */
  readonly effect: string;
  /** SHA-256 (hex) of the scope's JSON as in the document, without white space. */
  readonly text: string;
  readonly summary: PlanSummary;
  /** Numbers of live and changing rules; absent when nothing changes. */
  readonly counts?: RuleCounts;
}

const NO_CHANGE = addSummaries([]);

/** Extracts these facts from the plan of a scope. */
export function factsOf(plan: ScopePlan): ScopeFacts {
  const text = hash('sha256', JSON.stringify(plan));
  const effect = scopeEffect(plan);
  return plan.kind === 'failed' || plan.steps.length === 0
    ? { effect, text, summary: NO_CHANGE }
    : { effect, text, summary: summarise([plan]), counts: totalCounts(plan.steps.map(countRules)) };
}

/** Combines the facts of all scopes into the summary and the digest. */
export function wholeOf(facts: readonly ScopeFacts[]): Pick<Plan, 'summary' | 'digest'> {
  return {
    summary: addSummaries(facts.map(({ summary }) => summary)),
    digest: canonicalDigest(facts.map(({ effect }) => effect)),
  };
}

/** Counts what a plan changes. A rule counts once; a patched rule that moves counts as patched. */
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
 * Makes the plan document of some scopes, with the findings of guards about the run as a whole. Equal inputs give equal bytes. `facts` are
 * those of the scopes, if already extracted.
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

/** Adds the digest of the whole document, by which edits are noticed. */
export function sealPlan(plan: Omit<Plan, 'integrity'>, facts: readonly ScopeFacts[]): Plan {
  return { ...plan, integrity: integrityOf(plan, facts) };
}

/**
 * Returns the SHA-256 (hex) of a plan without this digest: of its other top-level members, whatever their key order, and of the digests of its
 * scopes' texts.
 */
export function integrityOf(plan: Omit<Plan, 'integrity'>, facts: readonly ScopeFacts[]): string {
  return canonicalDigest({ ...plan, integrity: null, scopes: facts.map(({ text }) => text) });
}
