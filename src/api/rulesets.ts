import { counted } from '../text/index.ts';
import type { LiveRuleset, LiveRulesetHead, Scope } from '../model/index.ts';
import { ENTRYPOINT_KIND } from '../model/index.ts';
import { decodeResult, unexpectedResponse } from './response.ts';
import type { ReadClient } from './client.ts';
import { decodeRuleset, decodeRulesetHeads } from './decode-ruleset.ts';
import { readByCursor } from './pages.ts';
import type { ScopeAddress } from './paths.ts';
import { entrypointPath, rulesetPath, rulesetsPath, versionPath } from './paths.ts';
import type { ServiceResponse } from './response.ts';
import type { ServiceError } from './service-error.ts';
import { isMissingEntrypoint, isNotFound, orElse } from './service-error.ts';
import { unexpected } from './answer-shape.ts';

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

/** Reads the latest version of a ruleset, with its rules. Rejects an answer about another ruleset, and unproven emptiness. */
export async function getRuleset(
  client: ReadClient,
  scope: ScopeAddress,
  id: string,
  asked: Omit<RulesetQuery, 'id' | 'version'> = {},
): Promise<LiveRuleset> {
  const { phase } = asked;
  const response = await client.get(rulesetPath(scope, id), phase === undefined ? {} : { phase });
  return proven(client, scope, response, { ...asked, id });
}

/**
 * Reads the entry point of a phase; `null` proves that there is none (404 with code 10003). Rejects an answer about another ruleset, and unproven
 * emptiness.
 */
export async function getEntrypoint(
  client: ReadClient,
  scope: ScopeAddress,
  phase: string,
): Promise<LiveRuleset | null> {
  const response = await orElse(
    client.get(entrypointPath(scope, phase), { phase }),
    () => null,
    isMissingEntrypoint,
  );
  return response === null
    ? null
    : proven(client, scope, response, { phase, kind: ENTRYPOINT_KIND[scope.kind] });
}

/** Lists all versions of a ruleset that still exist, oldest first. */
export async function listVersions(
  client: ReadClient,
  scope: ScopeAddress,
  id: string,
): Promise<readonly LiveRulesetHead[]> {
  return decodeResult(await client.get(`${rulesetPath(scope, id)}/versions`), decodeRulesetHeads);
}

/** Reads one version of a ruleset. Rejects an answer about another ruleset or version, and unproven emptiness. */
export async function getVersion(
  client: ReadClient,
  scope: ScopeAddress,
  id: string,
  version: string,
): Promise<LiveRuleset> {
  return proven(client, scope, await client.get(versionPath(scope, id, version)), { id, version });
}

/** What a ruleset was asked for by. */
type RulesetQuery = Partial<Pick<LiveRuleset, 'id' | 'version' | 'phase' | 'kind'>>;

/**
 * Decodes a ruleset. An answer without rules is the documented form of an empty ruleset (api.md 3.1), but also what is left of an answer that lost
 * its rules on the way, and a plan from that would delete what is there. So emptiness takes two answers: the version, read by itself, has to say so
 * too.
 */
async function proven(
  client: ReadClient,
  scope: ScopeAddress,
  response: ServiceResponse,
  asked: RulesetQuery,
): Promise<LiveRuleset> {
  const ruleset = decodeAsked(response, asked);
  if (ruleset.rules.length > 0) {
    return ruleset;
  }
  const { id, version } = ruleset;
  const unproven = (problem: string): ServiceError =>
    unexpectedResponse(response, `it shows no rules, ${problem}`);
  const again = await orElse(
    client.get(versionPath(scope, id, version)).then((given) => decodeAsked(given, { id, version })),
    // That the version is not there says nothing about the ruleset, least of all that it does not exist.
    ({ message }) =>
      Promise.reject(unproven(`and version ${version} does not prove that there are none: ${message}`)),
    isNotFound,
  );
  if (again.rules.length > 0) {
    throw unproven(`but version ${version} of this ruleset has ${counted(again.rules.length, 'rule')}`);
  }
  return ruleset;
}

function decodeAsked(response: ServiceResponse, asked: RulesetQuery): LiveRuleset {
  return decodeResult(response, (result) => {
    const ruleset = decodeRuleset(result);
    for (const name of ['id', 'version', 'phase', 'kind'] as const) {
      const wanted = asked[name];
      if (wanted !== undefined && ruleset[name] !== wanted) {
        throw unexpected(`/${name}`, `should be ${wanted} and is ${ruleset[name]}`);
      }
    }
    return ruleset;
  });
}
