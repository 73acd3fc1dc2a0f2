import type { Base } from './plan.ts';
import type { LiveRulesetHead } from './ruleset.ts';

/** The base of a step that is made from a ruleset as it was read; null: there is none. */
export function baseOf(live: LiveRulesetHead | null): Base {
  return live === null
    ? { kind: 'absent' }
    : { kind: 'version', id: live.id, version: live.version, lastUpdated: live.lastUpdated };
}
