import { formatPlace } from '../../model/source.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { NamedRule } from './name-rules.ts';

/** Why a desired rule cannot have the live rule that it names by `ref` or `id`. */
export type ClaimProblem = 'not-ours' | 'claimed-twice' | 'other-ref';

/** A desired rule that names a live rule it cannot have; numbers are indices into the two lists. */
export interface RefusedClaim {
  readonly desired: number;
  readonly live: number;
  readonly problem: ClaimProblem;
}

const EXPLANATIONS: Readonly<Record<ClaimProblem, (live: LiveRule) => string>> = {
  'not-ours': ({ id, ref }) =>
    `names the live rule ${id} (ref ${ref}), which is not ours; adopt: true takes it over`,
  'claimed-twice': ({ id, ref }) => `names the live rule ${id} (ref ${ref}), which another rule has already`,
  'other-ref': ({ id, ref }) =>
    `names the live rule ${id} by its id and would change its ref ${ref}; that takes adopt: true`,
};

/** A refused claim as one line of text. */
export function describeClaim(rule: NamedRule, live: LiveRule, problem: ClaimProblem): string {
  const name = rule.madeUp === true ? 'the rule' : `rule ${rule.ref}`;
  return `${formatPlace(rule.cause)}: ${name} ${EXPLANATIONS[problem](live)}`;
}
