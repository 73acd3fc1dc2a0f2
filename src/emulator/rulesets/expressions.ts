import type { CheckExpression } from '../environment/expression-check.ts';
import type { Switches } from '../environment/switches.ts';
import { isObject, objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import { planOf } from './place.ts';
import type { Place } from '../call/place.ts';
import type { RuleInput } from './rule-input.ts';

/** The parts of the service that checking expressions needs. */
interface ExpressionTools {
  readonly checkExpression: CheckExpression;
  readonly switches: Switches;
}

interface HeldExpression {
  readonly field: string;
  readonly text: string;
  readonly pointer: string;
  readonly mode: 'filter' | 'value';
}

/** Checks every expression of a rule: first the filter, then those in its rate limit, credential check and parameters. */
export function checkExpressions(
  { checkExpression, switches }: ExpressionTools,
  input: RuleInput,
  place: Place,
): void {
  for (const { field, text, pointer, mode } of expressionsOf(input)) {
    const fault = checkExpression({ text, field, mode, phase: place.phase, plan: planOf(place.scope) });
    const isNewer = fault?.atUnknownName === true && switches.expressionNames === 'any';
    if (fault !== undefined && !isNewer) {
      // What the plan lacks is reported without code and pointer (api.md 1.6).
      throw refuse(400, fault.message, {
        code: fault.code,
        pointer: fault.code === undefined ? undefined : pointer,
      });
    }
  }
}

function* expressionsOf(input: RuleInput): Iterable<HeldExpression> {
  const { pointer } = input;
  yield {
    field: 'expression',
    text: input.expression ?? '',
    pointer: `${pointer}/expression`,
    mode: 'filter',
  };
  // A blank counting expression means the expression of the rule (api.md 3.4).
  const counting = textAt(input.ratelimit ?? {}, 'counting_expression') ?? '';
  if (counting !== '') {
    const at = `${pointer}/ratelimit/counting_expression`;
    yield { field: 'counting_expression', text: counting, pointer: at, mode: 'filter' };
  }
  for (const [key, text] of Object.entries(input.exposedCredentialCheck ?? {})) {
    const at = `${pointer}/exposed_credential_check/${key}`;
    yield { field: key, text: String(text), pointer: at, mode: 'value' };
  }
  yield* parameterExpressions(input.action ?? '', input.parameters ?? {}, `${pointer}/action_parameters`);
}

/** Yields the expressions in an action's parameters, all of which compute values. */
function* parameterExpressions(action: string, parameters: JsonObject, at: string): Iterable<HeldExpression> {
  switch (action) {
    case 'rewrite': {
      const uri = objectAt(parameters, 'uri') ?? {};
      yield* valueAt(objectAt(uri, 'path'), 'expression', `${at}/uri/path`);
      yield* valueAt(objectAt(uri, 'query'), 'expression', `${at}/uri/query`);
      for (const [name, change] of Object.entries(objectAt(parameters, 'headers') ?? {})) {
        yield* valueAt(isObject(change) ? change : undefined, 'expression', `${at}/headers/${name}`);
      }
      break;
    }
    case 'redirect': {
      const target = objectAt(objectAt(parameters, 'from_value') ?? {}, 'target_url');
      yield* valueAt(target, 'expression', `${at}/from_value/target_url`);
      yield* valueAt(objectAt(parameters, 'from_list'), 'key', `${at}/from_list`);
      break;
    }
    case 'set_cache_tags':
      yield* valueAt(parameters, 'expression', at);
      break;
    default:
      break;
  }
}

function* valueAt(holder: JsonObject | undefined, key: string, at: string): Iterable<HeldExpression> {
  const text = holder === undefined ? undefined : textAt(holder, key);
  if (text !== undefined) {
    yield { field: key, text, pointer: `${at}/${key}`, mode: 'value' };
  }
}
