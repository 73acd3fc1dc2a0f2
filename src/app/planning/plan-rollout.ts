import type { PlanRollout, Rollout, DesiredScope, ScopePlan } from '../../model/index.ts';
import { scopeLabel } from '../../model/index.ts';
import { wantedDigest } from '../../plan/index.ts';
import { assignWaves, reachOf, waveTitle } from '../../rollout/index.ts';

/** The scopes of a run, and the plans of those that are planned here: all of them, or those of a shard. */
export interface RolloutScopes {
  readonly whole: readonly DesiredScope[];
  readonly planned: ReadonlyMap<DesiredScope, ScopePlan>;
}

/** Returns the waves of a plan. What other scopes a run has decides about no zone, so a run of some scopes has each in the wave that all have it in. */
export function planRollout(rollout: Rollout, { whole, planned }: RolloutScopes): PlanRollout {
  const { soak, health, onFailure } = rollout;
  const scopes = [...planned.values()];
  return {
    waves: assignWaves(rollout, whole).map((wave) => {
      const labels = wave.members.flatMap((outline) => {
        const plan = planned.get(outline);
        return plan === undefined ? [] : [scopeLabel(plan.scope)];
      });
      const isOfAccounts = wave.kind === 'accounts-before' || wave.kind === 'accounts-after';
      return {
        number: wave.number,
        kind: wave.kind,
        title: waveTitle(wave),
        scopes: labels,
        ...(isOfAccounts ? { reaches: reachOf(labels, scopes) } : {}),
        wanted: wantedDigest(wave.members, rollout),
      };
    }),
    soak,
    ...(health === undefined ? {} : { health }),
    onFailure,
  };
}
