import type { RuleChange } from '../../model/change.ts';
import { describedName } from '../../model/described-name.ts';
import type { RuleContent } from '../../model/rule.ts';
import { appliesTo, isEnding, OUTAGES, outageOf } from './every-request.ts';
import type { Outage } from './every-request.ts';
import { acts, isChanged } from './phase-rules.ts';
import type { About, PhaseRules, RuleInPhase, Side } from './phase-rules.ts';
import { placesOf, waysTo } from './places.ts';
import type { Place } from './places.ts';

/**
 * The changes by which a single rule comes to end every request: those of the rule itself, and those of rules that execute its ruleset.
 * Where nobody looked what executes a custom ruleset, each of its rules counts by its own condition.
 */
export function endedAlone(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const told = new Map<RuleChange, { readonly outage: Outage; readonly text: string }>();
  for (const place of placesOf(phase)) {
    for (const rule of place.rules[about.way.to]) {
      const { outage, by } = comesToEnd(rule, place, about);
      for (const { change } of by) {
        const content = rule[about.way.to];
        if (change !== undefined && content !== null && outage > (told.get(change)?.outage ?? 0)) {
          const text =
            change === rule.change
              ? appliesTo(content, outage)
              : `lets rule ${describedName(rule.ref, content.description)} apply ${content.action} to ${OUTAGES[outage]}`;
          told.set(change, { outage, text });
        }
      }
    }
  }
  return new Map([...told].map(([change, { text }]) => [change, text]));
}

/** What a rule comes to end, and the rules that changed for it to do so. */
function comesToEnd(
  rule: RuleInPhase,
  place: Place,
  { stand, way: { from, to } }: About,
): { readonly outage: Outage; readonly by: readonly RuleInPhase[] } {
  const changed = [rule, ...(place.callers?.[to] ?? [])].filter(isChanged);
  if (changed.length === 0) {
    return { outage: 0, by: [] };
  }
  const ends = (side: Side): Outage => {
    const content = rule[side];
    return content === null || !isEnding(content) ? 0 : outageOf(waysTo(content, place, side), stand);
  };
  const outage = ends(to);
  if (outage === 0 || outage <= ends(from)) {
    return { outage: 0, by: [] };
  }
  const alone = (content: RuleContent | null): Outage =>
    content !== null && acts(content) ? outageOf([[content.expression]], stand) : 0;
  const grown = changed.filter((one) => alone(one[to]) > alone(one[from]));
  return { outage, by: grown.length > 0 ? grown : changed };
}
