import type { GuardFinding, Plan, ScopePlan } from '../model/plan.ts';
import { effectDigest } from './digest.ts';
import { summarise } from './summarise.ts';

/** The plan document of some scopes, with what the guards found about all together. The same inputs give the same bytes. */
export function makePlan(
  baseUrl: string,
  scopes: readonly ScopePlan[],
  findings: readonly GuardFinding[] = [],
): Plan {
  return {
    kind: 'plan',
    formatVersion: 1,
    baseUrl,
    summary: summarise(scopes),
    digest: effectDigest(scopes),
    ...(findings.length === 0 ? {} : { findings }),
    scopes,
  };
}
