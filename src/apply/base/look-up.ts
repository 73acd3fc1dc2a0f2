import type { ReadClient, WriteClient } from '../../api/index.ts';
import {
  getEntrypoint,
  getRuleset,
  getVersion,
  listRulesets,
  ownRulesets,
  rulesetsPath,
  isNotFound,
  orElse,
  ServiceError,
} from '../../api/index.ts';
import type { RulesetTarget, Base, LiveRuleset, LiveRulesetHead, Scope } from '../../model/index.ts';
import { isAtBase, baseOf } from '../../model/index.ts';
import { deviations } from '../../plan/index.ts';

/**
 * Reads the ruleset of a step as it is now; null when it certainly does not exist. A ruleset that was read before is looked up by its id, one that
 * was absent by its place. Rejects when several have its place, since nobody knows then which one is meant.
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
  const named = await listedAs(client, scope, target);
  const [head, ...others] = await ownRulesets(client, scope, named);
  if (head !== undefined && others.length > 0) {
    throw ambiguous(scope, target, [head, ...others]);
  }
  return head === undefined ? null : getRuleset(client, scope, head.id, { phase: target.phase });
}

function ambiguous(
  scope: Scope,
  { phase, name }: RulesetTarget,
  heads: readonly LiveRulesetHead[],
): ServiceError {
  const path = rulesetsPath(scope);
  const ids = heads.map(({ id }) => id).join(', ');
  return new ServiceError(
    `GET ${path}: there are ${heads.length} custom rulesets named ${JSON.stringify(name)} in phase ${phase}: ${ids}`,
    {
      code: 'live/ambiguous-ruleset',
      method: 'GET',
      path,
      attempts: 1,
      rayId: null,
      status: null,
      errors: [],
      effect: 'none',
      hint: 'delete or rename all but one of them, then plan again',
    },
  );
}

/**
 * Whether a ruleset, read by its own GET, still is what a write of this run left. An id alone proves nothing: an answer may have carried the id of
 * somebody else's ruleset. Only what this holds for may be deleted or put back.
 */
export function isAsLeft(left: LiveRuleset, live: LiveRuleset): boolean {
  return (
    isAtBase(live, baseOf(left)) &&
    live.kind === left.kind &&
    live.phase === left.phase &&
    live.name === left.name &&
    deviations(left, live).length === 0
  );
}

/** Returns the custom rulesets in a scope's list that bear a target's name; in a zone's list some may be those of its account. */
export async function listedAs(
  client: ReadClient,
  scope: Scope,
  target: RulesetTarget,
): Promise<readonly LiveRulesetHead[]> {
  const heads = await listRulesets(client, scope);
  return heads.filter(
    ({ kind, phase, name }) => kind === 'custom' && phase === target.phase && name === target.name,
  );
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
