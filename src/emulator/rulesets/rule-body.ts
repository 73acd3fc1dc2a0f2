import { flag, integer, list, map, object, opaque, text } from '../decode/body-shape.ts';
import type { Unbounded, ValueOf } from '../decode/body-shape.ts';
import { checkForm, knownPart } from '../decode/decode.ts';
import { pointerStep } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { Switches } from '../environment/switches.ts';
import { actionRow } from './action-rows.ts';

const expression = text({ min: 1, max: 1024 });

/** The fields of a `ratelimit` object, with the bounds that hold for every plan (api.md 3.4). */
export const ratelimit = object(
  {
    characteristics: list(text({ min: 1 }), { min: 1, unique: true }),
    period: integer(1),
    requests_per_period: integer(1, 10_000_000),
    score_per_period: integer(1, 10_000_000),
    score_response_header_name: text({ min: 1 }),
    mitigation_timeout: integer(0),
    counting_expression: text(),
    requests_to_origin: flag(),
    mitigation_expression: text(),
  },
  {
    required: ['characteristics', 'period'],
    one: ['requests_per_period', 'score_per_period'],
    also: (value) => {
      const scored = value['score_per_period'] !== undefined;
      const named = value['score_response_header_name'] !== undefined;
      return scored === named
        ? undefined
        : {
            at: 'score_response_header_name',
            reason: scored
              ? 'it is required with score_per_period'
              : 'it is only allowed with score_per_period',
          };
    },
  },
);

/** Whether a skip rule logs (api.md 3.2). */
export const logging = object({ enabled: flag() }, { required: ['enabled'] });

/** Where the credentials are in a request (api.md 3.2). */
export const exposedCredentialCheck = object(
  { username_expression: expression, password_expression: expression },
  { required: ['username_expression', 'password_expression'] },
);

const ruleFields = {
  id: text(),
  action: text(),
  // Decoded by the shape for the action (rule-input.ts).
  action_parameters: map(opaque),
  description: text(),
  enabled: flag(),
  exposed_credential_check: exposedCredentialCheck,
  expression: text(),
  logging,
  ratelimit,
  ref: text(),
  // Read-only members that clients send back: accepted and ignored (api.md 2.2).
  version: opaque,
  last_updated: opaque,
  categories: opaque,
} as const;

/** A rule in a list of rules; `action_parameters` are decoded separately. */
export const ruleShape = object(ruleFields);

/** A rule in a list of rules, decoded. */
export type RawRule = Unbounded<ValueOf<typeof ruleShape>>;

/** The body of POST and PATCH of one rule. */
export const ruleBody = object({
  ...ruleFields,
  position: object({ before: text(), after: text(), index: integer() }),
});

const rules = list(ruleShape);

/** The body of POST ruleset (api.md 2.2). */
export const createBody = object({
  name: text(),
  kind: text(),
  phase: text(),
  description: text(),
  rules,
});

/** The body of PUT ruleset; the unchangeable fields are accepted so that they can be compared (api.md 2.2). */
export const updateBody = object({
  id: opaque,
  name: text(),
  kind: text(),
  phase: text(),
  description: text(),
  rules,
});

/** The body of PUT entry point; `kind` and `phase` are unknown fields here (api.md 0.3 number 10). */
export const entryPointBody = object({ name: text(), description: text(), rules });

/** A rule as a client sent it: decoded, but not checked yet. An empty `id` or `ref` counts as absent (api.md 2.2). */
export interface RuleInput {
  /** Where the rule is in the body: `/rules/3`, or empty when the rule is the whole body. */
  readonly pointer: string;
  readonly id: string | undefined;
  readonly ref: string | undefined;
  /** Whether the rule only names an existing rule by its id, and says nothing else. */
  readonly bare: boolean;
  readonly action: string | undefined;
  readonly parameters: WireObject | undefined;
  readonly expression: string | undefined;
  readonly description: string | undefined;
  readonly enabled: boolean | undefined;
  readonly logging: WireObject | undefined;
  readonly ratelimit: WireObject | undefined;
  readonly exposedCredentialCheck: WireObject | undefined;
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
