import { RulewrightError } from '../../model/index.ts';
import type { DoctorCheck } from '../../model/index.ts';

/** Returns the result of a check that failed with an error. */
export function failedCheck(subject: string, { message, hint }: RulewrightError): DoctorCheck {
  return { subject, status: 'problem', message, hint };
}

/** Returns the error that made a check fail. Rethrows bugs and aborts. */
export function expectedError(error: unknown): RulewrightError {
  if (error instanceof RulewrightError && error.fault !== 'bug' && error.code !== 'api/aborted') {
    return error;
  }
  throw error;
}

/** Returns the results of checks, or one failed check for an error. Rejects with what `expectedError` rethrows. */
export async function checksOrFailure(
  work: () => Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> {
  try {
    return await work();
  } catch (error) {
    return [failedCheck('scope', expectedError(error))];
  }
}
