import { isAlwaysOn } from '../../model/phase.ts';
import { eitherHits } from '../../simulate/ordinary-hits.ts';
import type { Hits } from '../../simulate/ordinary-hits.ts';
import { exceptFirstVisits, hitsOf, shareAmong, shareLetPast } from './every-request.ts';
import type { Share } from './every-request.ts';
import { isOff } from './lets-past.ts';
import { executedBy, isChanged } from './phase-rules.ts';
import type { About, PhaseRules, RuleInPhase, Side } from './phase-rules.ts';
import type { Stand } from './stand.ts';

/** A managed ruleset that requests no longer reach, and the changed rules that executed it. */
interface Stopped {
  readonly by: readonly RuleInPhase[];
  readonly share: Share;
}

/** Finds managed rulesets that ordinary requests no longer reach, though the rules executed them for all. */
export function stopped({ entrypoint, custom }: PhaseRules, { stand, way }: About): readonly Stopped[] {
  if (entrypoint === undefined || isAlwaysOn(stand)) {
    return [];
  }
  const runs = (one: RuleInPhase, side: Side): string | undefined =>
    isOff(one[side]?.action_parameters ?? {}) ? undefined : executedBy(one[side]);
  const changed = entrypoint[way.from].filter(isChanged);
  const rulesets = new Set(changed.map((one) => runs(one, way.from)));
  return [...rulesets].flatMap((ruleset) => {
    if (ruleset === undefined || custom.has(ruleset)) {
      return [];
    }
    const waysOn = (side: Side): readonly (readonly string[])[] =>
      entrypoint[side].flatMap((one) => (runs(one, side) === ruleset ? [[one[side]?.expression ?? '']] : []));
    const [before, after] = [waysOn(way.from), waysOn(way.to)];
    const lost = hitsOn(before, stand).least & ~hitsOn(after, stand).most;
    const share = after.length === 0 ? shareLetPast(before, stand) : exceptFirstVisits(shareAmong(lost));
    return [{ by: changed.filter((one) => runs(one, way.from) === ruleset), share }];
  });
}

function hitsOn(ways: readonly (readonly string[])[], stand: Stand): Hits {
  return ways.map((way) => hitsOf(way, stand)).reduce(eitherHits, { least: 0, most: 0 });
}
