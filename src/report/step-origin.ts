import type { Step } from '../model/index.ts';
import { causeText, isVersion } from '../model/index.ts';

/** Returns where a step comes from: the place that declares its ruleset, or the version that it restores. */
export function stepOrigin({ cause }: Pick<Step, 'cause'>): string {
  if (cause === undefined) {
    return 'no file declares it';
  }
  return isVersion(cause) ? `back to ${causeText(cause)}` : causeText(cause);
}
