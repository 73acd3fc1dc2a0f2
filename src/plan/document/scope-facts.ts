import { hash } from 'node:crypto';
import type { Plan, PlanSummary, ScopePlan } from '../../model/plan.ts';
import { canonicalDigest, scopeEffect } from './digest.ts';
import type { RuleCounts } from '../guard/thresholds.ts';
import { countRules, totalCounts } from '../guard/thresholds.ts';
import { addSummaries, summarise } from './summarise.ts';

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
