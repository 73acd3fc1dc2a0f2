import { CONTENT_FIELDS } from '../model/index.ts';
import { inlineValue } from './value.ts';

/** An action parameter with one of these names keeps its prefix. */
const RULE_FIELDS: ReadonlySet<string> = new Set(CONTENT_FIELDS);

/**
 * Returns the path of a field as a reader knows it: a leading `action_parameters` says nothing and is left out, unless the rule itself has
 * a field of that name.
 */
export function labelParts(parts: readonly string[]): readonly string[] {
  const [first, second] = parts;
  return first === 'action_parameters' && second !== undefined && !RULE_FIELDS.has(second)
    ? parts.slice(1)
    : parts;
}

/** Returns the label of a field: `ratelimit.period`, `from_value.status_code`. */
export function fieldLabel(parts: readonly string[]): string {
  return parts.map(inlineValue).join('.');
}

/** Returns the managed rule that a path into `overrides.rules` is about, and the rest of the path. */
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
