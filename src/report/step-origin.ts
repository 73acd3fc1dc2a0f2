import type { Cause } from '../model/source.ts';
import { causeText } from '../model/source.ts';

/** Where a step comes from: the place that declares its ruleset, or the version that it goes back to. */
export function stepOrigin(cause: Cause): string {
  return 'version' in cause ? `back to ${causeText(cause)}` : causeText(cause);
}
