import { inlineValue } from './value.ts';

/** Fields of a rule itself; an action parameter of the same name keeps its prefix. */
const RULE_FIELDS: ReadonlySet<string> = new Set([
  'action',
  'expression',
  'description',
  'enabled',
  'logging',
  'ratelimit',
  'exposed_credential_check',
]);

/** The members that a JSON Pointer goes through. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * How a field is called in a rendering: `ratelimit.period`, and `from_value.status_code` for what stands
 * under `action_parameters`, whose name would say nothing to a reader.
 */
export function fieldLabel(parts: readonly string[]): string {
  const [first, second] = parts;
  const inner = first === 'action_parameters' && second !== undefined && !RULE_FIELDS.has(second);
  return (inner ? parts.slice(1) : parts).map(inlineValue).join('.');
}

/** The managed rule that a path into `overrides.rules` is about, and the rest of the path. */
export function overriddenRule(
  parts: readonly string[],
): { readonly id: string; readonly rest: readonly string[] } | null {
  const [parameters, overrides, rules, id, ...rest] = parts;
  return parameters === 'action_parameters' && overrides === 'overrides' && rules === 'rules' && id !== undefined
    ? { id, rest }
    : null;
}
