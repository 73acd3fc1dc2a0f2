/**
 * Rulewright as a library: the use cases of the command line, and the words they speak in.
 * Nothing here prints; progress comes as events.
 */
export { apply, refusalsOf } from './app/apply.ts';
export type { ApplyOptions } from './app/apply.ts';
export type { AppEvent, Report } from './app/events.ts';
export { expectPlan } from './app/expect.ts';
export type { Expected } from './app/expect.ts';
export { plan } from './app/plan.ts';
export { readGuards } from './app/project-guards.ts';
export type { Guards, GuardsResult } from './app/project-guards.ts';
export { preflightPlan } from './app/preflight-plan.ts';
export type { PreflightPlanOptions } from './app/preflight-plan.ts';
export { readPlanFile } from './app/read-plan.ts';
export type { ReadPlan } from './app/read-plan.ts';
export type { ApplyResult, FileFindings, PlanResult, ProjectCounts, ValidateResult } from './app/results.ts';
export { reversePlan } from './app/reverse-plan.ts';
export type { ReverseOptions } from './app/reverse-plan.ts';
export { parseRulesetName, parseScopeName } from './app/ruleset-name.ts';
export type { FoundRuleset } from './app/find-ruleset.ts';
export type { RulesetName } from './app/ruleset-name.ts';
export { listSchemas, readSchema } from './app/schemas.ts';
export { parseTarget } from './app/selection.ts';
export type { Selection, TargetFilter } from './app/selection.ts';
export type { ServiceChoice, ServiceOptions } from './app/service-options.ts';
export { explain } from './app/explain.ts';
export type { ExplainOptions, ExplainResult } from './app/explain.ts';
export { testRules } from './app/test-rules.ts';
export type { TestRulesResult } from './app/test-rules.ts';
export { settleUnfinished, unfinishedRun } from './app/unfinished-run.ts';
export type { JournalChoice } from './app/unfinished-run.ts';
export { validate } from './app/validate.ts';
export {
  listRulesetVersions,
  removeRulesetVersion,
  rollbackPlan,
  showRulesetVersion,
} from './app/versions.ts';
export type { RulesetChoice, VersionList } from './app/versions.ts';
export type * from './model/change.ts';
export type { Diagnostic, Severity } from './model/diagnostic.ts';
export { RulewrightError } from './model/error.ts';
export type { ErrorDetails, Fault } from './model/error.ts';
export type * from './model/json.ts';
export type * from './model/live-difference.ts';
export type * from './model/outcome.ts';
export type * from './model/plan-difference.ts';
export type * from './model/plan.ts';
export type * from './model/preflight.ts';
export type { RuleContent } from './model/rule.ts';
export type { Scope, ScopeKind, ScopeRef } from './model/scope.ts';
export type * from './model/simulation.ts';
export type { ServiceRefusal } from './model/service-refusal.ts';
export type { Cause, SourcePoint, SourceSpan } from './model/source.ts';
export type { UnfinishedRun, UnfinishedStep } from './model/unfinished-run.ts';
