import type { Outcome } from '../model/outcome.ts';

/** What became of a step, as people are told: most of what a dry run skips is there to be done. */
export type OutcomeFate = Outcome['kind'] | 'to-do';

/** What became of a step. */
export function fateOf(outcome: Outcome): OutcomeFate {
  return outcome.kind === 'skipped' && outcome.toWrite !== undefined ? 'to-do' : outcome.kind;
}
