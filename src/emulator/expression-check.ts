import type { PlanLevel } from './store/records.ts';

/** What is asked about an expression of a rule. */
export interface ExpressionQuestion {
  readonly text: string;
  /** Which field holds it; error texts name it. */
  readonly field: string;
  readonly phase: string;
  readonly kind: string;
  readonly plan: PlanLevel;
}

/** What is wrong with an expression: the service's code, if known, and its message. */
export interface ExpressionFault {
  readonly code?: number;
  readonly message: string;
}

/** Decides whether the service would take an expression. */
export type CheckExpression = (question: ExpressionQuestion) => ExpressionFault | undefined;

const LONGEST = 4096;

/** Checks only what needs no parser: an expression is not blank and at most 4096 characters long (api.md 1.6, 8.2). */
export const checkExpressionSize: CheckExpression = ({ text, field }) => {
  if (text.trim() === '') {
    return {
      code: 20125,
      message: `'${text}' is not a valid value for ${field} because the expression cannot be blank`,
    };
  }
  const size = Array.from(text).length;
  return size > LONGEST
    ? { code: 20127, message: `expression size ${size} exceeded maximum ${LONGEST}` }
    : undefined;
};
