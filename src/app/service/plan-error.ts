import type { RulewrightError } from '../../model/error.ts';
import type { PlanError } from '../../model/plan.ts';

/** One error for a scope; where several reads failed, all their messages. Throws what is a bug. */
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
