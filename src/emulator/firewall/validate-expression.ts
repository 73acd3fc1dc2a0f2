import { readBody } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import { object, text } from '../decode/shape.ts';
import { nulls } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import { oldParseError } from './filter-expression.ts';

const body = object({ expression: text() }, { required: ['expression'] });

/** GET validate-expr: the expression is in the query (api.md 9.2). */
export function validateQuery(call: Call): Answer {
  return validate(call.query.get('expression') ?? '');
}

/** POST validate-expr: the expression is in the body (api.md 9.2). */
export function validateBody(call: Call): Answer {
  return validate(readBody(call, body).expression);
}

// Checks the syntax only: the path names no zone, so there is no plan to check against.
function validate(expression: string): Answer {
  const problem = oldParseError(expression);
  if (problem !== undefined) {
    throw refuse(400, problem, { messages: null });
  }
  return nulls();
}
