import type { RulewrightError, PlanError } from '../../model/index.ts';

/** Returns one error for a scope, with the messages of all reads that failed. Throws an error that is a bug. */
export function planError(errors: readonly RulewrightError[]): PlanError {
  const bug = errors.find((error) => error.fault === 'bug');
  if (bug !== undefined) {
    throw bug;
  }
  const [first] = errors;
  const messages = [...new Set(errors.map((error) => error.message))];
  return {
    code: first?.code ?? 'live/failed',
    message: messages.join('\n'),
    hint: first?.hint,
  };
}
