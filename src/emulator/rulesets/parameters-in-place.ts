import { invalidValue } from '../protocol/refusal.ts';
import { isObject, listAt, objectAt, pointerStep, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { CallLocation } from '../call/call-location.ts';

/** The place of the rule, and the pointer to its parameters. */
interface Where {
  readonly place: CallLocation;
  readonly at: string;
}

type Check = (parameters: WireObject, where: Where) => void;

/** The checks that depend on the phase or level, not on the action alone (api.md 4.4, 5.2 to 5.11). */
const checks: Readonly<Record<string, Check>> = {
  block: checkBlock,
  rewrite: checkRewrite,
  redirect: checkRedirect,
  set_cache_settings: checkCache,
  execute: checkOverrides,
  skip: checkSkip,
};

/** Checks an action's parameters against the place of the rule. */
export function checkParametersInPlace(action: string, parameters: WireObject, where: Where): void {
  if (Object.hasOwn(checks, action)) {
    checks[action]?.(parameters, where);
  }
}

/** Refuses the first of the named parameters that is present. */
function checkAbsent(parameters: WireObject, names: readonly string[], where: Where): void {
  const name = names.find((candidate) => parameters[candidate] !== undefined);
  if (name !== undefined) {
    const reason = `it is not allowed in the phase ${where.place.phase}`;
    throw invalidValue(parameters[name], where.at + pointerStep(name), reason);
  }
}

const MAX_PAGE_LENGTH = 30_720;

/** The maximum size of the page is documented for rate limits only (api.md 5.2). */
function checkBlock(parameters: WireObject, { place, at }: Where): void {
  const content = textAt(objectAt(parameters, 'response') ?? {}, 'content') ?? '';
  if (place.phase === 'http_ratelimit' && Buffer.byteLength(content) > MAX_PAGE_LENGTH) {
    throw invalidValue(content, `${at}/response/content`, `it must be at most ${MAX_PAGE_LENGTH} bytes long`);
  }
}

/** Request headers that cannot be changed, each with the operations that are still allowed (api.md 5.5). */
const GUARDED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^cf-connecting-ip$/u, ['remove']],
  [/^(?:x-)?cf-/u, []],
  [/^(?:x-forwarded-for|true-client-ip|x-real-ip|x-forwarded-proto|cookie)$/u, ['remove']],
];

function checkRewrite(parameters: WireObject, where: Where): void {
  const { phase } = where.place;
  const wrong = phase === 'http_request_transform' ? 'headers' : 'uri';
  checkAbsent(parameters, [wrong], where);
  if (phase !== 'http_request_late_transform') {
    return;
  }
  const headers = objectAt(parameters, 'headers') ?? {};
  for (const [name, change] of Object.entries(headers)) {
    const guard = GUARDED.find(([pattern]) => pattern.test(name.toLowerCase()));
    const operation = isObject(change) ? (textAt(change, 'operation') ?? '') : '';
    if (operation === 'add') {
      const at = `${where.at}/headers${pointerStep(name)}/operation`;
      throw invalidValue(operation, at, 'a header can be added to responses only');
    }
    if (guard !== undefined && !guard[1].includes(operation)) {
      const at = `${where.at}/headers${pointerStep(name)}`;
      throw invalidValue(operation, at, `the header ${name} cannot be changed with ${operation}`);
    }
  }
}

function checkRedirect(parameters: WireObject, where: Where): void {
  const lists = where.place.phase === 'http_request_redirect';
  checkAbsent(parameters, lists ? ['from_value'] : ['from_list'], where);
}

const RESPONSE_ONLY = ['strip_etags', 'strip_last_modified', 'strip_set_cookie'];

function checkCache(parameters: WireObject, where: Where): void {
  const wrong =
    where.place.phase === 'http_response_cache_settings'
      ? Object.keys(parameters).filter((name) => !RESPONSE_ONLY.includes(name))
      : RESPONSE_ONLY;
  checkAbsent(parameters, wrong, where);
}

/** The actions that an override may have, by phase (api.md 5.3). */
const OVERRIDE_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  ddos_l4: ['block', 'log'],
  ddos_l7: ['block', 'managed_challenge', 'challenge', 'log'],
  http_request_firewall_managed: ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'],
  http_response_firewall_managed: ['log', 'block'],
  magic_transit_managed: ['block', 'log'],
  magic_transit_ids_managed: ['log'],
};

/** The phases of DDoS protection, whose overrides take a sensitivity instead of `enabled`, as refusals call them (api.md 5.3). */
const DDOS_LAYERS: Readonly<Record<string, string>> = { ddos_l4: 'L4', ddos_l7: 'L7' };

function checkOverrides(parameters: WireObject, where: Where): void {
  const { phase } = where.place;
  if (phase !== 'http_request_firewall_managed') {
    checkAbsent(parameters, ['matched_data'], where);
  }
  const overrides = objectAt(parameters, 'overrides');
  if (overrides === undefined) {
    return;
  }
  const at = `${where.at}/overrides`;
  const levels: readonly (readonly [unknown, string])[] = [
    [overrides, at],
    ...listAt(overrides, 'categories').map((entry, i) => [entry, `${at}/categories/${i}`] as const),
    ...listAt(overrides, 'rules').map((entry, i) => [entry, `${at}/rules/${i}`] as const),
  ];
  for (const [entry, pointer] of levels) {
    if (isObject(entry)) {
      checkOverride(entry, pointer, phase);
    }
  }
  checkNamedOnce(overrides, 'categories', 'category', at);
  checkNamedOnce(overrides, 'rules', 'id', at);
}

/** Refuses a second entry for one category or rule: assumed (api.md 5.3). */
function checkNamedOnce(overrides: WireObject, name: string, member: string, at: string): void {
  const named = listAt(overrides, name).map((entry) => (isObject(entry) ? textAt(entry, member) : undefined));
  const again = named.findIndex((key, index) => key !== undefined && named.indexOf(key) < index);
  if (again >= 0) {
    const reason = 'another override already has this value';
    throw invalidValue(named[again], `${at}/${name}/${again}/${member}`, reason);
  }
}

function checkOverride(entry: WireObject, at: string, phase: string): void {
  const action = textAt(entry, 'action');
  const allowed = OVERRIDE_ACTIONS[phase];
  if (action !== undefined && allowed?.includes(action) !== true) {
    throw invalidValue(
      action,
      `${at}/action`,
      `it cannot be the action of an override in the phase ${phase}`,
    );
  }
  const layer = DDOS_LAYERS[phase];
  if (layer !== undefined && entry['enabled'] !== undefined) {
    const reason = `DDoS ${layer} overrides cannot use the enabled field`;
    throw invalidValue(entry['enabled'], `${at}/enabled`, reason);
  }
  const sensitivity = entry['sensitivity_level'];
  if (sensitivity !== undefined && layer === undefined) {
    throw invalidValue(sensitivity, `${at}/sensitivity_level`, `it is not allowed in the phase ${phase}`);
  }
}

/** The skip parameters that a phase accepts; other phases accept all (api.md 5.4). */
const SKIP_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  http_request_firewall_managed: ['ruleset', 'rulesets', 'rules'],
  magic_transit: ['ruleset'],
};

function checkSkip(parameters: WireObject, where: Where): void {
  const { place } = where;
  const known = SKIP_PARAMETERS[place.phase];
  const wrong = known === undefined ? [] : Object.keys(parameters).filter((name) => !known.includes(name));
  checkAbsent(parameters, wrong, where);
  if (place.scope.kind !== 'zone') {
    checkAbsent(parameters, ['phase'], where);
  }
}
