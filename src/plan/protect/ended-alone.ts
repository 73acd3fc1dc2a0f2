import type { RuleChange } from '../../model/change.ts';
import { describedName } from '../../model/described-name.ts';
import { appliesTo, namesTyped, outageBy, outageOf, requestsOf } from './every-request.ts';
import type { Outage, Traffic } from './every-request.ts';
import { createGravest, grownAmong } from './gravest.ts';
import { acts, isChanged } from './phase-rules.ts';
import type { About, PhaseRules, RuleInPhase, Side } from './phase-rules.ts';
import { placesOf, waysTo } from './places.ts';
import type { Place } from './places.ts';

/**
 * The changes by which a single rule comes to end every request: those of the rule itself, and those of rules that execute its ruleset.
 * Where nobody looked what executes a custom ruleset, each of its rules counts by its own condition.
 */
export function endedAlone(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  return endedOf(about.stand, { phase, about });
}

/** As `endedAlone`, of every request to a name that people type. */
export function endedNames(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const { stand } = about;
  return new Map(
    // The name of the zone is told where both are.
    [...namesTyped(stand)].reverse().flatMap((host) => [...endedOf({ ...stand, host }, { phase, about })]),
  );
}

interface Around {
  readonly phase: PhaseRules;
  readonly about: About;
}

function endedOf(traffic: Traffic, { phase, about }: Around): ReadonlyMap<RuleChange, string> {
  const gravest = createGravest();
  for (const place of placesOf(phase)) {
    for (const rule of place.rules[about.way.to]) {
      const content = rule[about.way.to];
      const { outage, by } = comesToEnd(rule, { place, about, traffic });
      if (content !== null) {
        const name = describedName(rule.ref, content.description);
        gravest.tell(by, outage, (one) =>
          one === rule
            ? appliesTo(content, outage, traffic.host)
            : `lets rule ${name} apply ${content.action} to ${requestsOf(outage, traffic.host)}`,
        );
      }
    }
  }
  return gravest.texts();
}

interface AtPlace {
  readonly place: Place;
  readonly about: About;
  readonly traffic: Traffic;
}

/** What a rule comes to end, and the rules that changed for it to do so. */
function comesToEnd(
  rule: RuleInPhase,
  { place, about: { way }, traffic }: AtPlace,
): { readonly outage: Outage; readonly by: readonly RuleInPhase[] } {
  const { from, to } = way;
  const changed = [rule, ...(place.callers?.[to] ?? [])].filter(isChanged);
  const ends = (side: Side): Outage => {
    const content = rule[side];
    return content === null ? 0 : outageBy(content, waysTo(content, place, side), traffic);
  };
  const outage = changed.length === 0 ? 0 : ends(to);
  return outage === 0 || outage <= ends(from)
    ? { outage: 0, by: [] }
    : {
        outage,
        by: grownAmong(changed, way, (content) =>
          acts(content) ? outageOf([[content.expression]], traffic) : 0,
        ),
      };
}
