import { decodeResult } from '../../src/api/response.ts';
import type { WriteClient } from '../../src/api/client.ts';
import { decodeRuleset } from '../../src/api/decode-ruleset.ts';
import { entrypointPath } from '../../src/api/paths.ts';
import type { ScopeAddress } from '../../src/api/paths.ts';
import type {
  CreateRuleset,
  WirePosition,
  RuleAt,
  RulesetAt,
  UpdateRuleset,
} from '../../src/api/ruleset-requests.ts';
import {
  addRuleRequest,
  createRulesetRequest,
  deleteRuleRequest,
  deleteRulesetRequest,
  deleteVersionRequest,
  updateRuleRequest,
  updateRulesetRequest,
} from '../../src/api/ruleset-requests.ts';
import type { JsonObject } from '../../src/data/json.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';

/** Makes a ruleset. A second entry point of a phase is refused (api.md 1.6, code 20217). */
export async function createRuleset(
  client: WriteClient,
  scope: ScopeAddress,
  body: CreateRuleset,
): Promise<LiveRuleset> {
  return decodeResult(await client.send(createRulesetRequest(scope, body)), decodeRuleset);
}

/** Changes a ruleset's description, or replaces its list of rules, or both. */
export async function updateRuleset(
  client: WriteClient,
  scope: ScopeAddress,
  id: string,
  body: UpdateRuleset,
): Promise<LiveRuleset> {
  return decodeResult(await client.send(updateRulesetRequest(scope, id, body)), decodeRuleset);
}

/** As `updateRuleset`, for the entry point of a phase; makes it when it is missing. */
export async function updateEntrypoint(
  client: WriteClient,
  scope: ScopeAddress,
  phase: string,
  body: UpdateRuleset,
): Promise<LiveRuleset> {
  const request = { method: 'PUT', path: entrypointPath(scope, phase), body, phase } as const;
  return decodeResult(await client.send(request), decodeRuleset);
}

/** Deletes a ruleset and all its versions; refused while a rule executes it (api.md 6.2). */
export async function deleteRuleset(client: WriteClient, scope: ScopeAddress, id: string): Promise<void> {
  await client.send(deleteRulesetRequest(scope, id));
}

/** Deletes one version of a ruleset. */
export async function deleteRulesetVersion(
  client: WriteClient,
  scope: ScopeAddress,
  id: string,
  version: string,
): Promise<void> {
  await client.send(deleteVersionRequest(scope, id, version));
}

/** Adds a rule, at the end unless a position is given. The answer is the whole ruleset (api.md 2.3). */
export async function addRule(
  client: WriteClient,
  at: RulesetAt,
  rule: JsonObject,
  position?: WirePosition,
): Promise<LiveRuleset> {
  return decodeResult(await client.send(addRuleRequest(at, rule, position)), decodeRuleset);
}

/** Replaces a rule by its complete new definition, moves it, or both; `null` only moves it. */
export async function updateRule(
  client: WriteClient,
  at: RuleAt,
  rule: JsonObject | null,
  position?: WirePosition,
): Promise<LiveRuleset> {
  return decodeResult(await client.send(updateRuleRequest(at, rule, position)), decodeRuleset);
}

/** Deletes a rule; `null` when the service answers with an empty body (api.md 2.1 row 12). */
export async function deleteRule(client: WriteClient, at: RuleAt): Promise<LiveRuleset | null> {
  const answer = await client.send(deleteRuleRequest(at));
  return answer.result === null ? null : decodeResult(answer, decodeRuleset);
}
