import type { Plan, ScopePlan } from '../model/plan.ts';
import { effectDigest } from './digest.ts';
import { summarise } from './summarise.ts';

/** The plan document of some scopes. The same inputs give the same bytes. */
export function makePlan(baseUrl: string, scopes: readonly ScopePlan[]): Plan {
  return {
    kind: 'plan',
    formatVersion: 1,
    baseUrl,
    summary: summarise(scopes),
    digest: effectDigest(scopes),
    scopes,
  };
}
