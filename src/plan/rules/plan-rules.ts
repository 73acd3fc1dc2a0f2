import type { RuleChange } from '../../model/change.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { createLeeway } from '../protect/leeway.ts';
import type { Stand } from '../protect/stand.ts';
import { arrange } from './arrange.ts';
import { finalContent } from './matched-rule.ts';
import type { RuleNote } from './matched-rule.ts';
import type { NamedRule } from './name-rules.ts';
import { pairRules } from './pair-rules.ts';
import { ruleChanges } from './rule-changes.ts';

/** The plan for the rules of one ruleset. */
export interface RulesPlan {
  readonly changes: readonly RuleChange[];
  /** Ids of the live rules that remain and do not move. */
  readonly staying: readonly string[];
  /** The ids in `staying` of rules that are not ours. */
  readonly others: readonly string[];
  readonly notes: readonly RuleNote[];
  /** Messages on rules that name a live rule that they cannot have; if there are any, nothing may be done. */
  readonly problems: readonly string[];
}

/**
 * Plans the rules of one ruleset: which desired rule is which live one, where each goes, and the changes that lead there. References in
 * `wanted` are resolved. Changes come in the order of the final list, deletions last in live order.
 */
export function planRules(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  options: Pick<DesiredRuleset, 'ownership' | 'place' | 'ignore'> & { readonly stand: Stand },
): RulesPlan {
  const paired = pairRules(wanted, live, options);
  const { stand } = options;
  const arrangement = arrange(paired.roles, paired.liveOf, {
    place: options.place,
    leeway: createLeeway({
      live,
      stand,
      others: [...paired.roles.keys()].filter((at) => paired.roles[at] === 'foreign'),
      finally: (at) => {
        const match = paired.matchOf[at];
        return match === undefined ? undefined : finalContent(match);
      },
    }),
  });
  const { changes, notes } = ruleChanges(paired, arrangement, stand);
  const staying: string[] = [];
  const others: string[] = [];
  for (const entry of arrangement.order) {
    const rule = entry.kind === 'live' && !arrangement.moved.has(entry.live) ? live[entry.live] : undefined;
    if (entry.kind === 'live' && rule !== undefined) {
      staying.push(rule.id);
      others.push(...(paired.roles[entry.live] === 'foreign' ? [rule.id] : []));
    }
  }
  return { changes, staying, others, notes: [...paired.notes, ...notes], problems: paired.problems };
}
