import type { OldFilter, OldFirewallRule } from '../model/firewall-conversion.ts';
import type { Place } from './shape.ts';
import { flagOr, objectAt, optionalNumber, optionalText, optionalTexts, textMember } from './shape.ts';

/** A filter of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeFilter({ value, pointer }: Place): OldFilter {
  const filter = objectAt({ value, pointer });
  return {
    id: textMember(filter, 'id', pointer),
    expression: textMember(filter, 'expression', pointer),
    paused: flagOr(filter, 'paused', { pointer, standard: false }),
    description: optionalText(filter, 'description', pointer) ?? '',
    ref: optionalText(filter, 'ref', pointer) ?? '',
  };
}

/** A firewall rule of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeFirewallRule({ value, pointer }: Place): OldFirewallRule {
  const rule = objectAt({ value, pointer });
  return {
    id: textMember(rule, 'id', pointer),
    action: textMember(rule, 'action', pointer),
    products: optionalTexts(rule, 'products', pointer),
    priority: optionalNumber(rule, 'priority', pointer) ?? null,
    paused: flagOr(rule, 'paused', { pointer, standard: false }),
    description: optionalText(rule, 'description', pointer) ?? '',
    ref: optionalText(rule, 'ref', pointer) ?? '',
    filter: decodeRuleFilter({ value: rule['filter'], pointer: `${pointer}/filter` }),
  };
}

function decodeRuleFilter(place: Place): OldFirewallRule['filter'] {
  const filter = objectAt(place);
  return flagOr(filter, 'deleted', { pointer: place.pointer, standard: false })
    ? { kind: 'deleted', id: textMember(filter, 'id', place.pointer) }
    : { kind: 'filter', ...decodeFilter(place) };
}
