import { identicalContent } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import { isMeant } from './match-rules.ts';
import type { NamedRule } from './name-rules.ts';
import { owns } from './ownership.ts';

/**
 * Whether live is literally what the files want: the same rules under the same refs in the same order, all of them ours. A fast path for the
 * usual case in which there is nothing to do and nothing to note.
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
        // A rule whose `adopt: true` has done its work gets a note.
        !rule.adopt &&
        rule.ref === found.ref &&
        isMeant(rule, found) &&
        identicalContent(rule.content, found.content) &&
        owns(ownership, found)
      );
    })
  );
}
