import type { ScopeAddress } from './paths.ts';
import { rulePath, rulesPath, rulesetPath, rulesetsPath, versionPath } from './paths.ts';
import type { WriteRequest } from './request.ts';
import type { JsonObject } from '../model/json.ts';

/** A new ruleset; kind `managed` is the vendor's alone (api.md 2.2). */
export interface CreateRuleset {
  readonly name: string;
  readonly kind: 'custom' | 'root' | 'zone';
  readonly phase: string;
  readonly description?: string;
  readonly rules?: readonly JsonObject[];
}

/** What can change in a ruleset; absent members stay, `rules` replaces the whole list (api.md 2.2). */
export interface UpdateRuleset {
  readonly description?: string;
  /** `{ id }` alone keeps a rule as it is (api.md 6.1). */
  readonly rules?: readonly JsonObject[];
}

/** Where a rule goes; an empty id means first (`before`) or last (`after`). Never `index` (api.md 3.3). */
export type Position = { readonly before: string } | { readonly after: string };

/** POST of a ruleset. */
export function createRulesetRequest(scope: ScopeAddress, body: CreateRuleset): WriteRequest {
  return { method: 'POST', path: rulesetsPath(scope), body, phase: body.phase };
}

/** PUT of a ruleset by id. */
export function updateRulesetRequest(scope: ScopeAddress, id: string, body: UpdateRuleset): WriteRequest {
  return { method: 'PUT', path: rulesetPath(scope, id), body };
}

/** DELETE of a ruleset with all its versions. */
export function deleteRulesetRequest(scope: ScopeAddress, id: string): WriteRequest {
  return { method: 'DELETE', path: rulesetPath(scope, id) };
}

/** DELETE of one version of a ruleset. */
export function deleteVersionRequest(scope: ScopeAddress, id: string, version: string): WriteRequest {
  return { method: 'DELETE', path: versionPath(scope, id, version) };
}

/** POST of a rule, appended unless a position is given. */
export function addRuleRequest(at: RulesetAt, rule: JsonObject, position?: Position): WriteRequest {
  return {
    method: 'POST',
    path: rulesPath(at.scope, at.rulesetId),
    body: { ...rule, ...(position === undefined ? {} : { position }) },
  };
}

/** PATCH of a rule: its complete new definition (api.md 2.2), or with `null` the position alone. */
export function updateRuleRequest(at: RuleAt, rule: JsonObject | null, position?: Position): WriteRequest {
  return {
    method: 'PATCH',
    path: rulePath(at.scope, at.rulesetId, at.ruleId),
    body: { ...rule, ...(position === undefined ? {} : { position }) },
  };
}

/** DELETE of a rule. */
export function deleteRuleRequest(at: RuleAt): WriteRequest {
  return { method: 'DELETE', path: rulePath(at.scope, at.rulesetId, at.ruleId) };
}

/** A ruleset in its scope. */
export interface RulesetAt {
  readonly scope: ScopeAddress;
  readonly rulesetId: string;
}

/** A rule in its ruleset. */
export interface RuleAt extends RulesetAt {
  readonly ruleId: string;
}
