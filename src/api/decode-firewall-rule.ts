import type { Place } from './shape.ts';
import { flagOr, objectAt, optionalNumber, optionalText, optionalTexts, textMember } from './shape.ts';

/** An old filter (specification 2.5, api.md 9.2). Absent texts are empty. */
export interface Filter {
  readonly id: string;
  readonly expression: string;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
}

/** The filter inside a rule; a deleted one shows only its id (api.md 9.1). */
export type RuleFilter =
  | ({ readonly kind: 'filter' } & Filter)
  | { readonly kind: 'deleted'; readonly id: string };

/** An old firewall rule (specification 2.4, api.md 9.1). Absent texts are empty. */
export interface FirewallRule {
  readonly id: string;
  readonly action: string;
  /** What a bypass bypasses. */
  readonly products: readonly string[];
  /** Lower runs first; `null` runs last. */
  readonly priority: number | null;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
  readonly filter: RuleFilter;
}

/** A filter of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeFilter({ value, pointer }: Place): Filter {
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
export function decodeFirewallRule({ value, pointer }: Place): FirewallRule {
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

function decodeRuleFilter(place: Place): RuleFilter {
  const filter = objectAt(place);
  return flagOr(filter, 'deleted', { pointer: place.pointer, standard: false })
    ? { kind: 'deleted', id: textMember(filter, 'id', place.pointer) }
    : { kind: 'filter', ...decodeFilter(place) };
}
