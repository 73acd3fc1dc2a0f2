import type { GuardFinding, Plan, ScopePlan } from '../../model/plan.ts';
import { canonicalDigest } from './digest.ts';
import type { ScopeFacts } from './scope-facts.ts';
import { factsOf, wholeOf } from './scope-facts.ts';

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
