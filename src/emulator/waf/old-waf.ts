import type { JsonObject } from '../json.ts';
import type { DenyMode } from './catalogue-rows.ts';
import type { WafGroup, WafPackage, WafRule } from './catalogue.ts';

/** How much a zone's core rule set tolerates (api.md 9.4). */
export type Sensitivity = 'high' | 'medium' | 'low' | 'off';

/** What the core rule set does with a request over its score (api.md 9.4). */
export type ActionMode = 'simulate' | 'block' | 'challenge';

/** What a zone has set in the old WAF; what is not set is as the vendor delivers it. Replaced as a whole at each write. */
export interface OldWaf {
  /** The zone's id. */
  readonly zone: string;
  /** The switch of the whole old WAF (zone setting `waf`). */
  readonly enabled: boolean;
  /** By package id. */
  readonly packages: Readonly<Record<string, PackageSettings>>;
  /** By group id. */
  readonly groups: Readonly<Record<string, 'on' | 'off'>>;
  /** By rule id. */
  readonly rules: Readonly<Record<string, string>>;
}

/** The settings of an anomaly package; absent: never set, which the migration calls `Default` (specification 3.3). */
export interface PackageSettings {
  readonly sensitivity?: Sensitivity;
  readonly action_mode?: ActionMode;
}

/** A URI-based override; `content` is what the client sent. */
export interface WafOverride {
  readonly id: string;
  readonly zone: string;
  readonly content: JsonObject;
}

/** The old WAF of a zone that has set nothing. */
export function untouchedWaf(zone: string): OldWaf {
  return { zone, enabled: true, packages: {}, groups: {}, rules: {} };
}

/** Whether a group is on. */
export function groupMode(waf: OldWaf, group: WafGroup): 'on' | 'off' {
  return waf.groups[group.id] ?? 'on';
}

const DENY_MODES: readonly DenyMode[] = ['default', 'disable', 'simulate', 'block', 'challenge'];

/** The modes that a rule can have (api.md 9.4). */
export function allowedModes(rule: WafRule): readonly string[] {
  return rule.row.kind === 'deny' ? DENY_MODES : ['on', 'off'];
}

/** The mode of a rule as it is shown. */
export function ruleMode(waf: OldWaf, rule: WafRule): string {
  return waf.rules[rule.row.id] ?? (rule.row.kind === 'deny' ? 'default' : 'on');
}

/** Package, as answers show it. */
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

/** Group, as answers show it. */
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

/** Rule, as answers show it: one of three forms (api.md 9.4). */
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

/** Override, as answers show it; a description that was not given is not shown. */
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
