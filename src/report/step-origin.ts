import type { Step } from '../model/plan.ts';
import { causeText, isVersion } from '../model/source.ts';

/** Returns where a step comes from: the place that declares its ruleset, or the version that it restores. */
export function stepOrigin({ cause }: Pick<Step, 'cause'>): string {
  if (cause === undefined) {
    return 'no file declares it';
  }
  return isVersion(cause) ? `back to ${causeText(cause)}` : causeText(cause);
}
