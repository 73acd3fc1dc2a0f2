import { RulewrightError, isId } from '../model/index.ts';
import type { ScopeKind } from '../model/index.ts';
import { baseUrlProblem } from '../network/index.ts';

/** The one path of the analytics. */
export const ANALYTICS_PATH = '/graphql';

/** The kind and the id of a scope. */
export interface ScopeAddress {
  readonly kind: ScopeKind;
  /** 32 lower-case hex characters. */
  readonly id: string;
}

/** A well-formed rule id that the service never assigns (ids are random, api.md 13.2). */
export const ABSENT_RULE_ID = '00000000000000000000000000000000';

/** `/zones/{id}`. */
export function zonePath(zoneId: string): string {
  return `/zones/${id('zone', zoneId)}`;
}

/** The older families of a zone, by their path segments (specification 4.2, api.md 9). */
export type ZoneFamily =
  | 'firewall/rules'
  | 'filters'
  | 'rate_limits'
  | 'pagerules'
  | 'firewall/waf/overrides';

/** `/zones/{id}/{family}`. */
export function zoneFamilyPath(zoneId: string, family: ZoneFamily): string {
  return `${zonePath(zoneId)}/${family}`;
}

/** `/zones/{id}/{family}/{id}`. */
export function zoneObjectPath(zoneId: string, family: ZoneFamily, objectId: string): string {
  return `${zoneFamilyPath(zoneId, family)}/${id('object', objectId)}`;
}

/** `/zones/{id}/firewall/waf/packages`. */
export function wafPackagesPath(zoneId: string): string {
  return `${zonePath(zoneId)}/firewall/waf/packages`;
}

/** `…/packages/{id}`. */
export function wafPackagePath(zoneId: string, packageId: string): string {
  return `${wafPackagesPath(zoneId)}/${id('package', packageId)}`;
}

/** `/zones/{id}/waf_migration/{operation}` (specification 4.3). */
export function wafMigrationPath(zoneId: string, operation: 'check' | 'config' | 'status'): string {
  return `${zonePath(zoneId)}/waf_migration/${operation}`;
}

/** `/accounts/{id}/logs/audit`: the audit log, version 2 (vendor's SDK). */
export function auditLogPath(accountId: string): string {
  return `/accounts/${id('account', accountId)}/logs/audit`;
}

/** `/accounts/{id}/audit_logs`: the audit log, version 1 (vendor's SDK). */
export function oldAuditLogPath(accountId: string): string {
  return `/accounts/${id('account', accountId)}/audit_logs`;
}

/** `/accounts/{id}/rules/lists` (api.md 9.8). */
export function listsPath(accountId: string): string {
  return `/accounts/${id('account', accountId)}/rules/lists`;
}

/** `…/rules/lists/{id}`. */
export function listPath(accountId: string, listId: string): string {
  return `${listsPath(accountId)}/${id('list', listId)}`;
}

/** `…/rules/lists/{id}/items`. */
export function listItemsPath(accountId: string, listId: string): string {
  return `${listPath(accountId, listId)}/items`;
}

/** `…/rules/lists/bulk_operations/{id}`. */
export function bulkOperationPath(accountId: string, operationId: string): string {
  return `${listsPath(accountId)}/bulk_operations/${id('operation', operationId)}`;
}

/** `/zones/{id}/rulesets` or `/accounts/{id}/rulesets`. */
export function rulesetsPath(scope: ScopeAddress): string {
  return `/${scope.kind}s/${id('scope', scope.id)}/rulesets`;
}

/** `…/rulesets/{id}`. */
export function rulesetPath(scope: ScopeAddress, rulesetId: string): string {
  return `${rulesetsPath(scope)}/${id('ruleset', rulesetId)}`;
}

/** `…/rulesets/{id}/versions/{version}`. */
export function versionPath(scope: ScopeAddress, rulesetId: string, version: string): string {
  return `${rulesetPath(scope, rulesetId)}/versions/${segment('version', version, VERSION)}`;
}

/** `…/rulesets/{id}/rules`. */
export function rulesPath(scope: ScopeAddress, rulesetId: string): string {
  return `${rulesetPath(scope, rulesetId)}/rules`;
}

/** `…/rulesets/{id}/rules/{id}`. */
export function rulePath(scope: ScopeAddress, rulesetId: string, ruleId: string): string {
  return `${rulesPath(scope, rulesetId)}/${id('rule', ruleId)}`;
}

/** `…/rulesets/phases/{phase}/entrypoint`. */
export function entrypointPath(scope: ScopeAddress, phase: string): string {
  return `${rulesetsPath(scope)}/phases/${segment('phase', phase, PHASE)}/entrypoint`;
}

/** The format of a version, in a path and anywhere else. */
export const VERSION = /^[0-9]+$/;
/** The format of the name of a phase. */
export const PHASE = /^[a-z0-9_]+$/;

function id(what: string, value: string): string {
  if (!isId(value)) {
    throw misshapen(what, value, '32 lower-case hex characters');
  }
  return value;
}

function segment(what: string, value: string, shape: RegExp): string {
  if (!shape.test(value)) {
    throw misshapen(what, value, `${shape}`);
  }
  return value;
}

/**
 * Returns the error for a malformed path segment. Such a segment is never sent, because it could turn the path into another one: with an
 * empty rule id it would name all rules.
 */
function misshapen(what: string, value: string, expected: string): RulewrightError {
  return new RulewrightError(
    `${JSON.stringify(value)} cannot be the ${what} of a request: expected ${expected}`,
    {
      code: 'api/bad-path',
      fault: 'user',
    },
  );
}

/** Parses the base URL of the service, without trailing slashes. Throws `api/bad-base-url`. */
export function parseBaseUrl(text: string): URL {
  const problem = baseUrlProblem(text);
  if (problem !== undefined) {
    throw new RulewrightError(`the base URL cannot be used: ${problem}`, {
      code: 'api/bad-base-url',
      fault: 'user',
    });
  }
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
