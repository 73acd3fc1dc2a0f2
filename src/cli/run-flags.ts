import type { CacheFlags, SelectionFlags, ServiceFlags } from './flags.ts';
import { CACHE_FLAGS, EACH_SCOPE, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from './flags.ts';
import { formFlags } from './form-flags.ts';
import type { FormFlags } from './form-flags.ts';
import { PLAN_FORMATS } from './formats.ts';
import type { PlanFormat } from './formats.ts';
import type { ObservedFlags, PartFlags } from './part-flags.ts';
import { OBSERVED_FLAGS, PART_FLAGS } from './part-flags.ts';
import type { FlagsFor } from './flag.ts';

/** What `plan`, `apply` and `drift` share: what they are about, where live state is, and how the result is told. */
export interface RunFlags
  extends FormFlags<PlanFormat>, SelectionFlags, PartFlags, ObservedFlags, ServiceFlags, CacheFlags {}

/** Parameters of `RunFlags`. */
export const RUN_FLAGS: FlagsFor<RunFlags> = {
  ...SELECTION_FLAGS,
  ...PART_FLAGS,
  ...CACHE_FLAGS,
  ...SERVICE_FLAGS,
  ...OBSERVED_FLAGS,
  ...RESULT_FLAGS,
  ...formFlags(PLAN_FORMATS),
  ...EACH_SCOPE,
};
