import type { Outcome } from '../../model/outcome.ts';

/** Why a run does not begin with a step, or does not go on with it. */
export type Stop = { readonly kind: 'interrupted' } | { readonly kind: 'because'; readonly reason: string };

export const INTERRUPTED: Stop = { kind: 'interrupted' };

/** How a step ends that is not begun, or not continued after so many writes. */
export function stopped(step: string, writes: number, stop: Stop): Outcome {
  if (writes === 0) {
    return { kind: 'not-reached', step, reason: stop.kind === 'interrupted' ? WAS_INTERRUPTED : stop.reason };
  }
  return stop.kind === 'interrupted'
    ? { kind: 'failed', step, code: 'apply/interrupted', message: WAS_INTERRUPTED, writes }
    : {
        kind: 'failed',
        step,
        code: 'apply/stopped',
        message: `it was not continued: ${stop.reason}`,
        writes,
      };
}

const WAS_INTERRUPTED = 'the run was interrupted';
