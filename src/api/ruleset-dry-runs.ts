import type { DryRunClient } from './client.ts';
import type { ScopeAddress } from './paths.ts';
import type { WriteRequest } from './request.ts';
import type { CreateRuleset, Position, RuleAt, RulesetAt, UpdateRuleset } from './ruleset-requests.ts';
import {
  addRuleRequest,
  createRulesetRequest,
  deleteRuleRequest,
  deleteRulesetRequest,
  updateRuleRequest,
  updateRulesetRequest,
} from './ruleset-requests.ts';
import { ServiceError } from './service-error.ts';
import type { JsonObject } from '../model/json.ts';

/** Has `createRuleset` checked. Like all of these: rejects with the error that the write would meet. */
export function dryRunCreateRuleset(
  client: DryRunClient,
  scope: ScopeAddress,
  body: CreateRuleset,
): Promise<void> {
  return dryRun(client, createRulesetRequest(scope, body));
}

/** Has `updateRuleset` checked. */
export function dryRunUpdateRuleset(
  client: DryRunClient,
  scope: ScopeAddress,
  id: string,
  body: UpdateRuleset,
): Promise<void> {
  return dryRun(client, updateRulesetRequest(scope, id, body));
}

/** Has `deleteRuleset` checked. */
export function dryRunDeleteRuleset(client: DryRunClient, scope: ScopeAddress, id: string): Promise<void> {
  return dryRun(client, deleteRulesetRequest(scope, id));
}

/** Has `addRule` checked. */
export function dryRunAddRule(
  client: DryRunClient,
  at: RulesetAt,
  rule: JsonObject,
  position?: Position,
): Promise<void> {
  return dryRun(client, addRuleRequest(at, rule, position));
}

/** Has `updateRule` checked. */
export function dryRunUpdateRule(
  client: DryRunClient,
  at: RuleAt,
  rule: JsonObject | null,
  position?: Position,
): Promise<void> {
  return dryRun(client, updateRuleRequest(at, rule, position));
}

/** Has `deleteRule` checked. */
export function dryRunDeleteRule(client: DryRunClient, at: RuleAt): Promise<void> {
  return dryRun(client, deleteRuleRequest(at));
}

/** A dry run that comes back with a result was none (api.md 2.4). */
async function dryRun(client: DryRunClient, request: WriteRequest): Promise<void> {
  const answer = await client.check(request);
  if (answer.result !== null) {
    throw new ServiceError(
      `${answer.request.method} ${answer.request.path} was to be a dry run, but the service answered with a result: it has written.`,
      {
        ...answer.request,
        code: 'dry-run-wrote',
        status: answer.status,
        errors: [],
        effect: 'unknown',
        hint: 'The service does not know dry runs. Look at what it holds now, and continue with --preflight off.',
      },
    );
  }
}
