import type { RuleContent } from '../../model/rule.ts';
import { canonicalReference } from '../../simulate/ruleset-reference.ts';
import { letsPast, REST, rulesetOf } from './lets-past.ts';
import type { Passed } from './lets-past.ts';
import { executedBy } from './phase-rules.ts';
import type { Around, RuleInPhase, Side } from './phase-rules.ts';
import type { Place } from './places.ts';
import { stopsRequests } from './role.ts';

interface AtPlace extends Around {
  readonly place: Place;
}

/**
 * Returns what a rule lets requests past at its place. In an entry point the rules after it are known: only those count that stop requests both
 * before and after the plan, and only rulesets that are executed after it.
 */
export function passedAt(rule: RuleInPhase, side: Side, { place, phase, about }: AtPlace): Passed {
  const passed = letsPast(rule[side], about.stand);
  if (place.rules !== phase.entrypoint) {
    return passed;
  }
  const list = place.rules[side];
  const behind = list.slice(list.indexOf(rule) + 1).filter((one) => stops(one.before) && stops(one.after));
  const executed = new Set(behind.map((one) => canonicalReference(executedBy(one[side]) ?? '')));
  return new Set(
    [...passed].flatMap((one) => {
      const ruleset = rulesetOf(one);
      if (one === REST) {
        return behind.map(({ id }) => `behind ${id}`);
      }
      return ruleset === undefined || executed.has(ruleset) ? [one] : [];
    }),
  );
}

/** Whether a rule stops requests, or executes a ruleset that may. */
function stops(content: RuleContent | null): boolean {
  return content?.enabled === true && (stopsRequests(content.action) || content.action === 'execute');
}
