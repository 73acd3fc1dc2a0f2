/** Rulewright as a library: the use cases of the command line, and the types that they use. Nothing here prints; progress is reported as events. */
export { apply, refusalsOf } from './app/apply.ts';
export type { ApplyOptions } from './app/apply.ts';
export { runTime } from './app/run/time.ts';
export type { RunTime } from './app/run/time.ts';
export type { AppEvent, OnEvent } from './app/run/events.ts';
export { driftOf } from './app/planning/drift.ts';
export { expectPlan } from './app/planning/expect.ts';
export type { Expected } from './app/planning/expect.ts';
export { plan } from './app/plan.ts';
export { readGuards } from './app/project/project-guards.ts';
export type { Guards, GuardsResult } from './app/project/project-guards.ts';
export { preflightPlan } from './app/planning/preflight-plan.ts';
export type { PreflightPlanOptions } from './app/planning/preflight-plan.ts';
export { readPlanFile } from './app/planning/read-plan.ts';
export type { ReadPlan } from './app/planning/read-plan.ts';
export type {
  ApplyResult,
  FileFindings,
  PlanResult,
  ProjectCounts,
  ValidateResult,
} from './app/run/results.ts';
export { reversePlan } from './app/planning/reverse-plan.ts';
export type { ReverseOptions } from './app/planning/reverse-plan.ts';
export { parseRulesetName, parseScopeName } from './app/planning/ruleset-name.ts';
export type { FoundRuleset } from './app/planning/find-ruleset.ts';
export type { RulesetName } from './app/planning/ruleset-name.ts';
export { NO_SECRETS } from './app/project/project-secrets.ts';
export type { ProjectSecrets } from './app/project/project-secrets.ts';
export { sensitiveValues } from './app/project/sensitive-values.ts';
export { listSchemas, readSchema } from './app/project/schemas.ts';
export { parseTarget } from './app/project/selection.ts';
export type {
  PlanPurpose,
  PlanSelection,
  Revisions,
  Selection,
  TargetFilter,
} from './app/project/selection.ts';
export { runBudget } from './app/service/run-budget.ts';
export type { ServiceChoice, ServiceOptions } from './app/service/service-options.ts';
export { explain } from './app/explain.ts';
export { explainLive } from './app/requests/explain-live.ts';
export type { ExplainOptions, ExplainResult } from './app/requests/explain-request.ts';
export { testRules } from './app/test-rules.ts';
export type { TestRulesResult } from './app/test-rules.ts';
export { settleUnfinished, unfinishedRun } from './app/planning/unfinished-run.ts';
export { holdJournal, journalPath } from './app/run/journal-choice.ts';
export type { Hold, JournalChoice } from './app/run/journal-choice.ts';
export type { Holder } from './files/lock-file.ts';
export { validate } from './app/validate.ts';
export { rollbackPlan } from './app/rollback.ts';
export type { RollbackChoice } from './app/rollback.ts';
export type { RulesetChoice } from './app/planning/ruleset-choice.ts';
export { listRulesetVersions, removeRulesetVersion, showRulesetVersion } from './app/versions.ts';
export type { VersionList } from './model/result-documents.ts';
export type * from './model/change.ts';
export type * from './model/drift.ts';
export type { Diagnostic, Severity } from './model/diagnostic.ts';
export { RulewrightError } from './model/error.ts';
export type { ErrorCode } from './model/error.ts';
export type { ErrorDetails, Fault } from './model/error.ts';
export type * from './data/json.ts';
export type * from './model/drift.ts';
export type * from './model/outcome.ts';
export type * from './model/plan-difference.ts';
export type * from './model/plan.ts';
export type * from './model/result-documents.ts';
export type * from './model/outcome.ts';
export type { RuleContent } from './model/rule.ts';
export type { Scope, ScopeKind, ScopeRef } from './model/scope.ts';
export type * from './model/simulation.ts';
export type { ServiceRefusal } from './model/outcome.ts';
export type { Cause, SourcePoint, SourceSpan } from './model/source.ts';
export type { UnfinishedRun, UnfinishedStep } from './model/outcome.ts';
