import { param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { rendered } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { inAccounts, inBothScopes } from '../call/route.ts';
import type { Handle, Route } from '../call/route.ts';
import { createRuleset } from './create.ts';
import { getEntryPoint } from './entry-point.ts';
import { listRulesets } from './list.ts';
import { addRule, deleteRule, patchRule } from './rules.ts';
import type { StoredRuleset } from '../records/ruleset.ts';
import { deleteRuleset, putRuleset } from './update.ts';
import {
  deleteVersion,
  getEntryPointVersion,
  getVersion,
  listByTag,
  listEntryPointVersions,
  listVersions,
} from './versions.ts';
import { findRuleset } from './visible.ts';

const ONE = '/rulesets/:ruleset';
const VERSION = ':version{[0-9]+}';
const ENTRY_POINT = '/rulesets/phases/:phase{[a-z0-9_]+}/entrypoint';

/**
 * Makes the routes of the Rulesets interface, in the order of api.md 2.1. `put` handles the PUT of an entry point,
 * which can also be a step of the WAF migration (api.md 10).
 */
export const rulesetRoutes = (put: Handle): readonly Route[] => [
  ...inBothScopes('GET', '/rulesets', listRulesets),
  ...inBothScopes('POST', '/rulesets', createRuleset),
  ...inBothScopes('GET', ONE, (call) => show(call, findRuleset(call, param(call, 'ruleset')))),
  ...inBothScopes('PUT', ONE, putRuleset),
  ...inBothScopes('DELETE', ONE, deleteRuleset),
  ...inBothScopes('GET', `${ONE}/versions`, listVersions),
  ...inBothScopes('GET', `${ONE}/versions/${VERSION}`, getVersion),
  ...inBothScopes('DELETE', `${ONE}/versions/${VERSION}`, deleteVersion),
  inAccounts('GET', `${ONE}/versions/${VERSION}/by_tag/:tag{[^/]+}`, listByTag),
  ...inBothScopes('POST', `${ONE}/rules`, addRule),
  ...inBothScopes('PATCH', `${ONE}/rules/:rule`, patchRule),
  ...inBothScopes('DELETE', `${ONE}/rules/:rule`, deleteRule),
  ...inBothScopes('GET', ENTRY_POINT, (call) => show(call, getEntryPoint(call))),
  ...inBothScopes('PUT', ENTRY_POINT, put),
  ...inBothScopes('GET', `${ENTRY_POINT}/versions`, listEntryPointVersions),
  ...inBothScopes('GET', `${ENTRY_POINT}/versions/${VERSION}`, getEntryPointVersion),
];

function show(call: ScopedCall, ruleset: StoredRuleset): Answer {
  return rendered(call.service.render.full(ruleset));
}
