import { RulewrightError } from '../../model/error.ts';
import type { DoctorCheck } from '../../report/text/doctor.ts';

/** A check that an error ended. */
export function failedCheck(subject: string, { message, hint }: RulewrightError): DoctorCheck {
  return { subject, status: 'problem', message, hint };
}

/** What stood in the way of a check. Throws bugs on, and that somebody stopped the run. */
export function obstacle(error: unknown): RulewrightError {
  if (error instanceof RulewrightError && error.fault !== 'bug' && error.code !== 'api/aborted') {
    return error;
  }
  throw error;
}

/** What was found in a scope, or the error that stood in the way. Rejects as `obstacle` throws. */
export async function attempted(
  work: () => Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> {
  try {
    return await work();
  } catch (error) {
    return [failedCheck('scope', obstacle(error))];
  }
}
