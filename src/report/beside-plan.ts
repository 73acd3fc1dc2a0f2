import type { Preflight, ReplayDocument } from '../model/index.ts';
import type { ReportMoment } from './attention.ts';

/** Facts shown with a plan that are not part of it. */
export interface BesidePlan {
  /** The service's answers to the plan's writes; null or absent when it was not asked. */
  readonly preflight?: Preflight | null | undefined;
  /** What the plan would have done to recorded requests; null or absent when none were replayed. */
  readonly replay?: ReplayDocument | null | undefined;
  /** `review` unless given. */
  readonly moment?: ReportMoment | undefined;
}
