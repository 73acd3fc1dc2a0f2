import type { RulewrightError } from '../../model/error.ts';
import type { DoctorCheck } from '../../report/text/doctor.ts';

/** A check that an error ended. */
export function failedCheck(subject: string, { message, hint }: RulewrightError): DoctorCheck {
  return { subject, status: 'problem', message, ...(hint === undefined ? {} : { hint }) };
}
