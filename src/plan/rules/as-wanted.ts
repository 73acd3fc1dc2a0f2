import { identicalContent } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import { isMeant } from './match-rules.ts';
import type { NamedRule } from './name-rules.ts';
import { owns } from './ownership.ts';

/**
 * Whether live is word for word what the files want: the same rules under the same names in the same order, all of them ours. The usual
 * case of a run, seen without making anything: there is nothing to do and nothing to say.
 */
export function isAsWanted(
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
        // Of one that has taken over what it was to, there is something to say.
        !rule.adopt &&
        rule.ref === found.ref &&
        isMeant(rule, found) &&
        identicalContent(rule.content, found.content) &&
        owns(ownership, found)
      );
    })
  );
}
