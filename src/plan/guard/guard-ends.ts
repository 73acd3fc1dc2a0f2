import { neutralFrom } from '../../expression/index.ts';
import { plannedScopes } from '../../model/index.ts';
import type { GuardFinding, Plan, PlannedScope, RuleChange, Safety } from '../../model/index.ts';
import { moment } from '../impact/conditions.ts';
import { findingFor, withoutAllowed } from './guard-scope.ts';

/** When a plan is carried out, and what the files allow then. */
interface CarryingOut {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
}

/**
 * Judges by the clock what a plan, having none, says of deleted rules whose window has an end: that this is neutral from then on. Before, it is
 * refused, or told where it strengthens; after, it weakens nothing any more.
 */
export function guardEnds(plan: Plan, carryingOut: CarryingOut): Plan {
  const isConcerned = plannedScopes(plan.scopes).some(({ steps }) =>
    steps.some(({ changes }) => changes.some((change) => endOf(change) !== undefined)),
  );
  return isConcerned
    ? {
        ...plan,
        scopes: plan.scopes.map((scope) => (scope.kind === 'failed' ? scope : judged(scope, carryingOut))),
      }
    : plan;
}

function judged(scope: PlannedScope, { now, safety, today }: CarryingOut): PlannedScope {
  const found: GuardFinding[] = [];
  const ended = new Set<string>();
  for (const step of scope.steps) {
    for (const change of step.changes) {
      const end = endOf(change);
      if (end !== undefined && now < end * 1000) {
        const reason = `is in force until ${moment(BigInt(end))}: its deletion is neutral only from then on`;
        // To end an exception early is safe, and somebody may have to in a hurry.
        const effect = change.protection.kind === 'weakening' ? 'refuse' : 'warn';
        found.push(findingFor(step, change)('not-ended', effect, reason));
      } else if (end !== undefined) {
        ended.add(keyOf(step.id, change.ref));
      }
    }
  }
  const findings = scope.findings.filter(
    ({ kind, step = '', rule = '' }) => kind !== 'weakened' || !ended.has(keyOf(step, rule)),
  );
  return { ...scope, findings: [...findings, ...withoutAllowed(found, safety, today)] };
}

function keyOf(step: string, rule: string): string {
  return `${step}\n${rule}`;
}

/** Returns from when on, in seconds since 1970, a deletion does nothing of which the plan says so; undefined for other changes. */
function endOf(change: RuleChange): number | undefined {
  return change.kind === 'delete' && change.protection.kind !== 'neutral'
    ? neutralFrom(change.before)
    : undefined;
}
