import { RulewrightError } from '../../model/error.ts';

/** An error of wrong usage that only a command itself can see. */
export function usage(message: string, hint?: string): RulewrightError {
  return new RulewrightError(message, { code: 'usage/invalid', fault: 'user', hint });
}
