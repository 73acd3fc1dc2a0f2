import type { RuleChange } from '../../model/change.ts';
import { FIRST_VISITS, ORDINARY, OVER_IPV4 } from '../../simulate/ordinary-requests.ts';
import type { Requests } from '../../simulate/ordinary-requests.ts';
import { endsFirstVisits, hitsOf, requestsOf, shareAmong } from './every-request.ts';
import type { About, Around, PhaseRules, RuleInPhase, RulesInPhase, Side } from './phase-rules.ts';
import { acts, isChanged } from './phase-rules.ts';
import { walkRules } from './walk-rules.ts';
import type { RulesWalk } from './walk-rules.ts';

/**
 * Finds the changes by which the rules of a phase together newly end every ordinary request, though none does alone: changes of rules that end
 * what others leave, and of what prevented that, such as a skip that is deleted. Judged only by trying ordinary requests.
 */
export function endedTogether(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const told = new Map<RuleChange, string>();
  const { entrypoint, custom } = phase;
  for (const rules of entrypoint === undefined ? custom.values() : [entrypoint]) {
    tell(rules, { phase, about, told });
  }
  return told;
}

/** The ordinary requests of each share. */
const ENDED = { 0: 0, 1: FIRST_VISITS, 2: OVER_IPV4, 4: ORDINARY } as const;

interface Task extends Around {
  readonly told: Map<RuleChange, string>;
}

function tell(rules: RulesInPhase, { phase, about: { stand, way }, told }: Task): void {
  const walk = (side: Side): RulesWalk => walkRules(rules, { phase, side, stand });
  const now = walk(way.to);
  const share = shareAmong(endedIn(now, way.to));
  const former = share === 0 ? now : walk(way.from);
  if (share <= shareAmong(endedIn(former, way.from))) {
    return;
  }
  /** Whether a rule changed and formerly did not match, or not act on, some of these requests. */
  const isNew = (rule: RuleInPhase, requests: Requests): boolean => {
    const content = rule[way.from];
    return (
      isChanged(rule) &&
      (content === null || !acts(content) || (requests & ~hitsOf([content.expression], stand).most) !== 0)
    );
  };
  const lets = `lets rules together stop or redirect ${requestsOf(share)}`;
  let open = ENDED[share] & ~former.ended;
  const blame = (rule: RuleInPhase | undefined, requests: Requests, text: string): void => {
    if (rule?.change !== undefined && (requests & open) !== 0) {
      told.set(rule.change, told.get(rule.change) ?? text);
      open &= ~requests;
    }
  };
  for (const { rule, by, requests } of now.ends) {
    if (isNew(rule, requests & open)) {
      blame(rule, requests, `stops or redirects, with other rules, ${requestsOf(share)}`);
    } else if (by !== undefined && isNew(by, requests & open)) {
      blame(by, requests, lets);
    }
  }
  // For the rest, the rule was reached before as well, and another rule came first.
  for (const { rule, by, requests } of [...former.skips, ...now.ends]) {
    blame(rule.change === undefined ? by : rule, requests, lets);
  }
}

/** Returns the requests that rules end for good. */
function endedIn({ ends }: RulesWalk, side: Side): Requests {
  return ends.reduce(
    (ended, { rule, requests }) =>
      ended | (endsFirstVisits(rule[side]) ? requests : requests & ~FIRST_VISITS),
    0,
  );
}
