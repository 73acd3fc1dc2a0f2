import { checkForm, knownPart } from '../decode/decode.ts';
import { pointerStep } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { actionRow } from './actions.ts';
import type { RawRule } from './body.ts';
import type { Switches } from '../environment/switches.ts';

/** A rule as a client sent it: decoded, but not checked yet. An empty `id` or `ref` counts as absent (api.md 2.2). */
export interface RuleInput {
  /** Where the rule is in the body: `/rules/3`, or empty when the rule is the whole body. */
  readonly pointer: string;
  readonly id: string | undefined;
  readonly ref: string | undefined;
  /** Whether the rule only names an existing rule by its id, and says nothing else. */
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

/** The part of the service that decoding rules needs. */
interface DecodeTools {
  readonly switches: Switches;
}

const READ_ONLY = ['version', 'last_updated', 'categories'];

/** Reads a decoded rule, and decodes its action parameters by the shape for the action. */
export function readRule(raw: RawRule, pointer: string, { switches }: DecodeTools): RuleInput {
  const action = raw.action || undefined;
  const parameters = raw.action_parameters;
  const row = action === undefined ? undefined : actionRow(action);
  if (row !== undefined && parameters !== undefined) {
    const known = switches.parameters === 'any' ? knownPart(row.parameters, parameters) : parameters;
    checkForm(row.parameters, known, `${pointer}/action_parameters`);
  }
  const id = raw.id || undefined;
  const says = Object.entries(raw).filter(([key, value]) => !READ_ONLY.includes(key) && value !== '');
  return {
    pointer,
    id,
    ref: raw.ref || undefined,
    bare: id !== undefined && says.every(([key]) => key === 'id'),
    action,
    parameters,
    expression: raw.expression,
    description: raw.description,
    enabled: raw.enabled,
    logging: raw.logging,
    ratelimit: raw.ratelimit,
    exposedCredentialCheck: raw.exposed_credential_check,
  };
}

/** Reads the `rules` of a body; undefined when the body has none. */
export function readRules(
  body: { readonly rules?: readonly RawRule[] },
  tools: DecodeTools,
): readonly RuleInput[] | undefined {
  return body.rules?.map((raw, index) => readRule(raw, `/rules${pointerStep(index)}`, tools));
}
