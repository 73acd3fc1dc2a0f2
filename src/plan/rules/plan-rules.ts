import type { RuleChange } from '../../model/change.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { arrange } from './arrange.ts';
import type { RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { pairRules } from './pair-rules.ts';
import { renamed } from '../protect/recreated.ts';
import { protectionOf, SAME } from '../protect/verdict.ts';
import { ruleChanges } from './rule-changes.ts';

/** What has to happen to the rules of one ruleset. */
export interface RulesPlan {
  readonly changes: readonly RuleChange[];
  /** Ids of the live rules that are there afterwards and have not moved. */
  readonly staying: readonly string[];
  readonly notes: readonly RuleNote[];
  /** Rules that name a live rule they cannot have; then nothing may be done. */
  readonly problems: readonly string[];
}

/**
 * Plans the rules of one ruleset: which desired rule is which live one, where each goes, and what leads there. References in `wanted`
 * are resolved. Changes come in the order of the final list, deletions last in live order.
 */
export function planRules(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  options: Pick<DesiredRuleset, 'address' | 'ownership' | 'place' | 'ignore'>,
): RulesPlan {
  const paired = pairRules(wanted, live, options);
  const arrangement = arrange(paired.roles, paired.liveOf, options.place);
  const { changes, notes } = ruleChanges(paired, arrangement, options.address.phase);
  const { order, moved } = arrangement;
  const names = renamed(changes, order);
  return {
    changes: changes.map((change) =>
      names.has(change) ? { ...change, protection: protectionOf(SAME) } : change,
    ),
    staying: order.flatMap((entry) =>
      entry.kind === 'live' && !moved.has(entry.live) ? (live[entry.live]?.id ?? []) : [],
    ),
    notes: [...paired.notes, ...notes],
    problems: paired.problems,
  };
}
