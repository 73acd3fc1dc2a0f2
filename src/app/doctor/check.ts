import { RulewrightError } from '../../model/error.ts';
import type { DoctorCheck } from '../../model/doctor-report.ts';

/** A check that an error ended. */
export function failedCheck(subject: string, { message, hint }: RulewrightError): DoctorCheck {
  return { subject, status: 'problem', message, hint };
}

/** The error that made a check fail. Rethrows bugs and interruptions. */
export function expectedError(error: unknown): RulewrightError {
  if (error instanceof RulewrightError && error.fault !== 'bug' && error.code !== 'api/aborted') {
    return error;
  }
  throw error;
}

/** The result of a check, or the error that made it fail. Rejects as `expectedError` throws. */
export async function checksOrFailure(
  work: () => Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> {
  try {
    return await work();
  } catch (error) {
    return [failedCheck('scope', expectedError(error))];
  }
}
