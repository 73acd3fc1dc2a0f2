import { checkForm } from '../decode/decode.ts';
import { flagAt, isObject, listAt, objectAt, pointerStep, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { actionRow } from './actions.ts';

/** A rule as a client sent it, decoded but not yet judged. An empty `id` or `ref` counts as absent (api.md 2.2). */
export interface RuleInput {
  /** Where it stands in the body: `/rules/3`, or empty when it is the body. */
  readonly pointer: string;
  readonly id: string | undefined;
  readonly ref: string | undefined;
  /** Whether it names an existing rule and says nothing about it. */
  readonly bare: boolean;
  readonly action: string | undefined;
  readonly parameters: JsonObject | undefined;
  readonly expression: string | undefined;
  readonly description: string | undefined;
  readonly enabled: boolean | undefined;
  readonly logging: JsonObject | undefined;
  readonly ratelimit: JsonObject | undefined;
  readonly exposedCredentialCheck: JsonObject | undefined;
}

const READ_ONLY = ['version', 'last_updated', 'categories'];

/** Reads a rule whose body was decoded; its action's parameters are decoded here, by the action's table. */
export function readRule(raw: JsonObject, pointer: string): RuleInput {
  const action = nonEmpty(textAt(raw, 'action'));
  const parameters = objectAt(raw, 'action_parameters');
  const row = action === undefined ? undefined : actionRow(action);
  if (row !== undefined && parameters !== undefined) {
    checkForm(row.parameters, parameters, `${pointer}/action_parameters`);
  }
  const said = Object.keys(raw).filter((key) => !READ_ONLY.includes(key) && raw[key] !== '');
  const id = nonEmpty(textAt(raw, 'id'));
  return {
    pointer,
    id,
    ref: nonEmpty(textAt(raw, 'ref')),
    bare: id !== undefined && said.every((key) => key === 'id'),
    action,
    parameters,
    expression: textAt(raw, 'expression'),
    description: textAt(raw, 'description'),
    enabled: flagAt(raw, 'enabled'),
    logging: objectAt(raw, 'logging'),
    ratelimit: objectAt(raw, 'ratelimit'),
    exposedCredentialCheck: objectAt(raw, 'exposed_credential_check'),
  };
}

/** Reads the `rules` of a body; undefined when the body has none. */
export function readRules(body: JsonObject): readonly RuleInput[] | undefined {
  return body['rules'] === undefined
    ? undefined
    : listAt(body, 'rules').map((raw, index) =>
        readRule(isObject(raw) ? raw : {}, `/rules${pointerStep(index)}`),
      );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
