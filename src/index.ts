/**
 * Rulewright as a library: the use cases of the command line, and the words they speak in.
 * Nothing here prints; progress comes as events.
 */
export { apply, refusalsOf } from './app/apply.ts';
export type { ApplyOptions } from './app/apply.ts';
export type { AppEvent, Report } from './app/events.ts';
export { plan } from './app/plan.ts';
export { readPlanFile } from './app/read-plan.ts';
export type { ReadPlan } from './app/read-plan.ts';
export type { ApplyResult, FileFindings, PlanResult, ProjectCounts, ValidateResult } from './app/results.ts';
export { listSchemas, readSchema } from './app/schemas.ts';
export { parseTarget } from './app/selection.ts';
export type { Selection, TargetFilter } from './app/selection.ts';
export type { ServiceChoice, ServiceOptions } from './app/service-options.ts';
export { validate } from './app/validate.ts';
export type * from './model/change.ts';
export type { Diagnostic, Severity } from './model/diagnostic.ts';
export { RulewrightError } from './model/error.ts';
export type { ErrorDetails, Fault } from './model/error.ts';
export type * from './model/json.ts';
export type { Outcome } from './model/outcome.ts';
export type * from './model/plan.ts';
export type { RuleContent } from './model/rule.ts';
export type { Scope, ScopeKind, ScopeRef } from './model/scope.ts';
export type { Cause, SourcePoint, SourceSpan } from './model/source.ts';
