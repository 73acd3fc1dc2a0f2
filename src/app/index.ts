/**
 * The use cases, for `cli` and for the library: one function for each thing that somebody can ask for (validate, plan, apply, drift, import, ...).
 *
 * Promises: results and progress are values and typed events; bad input is a result with findings, never a thrown error.
 * Never: prints, asks, or reads the process.
 */
export { apply, refusalsOf } from './apply.ts';
export type { ApplyOptions } from './applying/write-scopes.ts';
export { readProbeHost } from '../health/index.ts';
export type { AllowedProbeHost } from '../health/index.ts';
export { hasOpenWave } from './applying/write-waves.ts';
export { catalog } from './catalog.ts';
export { CODES_TO_EXPLAIN, codeHelp, explainCode, isCode } from './code-help.ts';
export { doctor } from './doctor.ts';
export { replayPlan, replayPlanShard, requireLogs } from './replay-logs.ts';
export { ruleUsage } from './usage-of-zones.ts';
export { watch } from './watch.ts';
export { fileLease } from './watch/watch-lease.ts';
export { openKubernetesLease } from './watch/kubernetes-lease.ts';
export type { LeaseName } from './watch/kubernetes-lease.ts';
export { stoppedFileOf } from './watch/stopped-at.ts';
export type { RoundEnd, RoundQuestion } from './watch.ts';
export { currentBranch } from './watch/pull-branch.ts';
export type { StatusAddress } from './watch/serve-status.ts';
export type { RoundResult } from './watch/watch-status.ts';
export type { TrafficChoice } from './replay-logs.ts';
export { expand } from './expand.ts';
export { explain } from './explain.ts';
export { formatFiles, formatOne } from './format.ts';
export { importScopes } from './import.ts';
export type { ImportRequest } from './import.ts';
export { addAround, checkNoProject, hasProject, initProject } from './init.ts';
export type { InitResult, ProjectPlace } from './init.ts';
export { lockManaged } from './managed/lock-managed.ts';
export { managedNotes, readManagedNames } from './managed/managed-names.ts';
export { merge } from './merge.ts';
export type { MergeResult } from './merge.ts';
export { plan } from './plan-project.ts';
export { declaredRulesets, scopeNames } from './planning/declared-names.ts';
export { driftOf, endingRules } from './planning/drift-of.ts';
export { basesByPlace, expectPlan, placeOf } from './planning/expect.ts';
export type { ReviewComparison } from './planning/expect.ts';
export type { FoundRuleset } from './planning/find-ruleset.ts';
export { movedSince } from './planning/moved-since.ts';
export { isDone, isRestOf } from './planning/part-done.ts';
export type { PartialApply } from './planning/part-done.ts';
export { beginsAsPlan } from './planning/plan-file.ts';
export { preflightPlan } from './planning/preflight-plan.ts';
export type { PreflightPlanOptions } from './planning/preflight-plan.ts';
export { readPlanFile } from './planning/read-plan.ts';
export type { ReadPlan } from './planning/read-plan.ts';
export { reversePlan } from './planning/reverse-plan.ts';
export type { ReverseOptions } from './planning/reverse-plan.ts';
export type { RulesetChoice } from './planning/ruleset-choice.ts';
export {
  objectNameText,
  parseObjectName,
  parseRulesetName,
  parseScopeName,
  rulesetNameText,
} from './planning/ruleset-name.ts';
export { objectRollbackPlan } from './rollback-object.ts';
export type { ObjectName, RulesetName } from './planning/ruleset-name.ts';
export type { UnfinishedRollout } from '../apply/index.ts';
export { finishRollback, interruptedRollback } from './applying/finish-rollback.ts';
export { restoreOverwrittenEdits, readOverwrittenEdits } from './planning/restore-overwritten.ts';
export type { RestoredEdits } from './planning/restore-overwritten.ts';
export {
  awaitSent,
  crashedRun,
  notPutBack,
  settleUnfinished,
  unfinishedRun,
} from './planning/crashed-run.ts';
export { judgeSavedLists } from './planning/judge-saved-lists.ts';
export { sourceLinks } from './posting/forge-run.ts';
export type { ForgeContext } from './posting/open-forge.ts';
export { notifyRun, webhookUrl } from './posting/notify-run.ts';
export { postDrift } from './posting/post-drift.ts';
export type { PostedDrift } from './posting/post-drift.ts';
export { postReport } from './posting/post-report.ts';
export type { Posted } from './posting/post-report.ts';
export { summarise } from './posting/step-summary.ts';
export { ciNeeds, isCiSystem } from './project/ci-files.ts';
export type { CiSystem } from './project/ci-files.ts';
export { writeEditorSchemas } from './project/editor-schemas.ts';
export { fixFiles, notFixed } from './project/fix-files.ts';
export { isOutsideProject } from './project/project-files.ts';
export { projectFolder, requireNamedProject, requireProjectOfVariables } from './project/project-folder.ts';
export {
  addReplay,
  guardByClock,
  guardReviewedPart,
  guardSavedPlan,
  readGuards,
} from './project/project-guards.ts';
export type { Guards, GuardsResult } from './project/project-guards.ts';
export { NO_SECRETS } from './project/project-secrets.ts';
export type { ProjectSecrets } from './project/project-secrets.ts';
export { folderInRepository, repositoryFolder } from './project/repository-folder.ts';
export { requireDigests } from './project/require-sensitive.ts';
export { bundledSchema, listSchemas, readSchema } from './project/schemas.ts';
export { parseTarget } from './project/selection.ts';
export type { AuditChoice } from './planning/read-authors.ts';
export type { PlanPurpose, PlanSelection, Revisions, Selection, TargetFilter } from './project/selection.ts';
export { withFetchedSecrets } from './project/fetch-secrets.ts';
export { sensitiveValues } from './project/sensitive-values.ts';
export { checkNewOutput, checkOutput, removeOutput, writeOutput } from './project/write-output.ts';
export { explainLive } from './requests/explain-live.ts';
export type { ExplainOptions, ExplainResult } from './requests/explain-request.ts';
export { expressionLines } from './requests/expression-lines.ts';
export { laterState, rollbackPlan } from './rollback.ts';
export type { LaterState, RollbackChoice } from './rollback.ts';
export type { AppEvent, OnEvent } from './run/events.ts';
export type { Extension } from './run/extension.ts';
export { holdJournal, journalPath } from './run/journal-choice.ts';
export type { Hold, JournalChoice } from './run/journal-choice.ts';
export { keptPath } from './run/kept-path.ts';
export { openRun } from './run/open-run.ts';
export { resultKind } from './run/result-kind.ts';
export type { ApplyResult, FileFindings, PlanResult, ProjectCounts, ValidateResult } from './run/results.ts';
export { runTime } from './run/time.ts';
export type { RunTime } from './run/time.ts';
export { usage } from './run/usage-error.ts';
export { CREDENTIAL_ERRORS } from './service/credential-errors.ts';
export { requireCredentials } from './service/credentials-for.ts';
export { defaultScope } from './service/default-scope.ts';
export { eachZone } from './service/each-zone.ts';
export type { ChosenZones } from './service/each-zone.ts';
export { readSwitch, serveEmulator } from './service/embedded.ts';
export type { Served, ServedRequest } from './service/embedded.ts';
export { pruneCache } from './service/open-cache.ts';
export { withService } from './service/open-service.ts';
export { openWriting } from './service/open-writing.ts';
export type { Reached } from './service/reach-scope.ts';
export { requestKind } from './service/request-kind.ts';
export { runBudget } from './service/run-budget.ts';
export { createMetrics } from './service/run-metrics.ts';
export type { ServiceChoice, ServiceOptions, UseCase } from './service/service-options.ts';
export { readingZone } from './service/with-scope.ts';
export type { ZoneChoice } from './service/with-scope.ts';
export { testRules } from './test-rules.ts';
export type { TestRulesResult } from './test-rules.ts';
export { validate } from './validate.ts';
export {
  findVersionToDelete,
  listRulesetVersions,
  removeRulesetVersion,
  rulesetYaml,
  showRulesetVersion,
} from './versions.ts';
