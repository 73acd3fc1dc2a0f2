import { identicalContent } from '../model/rule-fields.ts';
import type { LiveRule } from '../model/rule.ts';
import type { RuleOwnership } from '../model/ruleset.ts';
import type { NamedRule } from './name-rules.ts';
import { owns } from './ownership.ts';

/**
 * Whether live is word for word what the files want: the same rules under the same names in the same order,
 * all of them ours. The usual case of a run, seen without making anything; then `planRules` would find
 * nothing to do and nothing to say. False says only that one has to look closer.
 */
export function standsAsWanted(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  ownership: RuleOwnership,
): boolean {
  return (
    wanted.length === live.length &&
    wanted.every((rule, index) => {
      const found = live[index];
      return (
        found !== undefined &&
        rule.madeUp !== true &&
        rule.ref === found.ref &&
        (rule.adopt || owns(ownership, found)) &&
        identicalContent(rule.content, found.content)
      );
    })
  );
}
