import { createHash } from 'node:crypto';
import type { Plan } from '../../model/plan.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Safety } from '../../model/settings.ts';
import type { Shard } from '../../model/shard.ts';
import type { ScopeOf } from '../../model/state.ts';
import { canonicalDigest } from './digest.ts';
import { factsOf, sealPlan } from './make-plan.ts';
import type { ScopeFacts } from './make-plan.ts';

/** Whether a shard contains a scope. This depends only on the scope's name in the files, so that new scopes move no other scope. */
export function isInShard(scope: ScopeRef, { index, count }: Shard): boolean {
  const hash = createHash('sha256').update(scopeLabel(scope)).digest();
  return (hash.readUIntBE(0, 6) % count) + 1 === index;
}

/** The run that a shard is part of. */
export interface WholeRun {
  readonly shard: Shard & { readonly version: string };
  /** All scopes of the run, in the order of the files. */
  readonly whole: readonly ScopeOf<unknown>[];
  readonly safety: Safety;
}

/** Adds to the plan of a shard's scopes what `mergePlans` needs to know of the whole run. */
export function planOfShard(
  plan: Plan,
  { shard, whole, safety }: WholeRun,
  facts: readonly ScopeFacts[] = plan.scopes.map((scope) => factsOf(scope)),
): Plan {
  const { index, count, version } = shard;
  const { integrity: _integrity, scopes, ...rest } = plan;
  const sealed = {
    ...rest,
    shard: {
      index,
      count,
      version,
      run: canonicalDigest({ baseUrl: plan.baseUrl, count, version, safety, whole }),
      scopes: whole.length,
      places: whole.flatMap(({ scope }, place) => (isInShard(scope, shard) ? [place] : [])),
      safety,
    },
    scopes,
  };
  return sealPlan(sealed, facts);
}
