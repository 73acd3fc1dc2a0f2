import { parseExpression } from '../../expression/index.ts';
import { boundsProblem, invalidValue } from '../decode/bounds.ts';
import type { JsonObject } from '../json.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import type { CheckExpression } from '../expression-check.ts';
import type { Switches } from '../switches.ts';
import { type ActionRow, actionRow } from './actions.ts';
import { exposedCredentialCheck, logging } from './body.ts';
import { actionNotPossible, actionRequired, parametersRequired } from './errors.ts';
import { expressionsProblem } from './expressions.ts';
import { parametersInPlaceProblem } from './parameters-in-place.ts';
import { allowedActions, phaseRow } from './phases.ts';
import type { Place } from './place.ts';
import { fillRatelimit, ratelimitProblem } from './ratelimit.ts';
import type { RuleInput } from './rule-input.ts';
import type { RuleDefinition } from './ruleset.ts';

/** What judging a rule needs of the service. */
export interface JudgeTools {
  readonly checkExpression: CheckExpression;
  readonly switches: Switches;
}

/** A judged definition, before its `ref` is settled. */
export type RefLess = Omit<RuleDefinition, 'ref'>;

/**
 * Judges one rule in the order of api.md 6.5 (required fields, action in phase and kind, parameters, expressions) and
 * fills in what the service fills in. References to other objects, entitlements and quotas are judged for whole lists.
 */
export function defineRule(service: JudgeTools, input: RuleInput, place: Place): RefLess | Refusal {
  const action = actionOf(input, place);
  if (isRefusal(action)) {
    return action;
  }
  const problem =
    parametersProblem(action, input, place) ??
    extrasProblem(action.name, input, place) ??
    expressionsProblem(service.checkExpression, input, place) ??
    accountExpressionProblem(service, action.name, input, place);
  if (problem !== undefined) {
    return problem;
  }
  const parameters = storedParameters(service, input.parameters);
  return {
    action: action.name,
    ...(parameters === undefined ? {} : { action_parameters: parameters }),
    expression: input.expression ?? '',
    description: input.description ?? '',
    enabled: input.enabled ?? true,
    // Stored for skip rules only, where the log is on unless it is switched off (api.md 0.3 number 16).
    ...(action.name === 'skip' ? { logging: input.logging ?? { enabled: true } } : {}),
    ...(input.ratelimit === undefined ? {} : { ratelimit: fillRatelimit(input.ratelimit, action.name) }),
    ...(input.exposedCredentialCheck === undefined
      ? {}
      : { exposed_credential_check: input.exposedCredentialCheck }),
  };
}

interface NamedAction {
  readonly name: string;
  readonly row: ActionRow;
}

function actionOf(input: RuleInput, place: Place): NamedAction | Refusal {
  const pointer = `${input.pointer}/action`;
  if (input.action === undefined) {
    return input.parameters === undefined
      ? invalidValue('', pointer, 'the action cannot be blank')
      : actionRequired();
  }
  const row = actionRow(input.action);
  if (row === undefined) {
    return invalidValue(input.action, pointer, 'it is not a known action');
  }
  const allowed = allowedActions(place.phase, place.kind, place.scope.kind) ?? [];
  return allowed.includes(input.action)
    ? { name: input.action, row }
    : actionNotPossible(input.action, place, pointer);
}

function parametersProblem(action: NamedAction, input: RuleInput, place: Place): Refusal | undefined {
  const given = input.parameters !== undefined && Object.keys(input.parameters).length > 0;
  if (!given || input.parameters === undefined) {
    return action.row.need === 'required'
      ? parametersRequired(action.name, action.row.missingCode)
      : undefined;
  }
  const at = `${input.pointer}/action_parameters`;
  return (
    boundsProblem(action.row.parameters, input.parameters, at) ??
    parametersInPlaceProblem(action.name, input.parameters, { place, at })
  );
}

function extrasProblem(action: string, input: RuleInput, place: Place): Refusal | undefined {
  if (input.logging !== undefined) {
    const problem = boundsProblem(logging, input.logging, `${input.pointer}/logging`);
    if (problem !== undefined) {
      return problem;
    }
  }
  return ratelimitProblem(action, input, place) ?? credentialCheckProblem(action, input, place);
}

/** The actions of rules that look for leaked credentials (api.md 3.2). */
const CREDENTIAL_ACTIONS = ['rewrite', 'log', 'block', 'js_challenge', 'challenge'];

function credentialCheckProblem(action: string, input: RuleInput, place: Place): Refusal | undefined {
  const { exposedCredentialCheck: check, pointer } = input;
  const at = `${pointer}/exposed_credential_check`;
  if (check === undefined) {
    // A custom ruleset changes headers only to say what such a check found (api.md 4.4).
    return action === 'rewrite' && place.kind === 'custom'
      ? invalidValue(check, at, 'a rewrite in a custom ruleset needs one')
      : undefined;
  }
  if (place.kind !== 'custom' || place.scope.kind !== 'account') {
    return invalidValue(check, at, 'it is only allowed in custom rulesets of an account');
  }
  return CREDENTIAL_ACTIONS.includes(action)
    ? boundsProblem(exposedCredentialCheck, check, at)
    : invalidValue(check, at, `it does not go with the ${action} action`);
}

const ENTERPRISE_ONLY = /(?:^|\)\s*(?:and|&&)\s*)\(?\s*cf\.zone\.plan\s+(?:eq|==)\s+"ENT"\s*\)?\s*$/u;

// Account rules of the firewall phases must say that they are for Enterprise zones (api.md 4.4; text assumed).
function accountExpressionProblem(
  service: JudgeTools,
  action: string,
  input: RuleInput,
  place: Place,
): Refusal | undefined {
  const bound =
    service.switches.accountExpressions === 'required' &&
    place.kind === 'root' &&
    phaseRow(place.phase)?.waf === true &&
    (action === 'execute' || action === 'skip');
  return bound && !isForEnterprise(input.expression ?? '')
    ? invalidValue(
        input.expression ?? '',
        `${input.pointer}/expression`,
        'custom conditions must be in parentheses and followed by and cf.zone.plan eq "ENT"',
      )
    : undefined;
}

/** Whether the clause closes the text and holds for all of it: `and` binds tighter than `or`. */
function isForEnterprise(text: string): boolean {
  const parsed = parseExpression(text, { mode: 'filter' });
  const joined = parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root.kind : undefined;
  return ENTERPRISE_ONLY.test(text) && joined !== 'or' && joined !== 'xor';
}

/** Parameters as they are kept: none when empty; the older `version: "latest"` of execute is not kept. */
function storedParameters(service: JudgeTools, parameters: JsonObject | undefined): JsonObject | undefined {
  if (parameters === undefined || Object.keys(parameters).length === 0) {
    return undefined;
  }
  if (parameters['version'] === 'latest' && service.switches.executeVersion === 'absent') {
    const { version, ...kept } = parameters;
    return version === undefined ? parameters : kept;
  }
  return parameters;
}
