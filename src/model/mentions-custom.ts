import type { JsonValue } from './json.ts';
import { isJsonArray, isJsonObject } from './json.ts';
import type { DesiredRule } from './rule.ts';

/** Whether a rule names a custom ruleset, as a value or a key (`skip.rules`) of its parameters. */
export function mentionsCustom(rules: readonly DesiredRule[]): boolean {
  return rules.some(({ content }) => isMentionedIn(content.action_parameters ?? null));
}

function isMentionedIn(value: JsonValue): boolean {
  if (typeof value === 'string') {
    return value.startsWith('custom:');
  }
  if (isJsonArray(value)) {
    return value.some(isMentionedIn);
  }
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([key, member]) => key.startsWith('custom:') || isMentionedIn(member))
  );
}
