import { RulewrightError } from '../../model/error.ts';
import type { DoctorCheck } from '../../report/text/doctor.ts';

/** A check that an error ended. */
export function failedCheck(subject: string, { message, hint }: RulewrightError): DoctorCheck {
  return { subject, status: 'problem', message, ...(hint === undefined ? {} : { hint }) };
}

/** What was found, or the error that stood in the way. Rejects for bugs and when stopped. */
export async function attempted(
  subject: string,
  work: () => Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RulewrightError && error.fault !== 'bug' && error.code !== 'api/aborted') {
      return [failedCheck(subject, error)];
    }
    throw error;
  }
}
