import { parseExpression } from '../../expression/index.ts';
import { checkBounds } from '../decode/bounds.ts';
import { refuse, invalidValue } from '../protocol/refusal.ts';
import { objectAt, isObject, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { CheckExpression } from '../environment/expression-check.ts';
import type { Switches } from '../environment/switches.ts';
import type { CallLocation } from '../call/call-location.ts';
import type { RuleDefinition } from '../records/ruleset-record.ts';
import { actionRow, NEWER_ACTION } from './action-rows.ts';
import type { ActionRow } from './action-rows.ts';
import { exposedCredentialCheck, logging } from './rule-body.ts';
import { checkParametersInPlace } from './parameters-in-place.ts';
import { allowedActions, phaseRow } from './parameters/phase-rows.ts';
import { checkRatelimitForm, fillRatelimit } from './ratelimit.ts';
import type { RuleInput } from './rule-body.ts';
import { planOf } from './visible-phases.ts';

/** The parts of the service that checking a rule needs. */
export interface JudgeTools {
  readonly checkExpression: CheckExpression;
  readonly switches: Switches;
}

/** A checked definition whose `ref` is not settled yet. */
export type RefLess = Omit<RuleDefinition, 'ref'>;

/**
 * Checks one rule in the order of api.md 6.5 (required fields, action in phase and kind, parameters, expressions) and
 * fills in the service's defaults. References to other objects, entitlements and quotas are checked later, for whole
 * lists.
 */
export function defineRule(service: JudgeTools, input: RuleInput, place: CallLocation): RefLess {
  const action = actionOf(service, input, place);
  checkParameters(action, input, place);
  checkExtras(action.name, input, place);
  checkExpressions(service, input, place);
  checkAccountExpression(service, action.name, input, place);
  const parameters = storedParameters(service, action.name, input.parameters);
  return {
    action: action.name,
    ...(parameters === undefined ? {} : { action_parameters: parameters }),
    expression: input.expression ?? '',
    description: input.description ?? '',
    enabled: input.enabled ?? true,
    // Stored for skip rules only, which log unless that is switched off (api.md 0.3 number 16).
    ...(action.name === 'skip' ? { logging: input.logging ?? { enabled: true } } : {}),
    ...(input.ratelimit === undefined ? {} : { ratelimit: fillRatelimit(input.ratelimit) }),
    ...(input.exposedCredentialCheck === undefined
      ? {}
      : { exposed_credential_check: input.exposedCredentialCheck }),
  };
}

interface NamedAction {
  readonly name: string;
  readonly row: ActionRow;
}

function actionOf({ switches }: JudgeTools, input: RuleInput, place: CallLocation): NamedAction {
  const pointer = `${input.pointer}/action`;
  if (input.action === undefined) {
    throw input.parameters === undefined
      ? invalidValue('', pointer, 'the action cannot be blank')
      : refuse(400, 'action is required for action parameters');
  }
  const row = actionRow(input.action) ?? (switches.actions === 'any' ? NEWER_ACTION : undefined);
  if (row === undefined) {
    throw invalidValue(input.action, pointer, 'it is not a known action');
  }
  const allowed = allowedActions(place.phase, place.kind, place.scope.kind) ?? [];
  if (!allowed.includes(input.action) && (row.anywhere !== true || allowed.length === 0)) {
    const where = `in a ruleset with phase ${place.phase} and kind ${place.kind}`;
    const reason = `it is not possible to use the ${input.action} action ${where}`;
    throw invalidValue(input.action, pointer, reason, 20016);
  }
  return { name: input.action, row };
}

function checkParameters(action: NamedAction, input: RuleInput, place: CallLocation): void {
  const at = `${input.pointer}/action_parameters`;
  if (input.parameters !== undefined && Object.keys(input.parameters).length > 0) {
    checkBounds(action.row.parameters, input.parameters, at);
    checkParametersInPlace(action.name, input.parameters, { place, at });
  } else if (action.row.need === 'required') {
    const message = `action parameters are required for the ${action.name} action`;
    throw refuse(400, message, { code: action.row.missingCode });
  }
}

function checkExtras(action: string, input: RuleInput, place: CallLocation): void {
  if (input.logging !== undefined) {
    if (action !== 'skip') {
      const message = `logging is only possible with the skip action, not with ${action}`;
      throw refuse(400, message, { code: 20018, pointer: `${input.pointer}/logging` });
    }
    checkBounds(logging, input.logging, `${input.pointer}/logging`);
  }
  checkRatelimitForm(action, input, place);
  checkCredentialCheck(action, input, place);
}

/** The actions of rules that check for exposed credentials (api.md 3.2). */
const CREDENTIAL_ACTIONS = ['rewrite', 'log', 'block', 'js_challenge', 'challenge'];

function checkCredentialCheck(action: string, input: RuleInput, place: CallLocation): void {
  const { exposedCredentialCheck: check, pointer } = input;
  const at = `${pointer}/exposed_credential_check`;
  if (check === undefined) {
    // In a custom ruleset, a rule may change headers only to report what a credential check found (api.md 4.4).
    if (action === 'rewrite' && place.kind === 'custom') {
      throw invalidValue(check, at, 'a rewrite in a custom ruleset needs one');
    }
    return;
  }
  if (place.kind !== 'custom' || place.scope.kind !== 'account') {
    throw invalidValue(check, at, 'it is only allowed in custom rulesets of an account');
  }
  if (!CREDENTIAL_ACTIONS.includes(action)) {
    throw invalidValue(check, at, `it does not go with the ${action} action`);
  }
  checkBounds(exposedCredentialCheck, check, at);
}

const ENTERPRISE_ONLY = /(?:^|\)\s*(?:and|&&)\s*)\(?\s*cf\.zone\.plan\s+(?:eq|==)\s+"ENT"\s*\)?\s*$/u;

