import type { RuleChange } from '../../model/change.ts';
import { FIRST_VISITS, ORDINARY, OVER_IPV4 } from '../../simulate/ordinary-requests.ts';
import type { Requests } from '../../simulate/ordinary-requests.ts';
import { endsFirstVisits, hitsOf, outageAmong, requestsOf } from './every-request.ts';
import type { About, PhaseRules, RuleInPhase, RulesInPhase, Side } from './phase-rules.ts';
import { acts, isChanged } from './phase-rules.ts';
import { walkRules } from './walk-rules.ts';
import type { RulesWalk } from './walk-rules.ts';

/**
 * The changes by which the rules of a phase come to end every ordinary request together, though none of them does alone: of rules that
 * end what others leave, and of what kept these from it, such as a skip that goes. Told by the trial alone.
 */
export function endedTogether(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const told = new Map<RuleChange, string>();
  const { entrypoint, custom } = phase;
  for (const rules of entrypoint === undefined ? custom.values() : [entrypoint]) {
    tell(rules, { phase, about, told });
  }
  return told;
}

/** The requests that an outage ends. */
const ENDED = { 0: 0, 1: FIRST_VISITS, 2: OVER_IPV4, 4: ORDINARY } as const;

interface Task {
  readonly phase: PhaseRules;
  readonly about: About;
  readonly told: Map<RuleChange, string>;
}

function tell(rules: RulesInPhase, { phase, about: { stand, way }, told }: Task): void {
  const walk = (side: Side): RulesWalk => walkRules(rules, { phase, side, stand });
  const now = walk(way.to);
  const outage = outageAmong(endedIn(now, way.to));
  const former = outage === 0 ? now : walk(way.from);
  if (outage <= outageAmong(endedIn(former, way.from))) {
    return;
  }
  /** What a rule met that it did not before, though it came by. */
  const isNew = (rule: RuleInPhase, requests: Requests): boolean => {
    const content = rule[way.from];
    return (
      isChanged(rule) &&
      (content === null || !acts(content) || (requests & ~hitsOf([content.expression], stand).most) !== 0)
    );
  };
  const lets = `lets rules together end ${requestsOf(outage)}`;
  let open = ENDED[outage] & ~former.ended;
  const blame = (rule: RuleInPhase | undefined, requests: Requests, text: string): void => {
    if (rule?.change !== undefined && (requests & open) !== 0) {
      told.set(rule.change, told.get(rule.change) ?? text);
      open &= ~requests;
    }
  };
  for (const { rule, by, requests } of now.ends) {
    if (isNew(rule, requests & open)) {
      blame(rule, requests, `ends, with other rules, ${requestsOf(outage)}`);
    } else if (by !== undefined && isNew(by, requests & open)) {
      blame(by, requests, lets);
    }
  }
  // Then the rule was asked before as well, and another one came first.
  for (const { rule, by, requests } of [...former.skips, ...now.ends]) {
    blame(rule.change === undefined ? by : rule, requests, lets);
  }
}

/** What rules end for good. */
function endedIn({ ends }: RulesWalk, side: Side): Requests {
  return ends.reduce(
    (ended, { rule, requests }) =>
      ended | (endsFirstVisits(rule[side]) ? requests : requests & ~FIRST_VISITS),
    0,
  );
}
