import type { ReadClient } from '../api/client.ts';
import { getEntrypoint, getRuleset, listRulesets } from '../api/rulesets.ts';
import { isNotFound } from '../api/service-error.ts';
import type { Base, RulesetTarget } from '../model/plan.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';

/**
 * The ruleset of a step as it is now; null when it is certain that there is none. A ruleset that has
 * been read before is looked up by its id, one that was absent by its place.
 */
export async function lookUp(
  client: ReadClient,
  scope: Scope,
  target: RulesetTarget,
  base: Base,
): Promise<LiveRuleset | null> {
  if (base.kind === 'version') {
    try {
      return await getRuleset(client, scope, base.id);
    } catch (error) {
      if (isNotFound(error)) {
        return null;
      }
      throw error;
    }
  }
  if (target.level !== 'custom') {
    return getEntrypoint(client, scope, target.phase);
  }
  const heads = await listRulesets(client, scope);
  const head = heads.find(
    ({ kind, phase, name }) => kind === 'custom' && phase === target.phase && name === target.name,
  );
  return head === undefined ? null : getRuleset(client, scope, head.id);
}

/** Whether a ruleset still is what a plan was made from. */
export function isAtBase(live: LiveRuleset | null, base: Base): boolean {
  if (base.kind !== 'version') {
    return live === null;
  }
  return live !== null && live.version === base.version && live.lastUpdated === base.lastUpdated;
}
