import { CONTENT_FIELDS } from '../model/rule-fields.ts';
import { inlineValue } from './value.ts';

/** An action parameter with the name of a field of the rule itself keeps its prefix. */
const RULE_FIELDS: ReadonlySet<string> = new Set(CONTENT_FIELDS);

/**
 * The members that lead to a field as a reader knows them: `action_parameters` in front says nothing and
 * is left out, unless a field of the rule itself has the same name.
 */
export function labelParts(parts: readonly string[]): readonly string[] {
  const [first, second] = parts;
  return first === 'action_parameters' && second !== undefined && !RULE_FIELDS.has(second)
    ? parts.slice(1)
    : parts;
}

/** How a field is called: `ratelimit.period`, `from_value.status_code`. */
export function fieldLabel(parts: readonly string[]): string {
  return parts.map(inlineValue).join('.');
}

/** The managed rule that a path into `overrides.rules` is about, and the rest of the path. */
export function overriddenRule(
  parts: readonly string[],
): { readonly id: string; readonly rest: readonly string[] } | null {
  const [parameters, overrides, rules, id, ...rest] = parts;
  return parameters === 'action_parameters' &&
    overrides === 'overrides' &&
    rules === 'rules' &&
    id !== undefined
    ? { id, rest }
    : null;
}
