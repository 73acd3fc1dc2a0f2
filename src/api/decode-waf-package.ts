import type { Members } from './shape.ts';
import { numberMember, optionalText, textMember } from './shape.ts';

/** A package of the old WAF (api.md 9.4). Sensitivity and action mode are those of anomaly packages. */
export interface WafPackage {
  readonly id: string;
  readonly name: string;
  /** `traditional` or `anomaly`. */
  readonly detectionMode: string;
  /** `high`, `medium`, `low`, `off`; `null` where the package has none. */
  readonly sensitivity: string | null;
  /** `simulate`, `block`, `challenge`; `null` where the package has none. */
  readonly actionMode: string | null;
}

/** A group of the old WAF (api.md 9.4). */
export interface WafGroup {
  readonly name: string;
  readonly modifiedRulesCount: number;
  /** `on` or `off`. */
  readonly mode: string;
}

/** A rule of the old WAF, in any of its three shapes (api.md 9.4). */
export interface WafRule {
  readonly id: string;
  readonly mode: string;
  /** What the mode `default` stands for; `null` for rules that are on or off. */
  readonly defaultMode: string | null;
}

/** A package of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafPackage(each: Members): WafPackage {
  return {
    id: textMember(each, 'id'),
    name: textMember(each, 'name'),
    detectionMode: textMember(each, 'detection_mode'),
    sensitivity: optionalText(each, 'sensitivity') ?? null,
    actionMode: optionalText(each, 'action_mode') ?? null,
  };
}

/** A group of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafGroup(group: Members): WafGroup {
  return {
    name: textMember(group, 'name'),
    modifiedRulesCount: numberMember(group, 'modified_rules_count'),
    mode: textMember(group, 'mode'),
  };
}

/** A rule of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafRule(rule: Members): WafRule {
  return {
    id: textMember(rule, 'id'),
    mode: textMember(rule, 'mode'),
    defaultMode: optionalText(rule, 'default_mode') ?? null,
  };
}
