import type { Outcome } from '../../model/outcome.ts';

/** Why a run does not begin a step, or does not continue it. */
export type Stop = { readonly kind: 'interrupted' } | { readonly kind: 'because'; readonly reason: string };

export const INTERRUPTED: Stop = { kind: 'interrupted' };

/** Returns the outcome of a step that was not begun (0 writes), or not continued after `writes` writes. */
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
