import type { ExitCode } from '../exit-code.ts';

/** A command that has ended early, and has reported why. */
export interface EndedEarly {
  readonly kind: 'ended';
  readonly code: ExitCode;
}
