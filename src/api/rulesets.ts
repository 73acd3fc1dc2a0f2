import { decodeResult } from './response.ts';
import type { GetOptions, ReadClient } from './client.ts';
import { decodeRuleset, decodeRulesetHeads } from './decode-ruleset.ts';
import { readByCursor } from './pages.ts';
import type { ScopeAddress } from './paths.ts';
import { entrypointPath, rulesetPath, rulesetsPath, versionPath } from './paths.ts';
import { isMissingEntrypoint, orElse } from './service-error.ts';
import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';

/**
 * Lists the rulesets of a scope, without rules. A zone's list also contains the rulesets of its account and of the vendor (api.md 0.3
 * number 21).
 */
export function listRulesets(client: ReadClient, scope: ScopeAddress): Promise<readonly LiveRulesetHead[]> {
  return readByCursor(client, rulesetsPath(scope), { perPage: 50, decode: decodeRulesetHeads });
}

/**
 * Returns the rulesets of a scope's list that are its own. A zone's list also shows rulesets of its account; they are left out. Rejects where the
 * list of the account may not be read; whoever can do without asks `ownCustomRulesets` of `src/live`.
 */
export async function ownRulesets(
  client: ReadClient,
  scope: Scope,
  heads: readonly LiveRulesetHead[],
): Promise<readonly LiveRulesetHead[]> {
  if (scope.kind === 'account' || heads.length === 0) {
    return heads;
  }
  const others = await listRulesets(client, { kind: 'account', id: scope.accountId });
  return heads.filter(({ id }) => others.every((other) => other.id !== id));
}

/** Reads the latest version of a ruleset, with its rules. */
export async function getRuleset(
  client: ReadClient,
  scope: ScopeAddress,
  id: string,
  options: Pick<GetOptions, 'phase'> = {},
): Promise<LiveRuleset> {
  return decodeResult(await client.get(rulesetPath(scope, id), options), decodeRuleset);
}

/** Reads the entry point of a phase; `null` proves that there is none (404 with code 10003). */
export function getEntrypoint(
  client: ReadClient,
  scope: ScopeAddress,
  phase: string,
): Promise<LiveRuleset | null> {
  const response = client.get(entrypointPath(scope, phase), { phase });
  return orElse(
    response.then((given) => decodeResult(given, decodeRuleset)),
    () => null,
    isMissingEntrypoint,
  );
}

/** Lists all versions of a ruleset that still exist, oldest first. */
export async function listVersions(
  client: ReadClient,
  scope: ScopeAddress,
  id: string,
): Promise<readonly LiveRulesetHead[]> {
  return decodeResult(await client.get(`${rulesetPath(scope, id)}/versions`), decodeRulesetHeads);
}

/** Reads one version of a ruleset. */
export async function getVersion(
  client: ReadClient,
  scope: ScopeAddress,
  id: string,
  version: string,
): Promise<LiveRuleset> {
  return decodeResult(await client.get(versionPath(scope, id, version)), decodeRuleset);
}
