import type { GuardFinding, Plan, ScopePlan } from '../model/plan.ts';
import { canonicalDigest, effectDigest } from './digest.ts';
import { summarise } from './summarise.ts';

/** The plan document of some scopes, with what the guards found about all together. The same inputs give the same bytes. */
export function makePlan(
  baseUrl: string,
  scopes: readonly ScopePlan[],
  findings: readonly GuardFinding[] = [],
): Plan {
  return sealPlan({
    kind: 'plan',
    formatVersion: 1,
    baseUrl,
    summary: summarise(scopes),
    digest: effectDigest(scopes),
    ...(findings.length === 0 ? {} : { findings }),
    scopes,
  });
}

/** The plan with the digest of its whole text, by which an edit is noticed. */
export function sealPlan(plan: Omit<Plan, 'integrity'>): Plan {
  return { ...plan, integrity: integrityOf(plan) };
}

/** SHA-256 of a plan without its own digest, whatever the order of its keys. */
export function integrityOf(plan: Omit<Plan, 'integrity'>): string {
  return canonicalDigest({ ...plan, integrity: null });
}