// Execute and skip rules in account entry points of the firewall phases must be restricted to Enterprise zones
// (api.md 4.4; text assumed).
function checkAccountExpression(
  service: JudgeTools,
  action: string,
  input: RuleInput,
  place: CallLocation,
): void {
  const bound =
    service.switches.accountExpressions === 'required' &&
    place.kind === 'root' &&
    phaseRow(place.phase)?.waf === true &&
    (action === 'execute' || action === 'skip');
  const { expression = '', pointer } = input;
  if (bound && !isForEnterprise(expression)) {
    const reason = 'custom conditions must be in parentheses and followed by and cf.zone.plan eq "ENT"';
    throw invalidValue(expression, `${pointer}/expression`, reason);
  }
}

/** Whether the Enterprise clause ends the text and applies to all of it (`and` binds tighter than `or`). */
function isForEnterprise(text: string): boolean {
  const parsed = parseExpression(text, { mode: 'filter' });
  const joined = parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root.kind : undefined;
  return ENTERPRISE_ONLY.test(text) && joined !== 'or' && joined !== 'xor';
}

/** Returns the parameters to store: none when they are empty, and without the older `version: "latest"` of execute, and whole where the service fills in members. */
function storedParameters(
  { switches }: JudgeTools,
  action: string,
  parameters: WireObject | undefined,
): WireObject | undefined {
  if (parameters === undefined || Object.keys(parameters).length === 0) {
    return undefined;
  }
  if (action === 'execute' && parameters['version'] === 'latest' && switches.executeVersion === 'absent') {
    const { version: _latest, ...kept } = parameters;
    return kept;
  }
  const minified = action === 'set_config' ? objectAt(parameters, 'autominify') : undefined;
  return minified === undefined
    ? parameters
    : { ...parameters, autominify: { css: false, html: false, js: false, ...minified } };
}

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
function checkExpressions(
  { checkExpression, switches }: ExpressionTools,
  input: RuleInput,
  place: CallLocation,
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
function* parameterExpressions(action: string, parameters: WireObject, at: string): Iterable<HeldExpression> {
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

function* valueAt(holder: WireObject | undefined, key: string, at: string): Iterable<HeldExpression> {
  const text = holder === undefined ? undefined : textAt(holder, key);
  if (text !== undefined) {
    yield { field: key, text, pointer: `${at}/${key}`, mode: 'value' };
  }
}
