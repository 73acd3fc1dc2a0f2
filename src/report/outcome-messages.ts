import { assertNever } from '../model/assert-never.ts';
import { counted } from '../model/count.ts';
import type { Outcome } from '../model/outcome.ts';

/** Returns what every rendering says about an outcome besides its name: the reason, and which writes took effect all the same. */
export function outcomeMessages(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case 'done':
      return [];
    case 'skipped':
      return outcome.toWrite === undefined ? [outcome.reason] : [];
    case 'not-reached':
      return [outcome.reason];
    case 'refused':
    case 'failed':
    case 'conflict':
      return [outcome.message, ...landed(outcome.writes)];
    default:
      return assertNever(outcome);
  }
}

function landed(writes: number): readonly string[] {
  return writes === 0 ? [] : [`${counted(writes, 'write')} of this step took effect.`];
}
