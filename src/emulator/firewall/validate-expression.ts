import { type Call, readBody } from '../call.ts';
import { object, text } from '../decode/shape.ts';
import { textAt } from '../json.ts';
import { type Answer, nulls } from '../protocol/answer.ts';
import { isRefusal, type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { oldParseError } from './filter-expression.ts';

const body = object({ expression: text() }, { required: ['expression'] });

/** GET validate-expr: the expression stands in the query (api.md 9.2). */
export function validateQuery(call: Call): Answer | Refusal {
  return validate(call.query.get('expression') ?? '');
}

/** POST validate-expr: the expression stands in the body (api.md 9.2). */
export function validateBody(call: Call): Answer | Refusal {
  const sent = readBody(call, body);
  return isRefusal(sent) ? sent : validate(textAt(sent, 'expression') ?? '');
}

// It looks at the syntax alone: it stands below no zone, so that there is no plan to ask for.
function validate(expression: string): Answer | Refusal {
  const problem = oldParseError(expression);
  return problem === undefined ? nulls() : { ...refuse(400, serviceError(problem)), messages: null };
}
