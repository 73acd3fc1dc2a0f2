import { param, checkPermission, decodeBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { rendered, result, empty } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { inAccounts, inBothScopes } from '../call/route.ts';
import type { Handle, Route } from '../call/route.ts';
import type { StoredRuleset, StoredRulesetKind, RulesetVersion } from '../records/ruleset-record.ts';
import { readNumber } from '../listing/list-page.ts';
import { badParameter, refuse, attempt, decline, Refusal, invalidValue } from '../protocol/refusal.ts';
import { latest, isEntryPoint } from '../records/ruleset-record.ts';
import type { EmulatedService } from '../call/service.ts';
import { getEntryPoint } from './entry-point-routes.ts';
import { addRule, deleteRule, patchRule } from './rule-routes.ts';
import {
  findRuleset,
  anyPermission,
  visibleRulesets,
  findWritable,
  checkWritable,
  entryPointOf,
  tooManyRulesets,
  misplacement,
  newRuleset,
} from './visible-phases.ts';
import { updateBody, createBody, readRules } from './rule-body.ts';
import { settleRules } from './rule-identity.ts';
import { referrerOf } from './ruleset-references.ts';
import { storeNext, writeContext, checkRulesetQuota } from './write-ruleset.ts';

const LARGEST_PAGE = 50;

/**
 * GET rulesets: all visible rulesets without their rules, paged by cursor. The cursor is sent in both forms, because
 * clients read one or the other (api.md 13.4); the last page has none.
 */
function listRulesets(call: ScopedCall): Answer {
  checkPermission(call, 'Read', anyPermission);
  const size = readNumber(call.query, 'per_page', { min: 1, max: LARGEST_PAGE, standard: LARGEST_PAGE });
  const rulesets = visibleRulesets(call.service.store, call.scope);
  const start = readStart(call.query, rulesets);
  const page = rulesets.slice(start, start + size);
  const shown = page.map((ruleset) => call.service.render.summary(ruleset));
  const last = page.at(-1);
  if (last === undefined || start + size >= rulesets.length) {
    return result(shown);
  }
  const cursor = Buffer.from(`${start + size}:${last.id}`).toString('base64url');
  return result(shown, { cursor, cursors: { after: cursor } });
}

// A cursor names the last ruleset that was shown; if that ruleset is gone by now, its former place in the list counts.
function readStart(query: URLSearchParams, rulesets: readonly StoredRuleset[]): number {
  const text = query.get('cursor');
  if (text === null) {
    return 0;
  }
  const [, place, id] =
    /^(\d+):([0-9a-f]{32})$/u.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (place === undefined) {
    throw badParameter('cursor', text, 'it is not a cursor of this list');
  }
  const shown = rulesets.findIndex((ruleset) => ruleset.id === id);
  return shown < 0 ? Number(place) : shown + 1;
}

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

/** PUT ruleset: replaces the description and the list of rules; what is absent stays unchanged (api.md 2.2). */
function putRuleset(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const body = decodeBody(call, updateBody);
  const inputs = readRules(body, call.service);
  checkUnchangeable(ruleset, body);
  const context = writeContext(call, ruleset);
  const before = latest(ruleset).rules;
  const settled = settleRules(context, before, inputs);
  return storeNext(context, ruleset, { settled, description: body.description });
}

/** DELETE ruleset with all its versions, unless a rule still refers to it (api.md 6.2). */
function deleteRuleset(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const referrer = referrerOf(call.service.store, ruleset);
  if (referrer !== undefined) {
    const reason = `it is referenced by a rule of ruleset ${referrer.id}`;
    throw refuse(400, `ruleset ${ruleset.id} cannot be deleted because ${reason}`);
  }
  call.service.store.rulesets.delete(ruleset.id);
  return empty();
}

// Unchanged values are accepted; the texts for kind and phase follow the known text for name (api.md 1.6).
function checkUnchangeable(
  ruleset: StoredRuleset,
  body: Partial<Readonly<Record<'name' | 'kind' | 'phase', string>>>,
): void {
  for (const field of ['name', 'kind', 'phase'] as const) {
    const given = body[field];
    if (given !== undefined && given !== ruleset[field]) {
      throw refuse(400, `the ${field} field cannot be modified: got ${given}, want ${ruleset[field]}`);
    }
  }
}

/** POST ruleset: a custom ruleset or an entry point (api.md 2.2, 6.3). */
function createRuleset(call: ScopedCall): Answer {
  const body = decodeBody(call, createBody);
  const inputs = readRules(body, call.service);
  const { name = '', kind = '', phase = '' } = body;
  const head = readHead(call, { name, kind, phase });
  const context = writeContext(call, head);
  const settled = settleRules(context, [], inputs);
  const { store } = call.service;
  const taken = head.kind !== 'custom' && entryPointOf(store, call.scope.owner, head.phase) !== undefined;
  if (taken) {
    throw tooManyRulesets(head.kind, head.phase);
  }
  checkRulesetQuota(store, context.place);
  return storeNext(context, newRuleset(call, head), { settled, description: body.description });
}

interface GivenHead {
  readonly name: string;
  readonly kind: StoredRulesetKind;
  readonly phase: string;
}

function readHead(
  call: ScopedCall,
  said: { readonly name: string; readonly kind: string; readonly phase: string },
): GivenHead {
  const { name, kind, phase } = said;
  if (kind === 'managed') {
    const reason = 'required for managed rulesets';
    throw refuse(400, `'' is not a valid value for ShareableEntitlementName because ${reason}`);
  }
  if (kind !== 'custom' && kind !== 'root' && kind !== 'zone') {
    throw invalidValue(kind, '/kind', 'it must be one of custom, root, zone');
  }
  const misplaced = misplacement(kind, phase, call.scope.kind);
  if (misplaced !== undefined) {
    throw invalidValue(said[misplaced.field], `/${misplaced.field}`, misplaced.reason);
  }
  checkWritable(call, phase);
  if (name === '') {
    throw invalidValue('', '/name', 'it cannot be blank');
  }
  return { name, kind, phase };
}

/** GET versions: ascending, without rules. */
function listVersions(call: ScopedCall): Answer {
  return showVersions(call.service, findRuleset(call, param(call, 'ruleset')));
}

/** GET versions of an entry point; a missing entry point has none (api.md 0.3 number 12). */
function listEntryPointVersions(call: ScopedCall): Answer {
  const ruleset = attempt(() => getEntryPoint(call));
  if (!(ruleset instanceof Refusal)) {
    return showVersions(call.service, ruleset);
  }
  return ruleset.status === 404 ? result([]) : decline(ruleset);
}

/** GET one version with its rules. */
function getVersion(call: ScopedCall): Answer {
  return showVersion(call, findRuleset(call, param(call, 'ruleset')));
}

/** GET one version of an entry point. */
function getEntryPointVersion(call: ScopedCall): Answer {
  return showVersion(call, getEntryPoint(call));
}

/** GET the rules with a tag in a version of a managed ruleset (api.md 2.1 number 9); none for an unknown tag. */
function listByTag(call: ScopedCall): Answer {
  const ruleset = findRuleset(call, param(call, 'ruleset'));
  const version = findVersion(ruleset, param(call, 'version'));
  const tag = param(call, 'tag');
  const rules = version.rules.filter((rule) => rule.categories?.includes(tag) === true);
  return rendered(call.service.render.full(ruleset, { ...version, rules }));
}

/** DELETE one version, unless it is the only one or the one in use (api.md 6.2). */
function deleteVersion(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const version = findVersion(ruleset, param(call, 'version'));
  const reason = neededBecause(call.service, ruleset, version);
  if (reason !== undefined) {
    throw refuse(400, `version ${version.version} cannot be deleted because ${reason}`);
  }
  const versions = ruleset.versions.filter((other) => other !== version);
  call.service.store.rulesets.set(ruleset.id, { ...ruleset, versions });
  return empty();
}

function neededBecause(
  service: EmulatedService,
  ruleset: StoredRuleset,
  version: RulesetVersion,
): string | undefined {
  if (ruleset.versions.length === 1) {
    return 'it is the only version of the ruleset';
  }
  if (version !== latest(ruleset)) {
    return undefined;
  }
  // An entry point is in use by itself (assumed).
  return isEntryPoint(ruleset) || referrerOf(service.store, ruleset) !== undefined
    ? 'it is the latest version of a ruleset in use'
    : undefined;
}

function showVersions(service: EmulatedService, ruleset: StoredRuleset): Answer {
  return result(ruleset.versions.map((version) => service.render.summary(ruleset, version)));
}

function showVersion(call: ScopedCall, ruleset: StoredRuleset): Answer {
  return rendered(call.service.render.full(ruleset, findVersion(ruleset, param(call, 'version'))));
}

function findVersion(ruleset: StoredRuleset, name: string): RulesetVersion {
  return (
    ruleset.versions.find((version) => version.version === name) ??
    decline(refuse(404, `could not find ruleset version ${name}`))
  );
}
