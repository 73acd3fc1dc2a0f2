import type { ReadClient, WriteClient } from '../../api/client.ts';
import { getEntrypoint, getRuleset, getVersion, listRulesets, ownRulesets } from '../../api/rulesets.ts';
import { isNotFound, orElse } from '../../api/service-error.ts';
import type { RulesetTarget } from '../../model/plan.ts';
import type { Base } from '../../model/base.ts';
import type { LiveRuleset, LiveRulesetHead } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';

/**
 * Reads the ruleset of a step as it is now; null when it certainly does not exist. A ruleset that was read before is looked up by its id, one that
 * was absent by its place.
 */
export async function lookUp(
  client: ReadClient,
  scope: Scope,
  target: RulesetTarget,
  base: Base,
): Promise<LiveRuleset | null> {
  if (base.kind === 'version') {
    const read = getRuleset(client, scope, base.id, { phase: target.phase });
    return orElse(read, () => null, isNotFound);
  }
  if (target.level !== 'custom') {
    return getEntrypoint(client, scope, target.phase);
  }
  const [head] = await customsNamed(client, scope, target);
  return head === undefined ? null : getRuleset(client, scope, head.id, { phase: target.phase });
}

/** Returns the custom rulesets that the scope itself owns and that bear a target's name, except the one with the id `known`. */
export async function customsNamed(
  client: ReadClient,
  scope: Scope,
  target: RulesetTarget,
  known?: string,
): Promise<readonly LiveRulesetHead[]> {
  const heads = await listRulesets(client, scope);
  const named = heads.filter(
    ({ id, kind, phase, name }) =>
      id !== known && kind === 'custom' && phase === target.phase && name === target.name,
  );
  return ownRulesets(client, scope, named);
}

/** Returns a client whose reads wait for their turn even after an interruption: what a write did has to become known. */
export function insisting(client: ReadClient): ReadClient {
  return {
    baseUrl: client.baseUrl,
    get: (path, options) => client.get(path, { ...options, insist: true }),
  };
}

/** Returns a client whose writes wait for their turn even after an interruption: undoing our own work is not new work. */
export function insistingWriter(client: WriteClient): WriteClient {
  return { ...client, send: (request) => client.send({ ...request, insist: true }) };
}

/** Reads the version that a plan was made from; null when the ruleset was absent, or the version cannot be read. */
export async function readBase(client: ReadClient, scope: Scope, base: Base): Promise<LiveRuleset | null> {
  return base.kind === 'version'
    ? orElse(getVersion(client, scope, base.id, base.version), () => null)
    : null;
}
