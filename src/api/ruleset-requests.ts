import type { JsonObject } from '../data/index.ts';
import type { ScopeAddress } from './paths.ts';
import { rulePath, rulesPath, rulesetPath, rulesetsPath, versionPath } from './paths.ts';
import type { WriteRequest } from './request.ts';

/** A new ruleset. Only the vendor can create the kind `managed` (api.md 2.2). */
export interface CreateRuleset {
  readonly name: string;
  readonly kind: 'custom' | 'root' | 'zone';
  readonly phase: string;
  readonly description?: string;
  readonly rules?: readonly JsonObject[];
}

/** The changes to a ruleset: absent members stay as they are, and `rules` replaces the whole list (api.md 2.2). */
export interface UpdateRuleset {
  readonly description?: string;
  /** A rule given as `{ id }` alone stays as it is (api.md 6.1). */
  readonly rules?: readonly JsonObject[];
}

/** The position for a rule: an empty id means first (`before`) or last (`after`). `index` is never used (api.md 3.3). */
export type WirePosition = { readonly before: string } | { readonly after: string };

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

/** POST of a rule, which is appended unless a position is given. */
export function addRuleRequest(at: RulesetAt, rule: JsonObject, position?: WirePosition): WriteRequest {
  return {
    method: 'POST',
    path: rulesPath(at.scope, at.rulesetId),
    body: { ...rule, ...(position === undefined ? {} : { position }) },
  };
}

/** PATCH of a rule: its complete new definition (api.md 2.2), or only its position when `rule` is `null`. */
export function updateRuleRequest(
  at: RuleAt,
  rule: JsonObject | null,
  position?: WirePosition,
): WriteRequest {
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
