/**
 * The HTTP client of the service, for `live`, `apply` and `app`: one file for each resource, one transport under all of them.
 *
 * Promises: reads are retried, writes are sent once and never repeated blindly; every answer is decoded and checked before anybody sees it, so that a
 * failed read is never taken for "empty"; errors keep method, path, status and the service's own words; secrets and tokens appear in requests and
 * nowhere else; the request limit of the account is shared by all clients of a run.
 * Never: decides what to write, keeps state between runs, or prints.
 */
export {
  analyticsLimits,
  askInBatches,
  requestsByStatus,
  securityEventsByAction,
  securityEventsByRule,
} from './analytics.ts';
export type { AnalyticsDataset, AnalyticsLimits, AskedPeriod, GroupCounts } from './analytics.ts';
export { AUDIT_RETENTION_MS, rayOf, readAuditLog } from './audit-log.ts';
export { MAX_BYTES } from './body.ts';
export { createBudget } from './budget.ts';
export type { RequestBudget } from './budget.ts';
export { dryRunOf, openDryRunClient, openReadClient, openWriteClient } from './client.ts';
export type { AnalyticsClient, Closable, DryRunClient, ReadClient, WriteClient } from './client.ts';
export type { ConnectionOptions } from './connection.ts';
export { credentialTrouble, maskCredentials, permissionHint } from './credentials.ts';
export type { CredentialTrouble, Credentials } from './credentials.ts';
export { decodeRuleset } from './decode-ruleset.ts';
export { dryRun, probeDryRun, probeWrite } from './dry-run.ts';
export {
  createListRequest,
  decodeListHead,
  decodeOperationId,
  deleteItemsRequest,
  deleteListRequest,
  describeListRequest,
  getBulkOperation,
  getList,
  listListItems,
  listLists,
  putItemsRequest,
} from './lists.ts';
export { readByPage } from './pages.ts';
export type { Page } from './pages.ts';
export {
  ABSENT_RULE_ID,
  PHASE,
  VERSION,
  entrypointPath,
  listsPath,
  rulesetPath,
  rulesetsPath,
  wafMigrationPath,
  wafPackagePath,
  wafPackagesPath,
  zoneFamilyPath,
  zoneObjectPath,
} from './paths.ts';
export type { ZoneFamily } from './paths.ts';
export type { Query, WriteRequest } from './request.ts';
export { chooserAmong, resolveScope } from './resolve-scope.ts';
export { decodeResult } from './response.ts';
export {
  addRuleRequest,
  createRulesetRequest,
  deleteRuleRequest,
  deleteRulesetRequest,
  deleteVersionRequest,
  updateRuleRequest,
  updateRulesetRequest,
} from './ruleset-requests.ts';
export type { CreateRuleset, RuleAt, UpdateRuleset, WirePosition } from './ruleset-requests.ts';
export {
  getEntrypoint,
  getRuleset,
  getVersion,
  listRulesets,
  listVersions,
  ownRulesets,
} from './rulesets.ts';
export { accountOfZone, pageOfScopes } from './scopes.ts';
export { decodeSetting, getSetting, settingRequest } from './setting-requests.ts';
export { withReferences } from './sensitive-border.ts';
export {
  ServiceError,
  hasServiceCode,
  hasStatus,
  isForbidden,
  isMaintenanceMode,
  isNotFound,
  isServiceError,
  isUncertain,
  orElse,
  serviceErrorOf,
} from './service-error.ts';
export type { ServiceErrorItem } from './service-error.ts';
export {
  decodeAll,
  decodeItems,
  decodeOne,
  flagOr,
  kindOf,
  memberAt,
  membersAt,
  numberMember,
  optionalItems,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  textMember,
  unexpected,
} from './answer-shape.ts';
export type { AnswerLocation, FieldReaders } from './answer-shape.ts';
export { verifyToken } from './tokens.ts';
export type { TokenFacts } from './tokens.ts';
export type { TraceEvent } from './trace-events.ts';
export { WITHHELD_HINT } from './write-permit.ts';
export type { WritePermit } from './write-permit.ts';
