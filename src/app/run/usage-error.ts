import { RulewrightError } from '../../model/index.ts';

/** Returns an error for wrong usage that only a command itself can detect. */
export function usage(message: string, hint?: string): RulewrightError {
  return new RulewrightError(message, { code: 'usage/invalid', fault: 'user', hint });
}
