/**
 * Desired and live state to a plan, for `app` and `apply`: matching, comparing, arranging, security impact, guards, redaction, the plan document.
 *
 * Promises: pure; the same inputs give the same bytes; the fewest writes; rules of others keep content, id and place; what is not proven neutral or
 * strengthening is never called so; no secret of live is told.
 * Never: reads or writes anything, or knows what day it is.
 */
export { findAuthors } from './authors/find-authors.ts';
export { withoutExpired } from './compare/ignore.ts';
export { compareDesired, wantedDigest } from './difference/compare-desired.ts';
export { comparePlans, endAlike, isObjectPartOf, isPartOf } from './difference/compare-plans.ts';
export { driftChanges } from './difference/drift-changes.ts';
export { followLive } from './difference/follow-live.ts';
export type { Follow } from './difference/follow-live.ts';
export {
  differenceFromStep,
  liveDifference,
  liveRuleName,
  versionChanges,
} from './difference/live-difference.ts';
export { planMismatches, rewriteMismatches } from './difference/plan-mismatches.ts';
export { isRewriting } from './impact/rewritten-rules.ts';
export { checkPlan } from './document/check-plan.ts';
export {
  effectDigest,
  factsOf,
  isInShard,
  makePlan,
  withRollout,
  planOfShard,
  summarise,
} from './document/make-plan.ts';
export type { ScopeFacts } from './document/make-plan.ts';
export { readObjectStep } from './document/read-object-step.ts';
export { mergePlans } from './document/merge-plans.ts';
export type { MergedPlans, NamedPlan } from './document/merge-plans.ts';
export { guardAgain, guardPart } from './guard/guard-again.ts';
export {
  findingsOf,
  guardCounts,
  guardRun,
  guardScope,
  otherAccount,
  refusals,
  withoutAllowed,
} from './guard/guard-scope.ts';
export { guardEnds } from './guard/guard-ends.ts';
export { guardTraffic, withReplay } from './guard/guard-traffic.ts';
export { findLetGo, findUndeclaredRules, unknownLetGo } from './guard/no-longer-declared.ts';
export type { Redeclared } from './guard/no-longer-declared.ts';
export { compareSettings } from './guard/compare-settings.ts';
export { unreadExecuted } from './impact/executed-rulesets.ts';
export { guardObjects } from './guard/guard-objects.ts';
export { leavingRedirects, leftUnderOldName, perhapsRenamed, renamedLists } from './lists/list-notes.ts';
export { listNamingRules, listsNamed, listsNamedByStep } from './lists/list-rules.ts';
export type { ListNamingRule, ListNamingRules } from './lists/list-rules.ts';
export { followingLists, listsAsBefore } from './lists/known-lists.ts';
export type { ListsAsBefore } from './impact/security-effect.ts';
export { listMismatches } from './lists/list-mismatches.ts';
export { isListDone, reverseListStep } from './lists/reverse-list.ts';
export { compareItems, judgedStep, listsToRead, MOST_ITEMS_SENT, planLists } from './lists/plan-lists.ts';
export { strengtheningObjects } from './objects/planned-object.ts';
export { needsObject, withoutRest } from './objects/object-steps.ts';
export type { PlannedObject, ReversedObject } from './objects/planned-object.ts';
export {
  deploymentsOf,
  lockNotes,
  lockText,
  makeLock,
  movedSinceLock,
  parseLock,
} from './lock/managed-lock.ts';
export type { Deployment } from './lock/managed-lock.ts';
export { heaviestIncreasing } from './match/arrange.ts';
export { isNaming, matchesAny, owns } from './match/name-rules.ts';
export { proposeRefs } from './names/propose-refs.ts';
export { addressOf, namesLists, rulesWithLists } from './names/ruleset-names.ts';
export type { ListingRule } from './names/ruleset-names.ts';
export { nameTargets } from './names/resolve-targets.ts';
export { namingUndeclared, owningAll, notingOthers } from './rules-of-others.ts';
export { explainOverrides, overrideChanges } from './overrides/explain-overrides.ts';
export { nameSkippedRules, skippedManagedRules } from './overrides/skipped-rules.ts';
export { unknownIds } from './overrides/unknown-ids.ts';
export { planScope } from './plan-scope.ts';
export { hiddenNotes } from './redaction/map-plan.ts';
export { hideInOutcome } from './redaction/redact-outcome.ts';
export { hideReplaced } from './redaction/redact-replaced.ts';
export { hideSecrets } from './redaction/redact-secrets.ts';
export { hasReferences, hiddenValues, hide, valuesBeside, valuesIn } from './redaction/redact-text.ts';
export {
  formerRules,
  hideDescription,
  hideInRule,
  hideInVersion,
  valuesToRestore,
  withPast,
} from './redaction/redact-version.ts';
export type { RulesetToday } from './redaction/redact-version.ts';
export { secretsAmong, stepSecrets } from './redaction/written-secrets.ts';
export type { StepSecrets } from './redaction/written-secrets.ts';
export {
  applyingRequests,
  isLoneWrite,
  readingRequests,
  scopeRequests,
  timeLeft,
} from './requests/estimate.ts';
export { describeDeviation, deviations, expectAfter, normalisedRules } from './requests/expect-after.ts';
export type { Expectation, ExpectedRule } from './requests/expect-after.ts';
export { byUrgency, plannedWrites, writesOf } from './requests/writes.ts';
export type { Anchor, PlannedWrite, Write, WriteStrategy } from './requests/writes.ts';
export { WHOLE, restoreScope } from './reverse/restore-scope.ts';
export type { Restoration, RestoredShare } from './reverse/restore-scope.ts';
export { reverseAddresses, reverseScope } from './reverse/reverse-scope.ts';
export { planRollback } from './reverse/plan-rollback.ts';
export { judgedSettingStep, planSettings, settingUsers } from './settings/plan-settings.ts';
export { isSettingAt, reverseSettingStep } from './settings/reverse-setting.ts';
export { onlyStrengthening } from './strengthen/only-strengthening.ts';
