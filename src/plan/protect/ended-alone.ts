import type { RuleChange } from '../../model/change.ts';
import { describedName } from '../../model/described-name.ts';
import { appliesTo, namesTyped, requestsOf, shareEnded, shareOf } from './every-request.ts';
import type { Share, Traffic } from './every-request.ts';
import { createGravest, grownAmong } from './gravest.ts';
import { acts, isChanged } from './phase-rules.ts';
import type { About, Around, PhaseRules, RuleInPhase, Side } from './phase-rules.ts';
import { placesOf, waysTo } from './places.ts';
import type { Place } from './places.ts';

/**
 * Finds the changes by which a single rule newly ends every request: changes of the rule itself, and of rules that execute its ruleset. When
 * the entry point was not read, each rule of a custom ruleset is judged by its own condition.
 */
export function endedAlone(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  return endedOf(about.stand, { phase, about });
}

/** Like `endedAlone`, for every request to a host name that people type. */
export function endedNames(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const { stand } = about;
  return new Map(
    // Reversed so that the zone's bare name wins when both names are affected.
    [...namesTyped(stand)].reverse().flatMap((host) => [...endedOf({ ...stand, host }, { phase, about })]),
  );
}

function endedOf(traffic: Traffic, { phase, about }: Around): ReadonlyMap<RuleChange, string> {
  const gravest = createGravest();
  for (const place of placesOf(phase)) {
    for (const rule of place.rules[about.way.to]) {
      const content = rule[about.way.to];
      const { share, by } = comesToEnd(rule, { place, about, traffic });
      if (content !== null) {
        const name = describedName(rule.ref, content.description);
        gravest.tell(by, share, (one) =>
          one === rule
            ? appliesTo(content, share, traffic.host)
            : `lets rule ${name} apply ${content.action} to ${requestsOf(share, traffic.host)}`,
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

/** Returns the share that a rule newly ends, and the changed rules that are to blame. */
function comesToEnd(
  rule: RuleInPhase,
  { place, about: { way }, traffic }: AtPlace,
): { readonly share: Share; readonly by: readonly RuleInPhase[] } {
  const { from, to } = way;
  const changed = [rule, ...(place.callers?.[to] ?? [])].filter(isChanged);
  const ends = (side: Side): Share => {
    const content = rule[side];
    return content === null ? 0 : shareEnded(content, waysTo(content, place, side), traffic);
  };
  const share = changed.length === 0 ? 0 : ends(to);
  return share === 0 || share <= ends(from)
    ? { share: 0, by: [] }
    : {
        share,
        by: grownAmong(changed, way, (content) =>
          acts(content) ? shareOf([[content.expression]], traffic) : 0,
        ),
      };
}
