import type { Place } from './shape.ts';
import { numberMember, objectAt, optionalText, textMember } from './shape.ts';

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
export function decodeWafPackage({ value, pointer }: Place): WafPackage {
  const each = objectAt({ value, pointer });
  return {
    id: textMember(each, 'id', pointer),
    name: textMember(each, 'name', pointer),
    detectionMode: textMember(each, 'detection_mode', pointer),
    sensitivity: optionalText(each, 'sensitivity', pointer) ?? null,
    actionMode: optionalText(each, 'action_mode', pointer) ?? null,
  };
}

/** A group of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafGroup({ value, pointer }: Place): WafGroup {
  const group = objectAt({ value, pointer });
  return {
    name: textMember(group, 'name', pointer),
    modifiedRulesCount: numberMember(group, 'modified_rules_count', pointer),
    mode: textMember(group, 'mode', pointer),
  };
}

/** A rule of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafRule({ value, pointer }: Place): WafRule {
  const rule = objectAt({ value, pointer });
  return {
    id: textMember(rule, 'id', pointer),
    mode: textMember(rule, 'mode', pointer),
    defaultMode: optionalText(rule, 'default_mode', pointer) ?? null,
  };
}
