/** The result of a check; `unknown`: the check could not be made. */
export type DoctorStatus = 'good' | 'warning' | 'problem' | 'unknown';

/** One check of `doctor`. */
export interface DoctorCheck {
  /** What was checked, such as `token` or `read http_ratelimit`. */
  readonly subject: string;
  readonly status: DoctorStatus;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** A group of checks: those of the way to the service, or those of one scope. */
export interface DoctorGroup {
  readonly name: string;
  readonly checks: readonly DoctorCheck[];
}

/** The result of `doctor`. */
export interface DoctorReport {
  readonly way: DoctorGroup;
  readonly scopes: readonly DoctorGroup[];
  /** Scopes that were looked up but not checked, since others with the same credentials were. */
  readonly leftOut: readonly string[];
}
