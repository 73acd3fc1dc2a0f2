import type { FieldChange } from './field-change.ts';

/** One difference between what two plans do; `reviewed` is the plan that somebody reviewed, `fresh` the one made now. */
export interface PlanDifference {
  readonly kind: 'only-reviewed' | 'only-fresh' | 'different';
  /** The scope, or the step if the difference is in one: `zone:shop.example/http_ratelimit`. */
  readonly place: string;
  /** `ref` of the rule, if the difference is in one. */
  readonly rule?: string;
  /** Description of the rule; present when its `ref` is not telling. */
  readonly description?: string;
  readonly message: string;
  /**
   * If both plans change the rule, the fields in which their results differ, or what they found live: `before` is the reviewed plan's value. If one does, the fields that it
   * changes: `before` is what it found live.
   */
  readonly fields?: readonly FieldChange[];
}
