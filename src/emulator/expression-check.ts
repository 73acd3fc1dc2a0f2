import {
  checkExpression as lint,
  formatParseError,
  parseExpression,
  utf16Offsets,
} from '../expression/index.ts';
import type { PlanLevel } from './store/records.ts';

/** What is asked about an expression of a rule. */
export interface ExpressionQuestion {
  readonly text: string;
  /** `filter` for conditions, `value` for what a rewrite or redirect computes. */
  readonly mode: 'filter' | 'value';
  /** Which field holds it; error texts name it. */
  readonly field: string;
  readonly phase: string;
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

/** Checks size, syntax, and whether the plan has the fields, functions and operators (api.md 1.6, rules-language.md 3). */
export const checkExpression: CheckExpression = (question) =>
  checkExpressionSize(question) ?? syntaxFault(question) ?? entitlementFault(question);

function syntaxFault({ text, mode, field }: ExpressionQuestion): ExpressionFault | undefined {
  const parsed = parseExpression(text, { mode });
  return parsed.ok
    ? undefined
    : {
        code: 20127,
        message: `'${text}' is not a valid value for ${field} because could not parse filter expression: ${formatParseError(text, parsed.error)}`,
      };
}

const OPERATOR_PLANS: Readonly<Record<string, string>> = {
  http_ratelimit: 'an Advanced Rate Limiting plan',
};

function entitlementFault({ text, mode, phase, plan }: ExpressionQuestion): ExpressionFault | undefined {
  // The largest plan has everything.
  if (plan === 'enterprise') {
    return undefined;
  }
  const lacking = lint(text, { use: mode, plan }).findings.find(({ code }) => code === 'expression/plan');
  if (lacking === undefined) {
    return undefined;
  }
  const offsets = utf16Offsets(text);
  const used = text.slice(offsets(lacking.span.start), offsets(lacking.span.end));
  const operator = /^(?:matches|~)$/u.test(used);
  const need = operator
    ? (OPERATOR_PLANS[phase] ?? 'a Business plan or a WAF Advanced plan')
    : phase === 'http_ratelimit'
      ? 'an higher Advanced Rate Limiting plan'
      : 'a higher plan';
  return {
    message: `not entitled: the use of ${operator ? 'operator Matches' : `field ${used}`} is not allowed, ${need} is required`,
  };
}
