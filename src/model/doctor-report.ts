/** How a check came out; `unknown`: it could not be made. */
export type DoctorStatus = 'good' | 'warning' | 'problem' | 'unknown';

/** One thing that was looked at. */
export interface DoctorCheck {
  /** What it is about, such as `token`, or `read http_ratelimit`. */
  readonly subject: string;
  readonly status: DoctorStatus;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** Checks that belong together: those of the way to the service, and those of each scope. */
export interface DoctorGroup {
  readonly name: string;
  readonly checks: readonly DoctorCheck[];
}

/** All that was looked at. */
export interface DoctorReport {
  readonly way: DoctorGroup;
  readonly scopes: readonly DoctorGroup[];
  /** Scopes that were looked up and not checked, as others with the same credentials were. */
  readonly leftOut: readonly string[];
}
