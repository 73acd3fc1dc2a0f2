import type { RuleChange } from '../../model/change.ts';
import { describedName } from '../../model/described-name.ts';
import type { RuleContent } from '../../model/rule.ts';
import { requestsOf, shareLetPast } from './every-request.ts';
import type { Share } from './every-request.ts';
import { createGravest, grownAmong } from './gravest.ts';
import { inWords, letsPast, REST, rulesetOf } from './lets-past.ts';
import type { Passed } from './lets-past.ts';
import { executedBy } from './phase-rules.ts';
import type { About, Around, PhaseRules, RuleInPhase, Side } from './phase-rules.ts';
import { placesOf, waysTo } from './places.ts';
import type { Place } from './places.ts';
import { passedAt } from './passed-at.ts';
import type { Stand } from './stand.ts';
import { stopped } from './stopped.ts';
import { clauseOverTime } from './time-spans.ts';

/**
 * Finds the changes by which protection newly misses every request, with what these are let past: changes of rules that skip protection, switch
 * it off, or used to run it; and of rules that execute such rules.
 */
export function openedAlone(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const gravest = createGravest();
  for (const place of placesOf(phase)) {
    for (const rule of place.rules[about.way.to]) {
      const { by, share, passed } = comesToLetPast(rule, place, { phase, about });
      const what = (): string => `${requestsOf(share)} past ${inWords(passed)}`;
      const description = rule[about.way.to]?.description ?? '';
      gravest.tell(by, share, (one) =>
        one === rule ? `lets ${what()}` : `makes rule ${describedName(rule.ref, description)} let ${what()}`,
      );
    }
  }
  for (const { by, share } of stopped(phase, about)) {
    gravest.tell(by, share, () => `lets ${requestsOf(share)} past its managed rules`);
  }
  return gravest.texts();
}

/** What is newly let past for all requests, and the changed rules to blame. */
interface Opened {
  readonly by: readonly RuleInPhase[];
  readonly share: Share;
  readonly passed: Passed;
}

const NOTHING: Opened = { by: [], share: 0, passed: new Set() };

function comesToLetPast(rule: RuleInPhase, place: Place, around: Around): Opened {
  const { stand, way } = around.about;
  if (letsPast(rule[way.to], stand).size === 0) {
    return NOTHING;
  }
  const changed = [rule, ...(place.callers?.[way.to] ?? [])].filter(({ change }) => change !== undefined);
  const reach = (side: Side): Share => {
    const content = rule[side];
    return content === null || letsPast(content, stand).size === 0
      ? 0
      : shareLetPast(waysTo(content, place, side), stand);
  };
  const share = changed.length === 0 ? 0 : reach(way.to);
  if (share === 0) {
    return NOTHING;
  }
  const hasGrown = share > reach(way.from);
  const had = hasGrown ? NOTHING.passed : passedAt(rule, way.from, { place, ...around });
  const passed = new Set([...passedAt(rule, way.to, { place, ...around })].filter((one) => !had.has(one)));
  if (passed.size === 0) {
    return NOTHING;
  }
  const alone = (content: RuleContent): Share =>
    letsPast(content, stand).size > 0 || executedBy(content) !== undefined
      ? shareLetPast([[content.expression]], stand)
      : 0;
  return { by: hasGrown ? grownAmong(changed, way, alone) : [rule], share, passed };
}

/** Returns what a rule newly lets all requests past by itself, wherever it stands; undefined when it is nothing. */
export function opensAlone(old: RuleContent | null, now: RuleContent, stand: Stand): string | undefined {
  return clauseOverTime([old?.expression ?? '', now.expression], (conditionThen) => {
    const reach = (content: RuleContent | null): Share =>
      content === null || letsPast(content, stand).size === 0
        ? 0
        : shareLetPast([[conditionThen(content.expression)]], stand);
    const share = reach(now);
    const had: Passed = share === 0 || share > reach(old) ? NOTHING.passed : letsPast(old, stand);
    const passed = [...letsPast(now, stand)].filter(
      (one) => !had.has(one) && one !== REST && rulesetOf(one) === undefined,
    );
    return share === 0 || passed.length === 0
      ? undefined
      : `lets ${requestsOf(share)} past ${inWords(new Set(passed))}`;
  });
}
