import type { WireObject } from '../protocol/wire-object.ts';
import type { OldWaf, WafOverride } from '../records/old-records.ts';
import { zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { checkServicesPermission, interfaceGone, interfaceState } from '../call/old-interfaces.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory-record.ts';
import { testsOf, checkWord, pageOf, readPage } from '../listing/list-page.ts';
import type { Narrowings } from '../listing/list-page.ts';
import type { Answer } from '../protocol/answer.ts';
import { flag, integer, list, map, object, text, word } from '../decode/body-shape.ts';
import type { DenyMode, WafGroup, WafPackage, WafRule } from './waf-catalogue.ts';
import { stateOf } from './migration-state.ts';

/** Returns the old WAF of a zone that has set nothing. */
export function untouchedWaf(zone: string): OldWaf {
  return { zone, enabled: true, packages: {}, groups: {}, rules: {} };
}

/** Returns whether a group is on or off. */
export function groupMode(waf: OldWaf, group: WafGroup): 'on' | 'off' {
  return waf.groups[group.id] ?? 'on';
}

const DENY_MODES: readonly DenyMode[] = ['default', 'disable', 'simulate', 'block', 'challenge'];

/** Returns the modes that a rule can have (api.md 9.4). */
export function allowedModes(rule: WafRule): readonly string[] {
  return rule.row.kind === 'deny' ? DENY_MODES : ['on', 'off'];
}

/** Returns the mode that a rule has until it is set to another; settings never hold it. */
export function modeAsDelivered(rule: WafRule): string {
  return rule.row.kind === 'deny' ? 'default' : 'on';
}

/** Returns the current mode of a rule, as answers show it. */
export function ruleMode(waf: OldWaf, rule: WafRule): string {
  return waf.rules[rule.row.id] ?? modeAsDelivered(rule);
}

/** Shows a package as in answers. */
export function showPackage(waf: OldWaf, each: WafPackage): WireObject {
  const shared = {
    id: each.id,
    name: each.row.name,
    description: each.row.description,
    detection_mode: each.row.detection,
    zone_id: waf.zone,
    status: 'active',
  };
  if (each.row.detection === 'traditional') {
    return shared;
  }
  const { sensitivity = 'high', action_mode = 'challenge' } = waf.packages[each.id] ?? {};
  return { ...shared, sensitivity, action_mode };
}

/** Shows a group as in answers. */
export function showGroup(waf: OldWaf, group: WafGroup): WireObject {
  const rules = group.package.rules.filter((rule) => rule.group === group);
  return {
    id: group.id,
    name: group.row.name,
    description: group.row.description,
    rules_count: rules.length,
    modified_rules_count: rules.filter((rule) => waf.rules[rule.row.id] !== undefined).length,
    package_id: group.package.id,
    mode: groupMode(waf, group),
    allowed_modes: ['on', 'off'],
  };
}

/** Shows a rule as in answers, in one of three forms (api.md 9.4). */
export function showRule(waf: OldWaf, rule: WafRule): WireObject {
  return {
    id: rule.row.id,
    description: rule.row.description,
    priority: String(rule.priority),
    package_id: rule.group.package.id,
    group: { id: rule.group.id, name: rule.group.row.name },
    default_mode: rule.row.kind === 'deny' ? rule.row.standard : undefined,
    mode: ruleMode(waf, rule),
    allowed_modes: allowedModes(rule),
  };
}

/** Shows an override as in answers; a description that was not given is left out. */
export function showOverride({ id, content }: WafOverride): WireObject {
  return {
    id,
    description: content['description'],
    urls: content['urls'],
    priority: content['priority'] ?? 0,
    groups: content['groups'] ?? {},
    rules: content['rules'] ?? {},
    rewrite_action: content['rewrite_action'] ?? {},
    paused: content['paused'] ?? false,
  };
}

/**
 * Returns the old WAF of the zone for a call that reads or writes it. Refuses a call without permission (api.md 11.3),
 * after the interface is gone (a switch, api.md 13.4), and after the zone has migrated (specification 3.1 rule 2, 7.4).
 */
export function openOldWaf(call: ScopedCall, access: Access): { readonly zone: Zone; readonly waf: OldWaf } {
  checkServicesPermission(call, access);
  const { service } = call;
  const zone = zoneOf(call);
  if (interfaceState(call) === 'gone') {
    throw interfaceGone();
  }
  if (stateOf(service, zone).oldWaf === 'disabled') {
    throw refuse(410, 'the previous managed rules of this zone are gone: it uses the new managed rules');
  }
  return { zone, waf: service.store.oldWafs.get(zone.id) ?? untouchedWaf(zone.id) };
}

/** How a list of items can be narrowed and ordered; the items are as answers show them. */
export interface OrderedListRules {
  readonly narrowings: Narrowings<WireObject>;
  readonly orders: readonly string[];
  /** Whether `result_info` contains `total_pages` (api.md 1.3). */
  readonly totalPages: 'said' | 'unsaid';
}

const BOUNDS = { min: 5, max: 100, standard: 50 };

/**
 * Answers with one page of the items that match the query (api.md 1.3): filters, `match`, `order`, `direction`, `page`,
 * `per_page`.
 */
export function answerList(
  query: URLSearchParams,
  items: readonly WireObject[],
  rules: OrderedListRules,
): Answer {
  const page = readPage(query, BOUNDS);
  checkWord(query, 'match', ['all', 'any']);
  checkWord(query, 'direction', ['asc', 'desc']);
  checkWord(query, 'order', rules.orders);
  const { narrowings, totalPages } = rules;
  return pageOf(ordered(narrowed(items, query, narrowings), query), { ...page, totalPages }, (item) => item);
}

function narrowed(
  items: readonly WireObject[],
  query: URLSearchParams,
  narrowings: Narrowings<WireObject>,
): readonly WireObject[] {
  const tests = testsOf(query, narrowings);
  const any = query.get('match') === 'any' && tests.length > 0;
  return items.filter((item) => (any ? tests.some((test) => test(item)) : tests.every((test) => test(item))));
}

function ordered(items: readonly WireObject[], query: URLSearchParams): readonly WireObject[] {
  const key = query.get('order');
  const sign = query.get('direction') === 'desc' ? -1 : 1;
  if (key === null) {
    return sign === 1 ? items : items.toReversed();
  }
  return items.toSorted((a, b) => sign * compare(sortValue(a, key), sortValue(b, key)));
}

function sortValue(item: WireObject, key: string): number | string {
  const group = item['group'];
  const value =
    key === 'group_id' && typeof group === 'object' && group !== null && 'id' in group ? group.id : item[key];
  return typeof value === 'string' && !/^\d+$/u.test(value) ? value : Number(value);
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const actions = ['challenge', 'block', 'simulate', 'disable', 'default'] as const;
const action = word(...actions);

/** The body of PATCH for an anomaly package. */
export const packageBody = object(
  { sensitivity: word('high', 'medium', 'low', 'off'), action_mode: word('simulate', 'block', 'challenge') },
  { some: 'any' },
);

/** The body of PATCH for a group. */
export const groupBody = object({ mode: word('on', 'off') }, { required: ['mode'] });

/** The body of PATCH for a rule; the rule decides which modes are allowed. */
export const ruleBody = object({ mode: text({ min: 1 }) }, { required: ['mode'] });

const overrideFields = {
  id: text(),
  description: text(),
  // Host and path without a scheme; `*` stands for anything.
  urls: list(text({ min: 1, max: 1024, pattern: /^(?![a-zA-Z][a-zA-Z0-9+.-]*:\/\/)\S+$/u }), { min: 1 }),
  priority: integer(-1_000_000_000, 1_000_000_000),
  groups: map(action, { key: /^[0-9a-f]{32}$/u }),
  rules: map(action, { key: /^[0-9A-Za-z]+$/u }),
  rewrite_action: object(Object.fromEntries(actions.map((name) => [name, action]))),
  paused: flag(),
};

/** The body of POST for a URI-based override (api.md 9.5). */
export const createOverrideBody = object(overrideFields, {
  required: ['urls'],
  some: ['groups', 'rules'],
});

/** The body of PUT for a URI-based override (api.md 9.5). */
export const putOverrideBody = object(overrideFields, {
  required: ['id', 'urls', 'rules', 'rewrite_action'],
});
