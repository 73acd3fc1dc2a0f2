import { invalidValue } from '../decode/bounds.ts';
import { isObject, type JsonObject, listAt, objectAt, pointerStep, textAt } from '../json.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Place } from './place.ts';

/** Where a parameter object stands. */
interface Where {
  readonly place: Place;
  readonly at: string;
}

type Check = (parameters: JsonObject, where: Where) => Refusal | undefined;

/** What depends on the phase or level rather than on the action alone (api.md 4.4, 5.3 to 5.11). */
const checks: Readonly<Record<string, Check>> = {
  rewrite: rewriteProblem,
  redirect: redirectProblem,
  set_cache_settings: cacheProblem,
  execute: overridesProblem,
  skip: skipProblem,
};

/** Judges an action's parameters by the place of the rule. */
export function parametersInPlaceProblem(
  action: string,
  parameters: JsonObject,
  where: Where,
): Refusal | undefined {
  return Object.hasOwn(checks, action) ? checks[action]?.(parameters, where) : undefined;
}

function misplaced(parameters: JsonObject, names: readonly string[], where: Where): Refusal | undefined {
  const name = names.find((candidate) => parameters[candidate] !== undefined);
  return name === undefined
    ? undefined
    : invalidValue(
        parameters[name],
        where.at + pointerStep(name),
        `it is not allowed in the phase ${where.place.phase}`,
      );
}

/** Request headers that cannot be changed, with what is still possible (api.md 5.5). */
const GUARDED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^cf-connecting-ip$/u, ['remove']],
  [/^(?:x-)?cf-/u, []],
  [/^(?:x-forwarded-for|true-client-ip|x-real-ip)$/u, []],
  [/^(?:x-forwarded-proto|cookie)$/u, ['remove']],
];

function rewriteProblem(parameters: JsonObject, where: Where): Refusal | undefined {
  const { phase } = where.place;
  const wrong = phase === 'http_request_transform' ? 'headers' : 'uri';
  const problem = misplaced(parameters, [wrong], where);
  if (problem !== undefined || phase !== 'http_request_late_transform') {
    return problem;
  }
  const headers = objectAt(parameters, 'headers') ?? {};
  for (const [name, change] of Object.entries(headers)) {
    const guard = GUARDED.find(([pattern]) => pattern.test(name.toLowerCase()));
    const operation = isObject(change) ? (textAt(change, 'operation') ?? '') : '';
    if (guard !== undefined && !guard[1].includes(operation)) {
      const at = `${where.at}/headers${pointerStep(name)}`;
      return invalidValue(operation, at, `the header ${name} cannot be changed with ${operation}`);
    }
  }
  return undefined;
}

function redirectProblem(parameters: JsonObject, where: Where): Refusal | undefined {
  const lists = where.place.phase === 'http_request_redirect';
  return misplaced(parameters, lists ? ['from_value'] : ['from_list'], where);
}

const RESPONSE_ONLY = ['strip_etags', 'strip_last_modified', 'strip_set_cookie'];

function cacheProblem(parameters: JsonObject, where: Where): Refusal | undefined {
  const wrong =
    where.place.phase === 'http_response_cache_settings'
      ? Object.keys(parameters).filter((name) => !RESPONSE_ONLY.includes(name))
      : RESPONSE_ONLY;
  return misplaced(parameters, wrong, where);
}

/** The actions that an override may give, by phase (api.md 5.3). */
const OVERRIDE_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  ddos_l4: ['block', 'log'],
  ddos_l7: ['block', 'managed_challenge', 'challenge', 'log'],
  http_request_firewall_managed: ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'],
  http_response_firewall_managed: ['log', 'block'],
  magic_transit_managed: ['block', 'log'],
  magic_transit_ids_managed: ['log'],
};

const SENSITIVE_PHASES = ['ddos_l4', 'ddos_l7'];

function overridesProblem(parameters: JsonObject, where: Where): Refusal | undefined {
  const { phase } = where.place;
  if (phase !== 'http_request_firewall_managed') {
    const problem = misplaced(parameters, ['matched_data'], where);
    if (problem !== undefined) {
      return problem;
    }
  }
  const overrides = objectAt(parameters, 'overrides');
  if (overrides === undefined) {
    return undefined;
  }
  const at = `${where.at}/overrides`;
  const levels: readonly (readonly [unknown, string])[] = [
    [overrides, at],
    ...listAt(overrides, 'categories').map((entry, i) => [entry, `${at}/categories/${i}`] as const),
    ...listAt(overrides, 'rules').map((entry, i) => [entry, `${at}/rules/${i}`] as const),
  ];
  for (const [entry, pointer] of levels) {
    const problem = isObject(entry) ? overrideProblem(entry, pointer, phase) : undefined;
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

function overrideProblem(entry: JsonObject, at: string, phase: string): Refusal | undefined {
  const action = textAt(entry, 'action');
  const allowed = OVERRIDE_ACTIONS[phase];
  if (action !== undefined && allowed?.includes(action) !== true) {
    return invalidValue(
      action,
      `${at}/action`,
      `it cannot be the action of an override in the phase ${phase}`,
    );
  }
  return entry['sensitivity_level'] !== undefined && !SENSITIVE_PHASES.includes(phase)
    ? invalidValue(
        entry['sensitivity_level'],
        `${at}/sensitivity_level`,
        `it is not allowed in the phase ${phase}`,
      )
    : undefined;
}

/** The skip parameters that a phase knows (api.md 5.4). */
const SKIP_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  http_request_firewall_managed: ['ruleset', 'rulesets', 'rules'],
  magic_transit: ['ruleset'],
};

function skipProblem(parameters: JsonObject, where: Where): Refusal | undefined {
  const { place } = where;
  const known = SKIP_PARAMETERS[place.phase];
  const wrong = known === undefined ? [] : Object.keys(parameters).filter((name) => !known.includes(name));
  return (
    misplaced(parameters, wrong, where) ??
    (place.kind === 'zone' ? undefined : misplaced(parameters, ['phase'], where))
  );
}
