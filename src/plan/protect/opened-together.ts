import type { RuleChange } from '../../model/change.ts';
import { hitsOf, requestsOf, shareLetPast } from './every-request.ts';
import type { Share } from './every-request.ts';
import { createGravest } from './gravest.ts';
import { inWords } from './lets-past.ts';
import { passedAt } from './passed-at.ts';
import type { About, Around, PhaseRules, RuleInPhase, RulesInPhase, Side } from './phase-rules.ts';

/** The skips that let requests past something, by the name of what they let past. */
type Skipped = ReadonlyMap<string, readonly RuleInPhase[]>;

/**
 * Finds the changes by which skips of an entry point together newly let every request past something, or by which a rule comes after such
 * skips. Blames the skips that skip more; if there are none, the rule itself.
 */
export function openedTogether(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const { stand, way } = about;
  const rules = phase.entrypoint ?? { before: [], after: [] };
  const now = skippedOn(way.to, rules, { phase, about });
  const former = skippedOn(way.from, rules, { phase, about });
  const reach = (skips: readonly RuleInPhase[], side: Side): Share =>
    shareLetPast(
      skips.map((one) => [one[side]?.expression ?? '']),
      stand,
    );
  const found = new Map<RuleInPhase, { readonly share: Share; readonly passed: Set<string> }>();
  for (const [name, skips] of now) {
    const before = former.get(name) ?? [];
    const share = reach(skips, way.to);
    if (share > 0 && share > reach(before, way.from)) {
      const more = skips.filter((one) => one.change !== undefined && doesMore(one, before, about));
      for (const one of more.length > 0 ? more : rules[way.to].filter(({ id }) => name === `behind ${id}`)) {
        const passed = found.get(one)?.passed ?? new Set();
        found.set(one, { share, passed: passed.add(name) });
      }
    }
  }
  const gravest = createGravest();
  for (const [one, { share, passed }] of found) {
    gravest.tell([one], share, () =>
      one[way.to]?.action === 'skip'
        ? `lets, with other rules, ${requestsOf(share)} past ${inWords(passed)}`
        : `comes after skips that let ${requestsOf(share)} past it`,
    );
  }
  return gravest.texts();
}

function skippedOn(side: Side, rules: RulesInPhase, around: Around): Skipped {
  const skipped = new Map<string, RuleInPhase[]>();
  for (const one of rules[side]) {
    if (one[side]?.action === 'skip') {
      for (const name of passedAt(one, side, { place: { rules, callers: undefined }, ...around })) {
        skipped.set(name, [...(skipped.get(name) ?? []), one]);
      }
    }
  }
  return skipped;
}

/** Whether a skip lets ordinary requests past something that it did not let them past before. */
function doesMore(one: RuleInPhase, before: readonly RuleInPhase[], { stand, way }: About): boolean {
  const hits = (side: Side): number => hitsOf([one[side]?.expression ?? ''], stand).most;
  return (hits(way.to) & ~(before.includes(one) ? hits(way.from) : 0)) !== 0;
}
