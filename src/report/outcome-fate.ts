import type { Outcome } from '../model/outcome.ts';

/** The outcome of a step as people are told it: `to-do` for a step that a dry run skipped although there is something to write. */
export type OutcomeFate = Outcome['kind'] | 'to-do';

/** Returns the fate of a step. */
export function fateOf(outcome: Outcome): OutcomeFate {
  return outcome.kind === 'skipped' && outcome.toWrite !== undefined ? 'to-do' : outcome.kind;
}

/** The words for what became of a step, in the order in which they are counted. */
export const FATE_WORDS: Readonly<Record<OutcomeFate, string>> = {
  done: 'done',
  'to-do': 'to write',
  skipped: 'skipped',
  refused: 'refused',
  failed: 'failed',
  conflict: 'in conflict',
  'not-reached': 'not reached',
};
