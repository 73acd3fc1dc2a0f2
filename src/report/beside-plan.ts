import type { Preflight } from '../model/preflight.ts';
import type { Moment } from './attention-groups.ts';

/** What is told with a plan and does not stand in it. */
export interface BesidePlan {
  /** What the service says to its writes; null or absent where it was not asked. */
  readonly preflight?: Preflight | null | undefined;
  /** A plan to review, unless given. */
  readonly moment?: Moment | undefined;
}
