import type { FieldChange } from './field-change.ts';

/** One difference between what two plans do; `reviewed` is the plan that somebody looked at, `fresh` the one made now. */
export interface PlanDifference {
  readonly kind: 'only-reviewed' | 'only-fresh' | 'different';
  /** The scope, or the step where the difference is in one: `zone:shop.example/http_ratelimit`. */
  readonly place: string;
  /** `ref` of the rule, where the difference is in one. */
  readonly rule?: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string;
  readonly message: string;
  /** Fields of the rule that the two plans would leave different; `before` is the reviewed plan's value. */
  readonly fields?: readonly FieldChange[];
}
