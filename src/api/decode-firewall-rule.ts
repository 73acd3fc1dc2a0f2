import type { OldFilter, OldFirewallRule } from '../model/firewall-conversion.ts';
import type { Members } from './shape.ts';
import {
  flagOr,
  memberAt,
  membersAt,
  optionalNumber,
  optionalText,
  optionalTexts,
  textMember,
} from './shape.ts';

/** A filter of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeFilter(filter: Members): OldFilter {
  return {
    id: textMember(filter, 'id'),
    expression: textMember(filter, 'expression'),
    paused: flagOr(filter, 'paused', false),
    description: optionalText(filter, 'description') ?? '',
    ref: optionalText(filter, 'ref') ?? '',
  };
}

/** A firewall rule of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeFirewallRule(rule: Members): OldFirewallRule {
  return {
    id: textMember(rule, 'id'),
    action: textMember(rule, 'action'),
    products: optionalTexts(rule, 'products'),
    priority: optionalNumber(rule, 'priority') ?? null,
    paused: flagOr(rule, 'paused', false),
    description: optionalText(rule, 'description') ?? '',
    ref: optionalText(rule, 'ref') ?? '',
    filter: decodeRuleFilter(membersAt(memberAt(rule, 'filter'))),
  };
}

function decodeRuleFilter(filter: Members): OldFirewallRule['filter'] {
  return flagOr(filter, 'deleted', false)
    ? { kind: 'deleted', id: textMember(filter, 'id') }
    : { kind: 'filter', ...decodeFilter(filter) };
}
