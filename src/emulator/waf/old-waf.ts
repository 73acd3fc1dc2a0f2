import type { JsonObject } from '../protocol/json.ts';
import type { DenyMode } from './catalogue-rows.ts';
import type { WafGroup, WafPackage, WafRule } from './catalogue.ts';
import type { OldWaf, WafOverride } from '../records/old-waf.ts';

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
export function showPackage(waf: OldWaf, each: WafPackage): JsonObject {
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
export function showGroup(waf: OldWaf, group: WafGroup): JsonObject {
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
export function showRule(waf: OldWaf, rule: WafRule): JsonObject {
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
export function showOverride({ id, content }: WafOverride): JsonObject {
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
