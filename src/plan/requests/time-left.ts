/** How far a run is. */
export interface Advance {
  /** Requests sent so far, and how long it has worked on them, without waiting for the limit; milliseconds. */
  readonly sent: number;
  readonly workedMs: number;
  /** Requests that are still to come, about. */
  readonly remaining: number;
  /** How long the last of them has to wait for the limit at least. */
  readonly waitMs: number;
}

/** About how long a run still takes, in milliseconds: what the limit imposes, or at the pace so far where that is longer. */
export function timeLeft({ sent, workedMs, remaining, waitMs }: Advance): number {
  return Math.max(waitMs, sent === 0 ? 0 : (workedMs / sent) * remaining);
}
