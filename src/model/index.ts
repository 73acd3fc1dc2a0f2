/**
 * The vocabulary, for everybody: types and tables of facts about phases, actions, rules, rulesets, plans, changes and outcomes.
 *
 * Promises: pure; one fact in one table; plain JSON values, readonly all through.
 * Never: decides anything about a plan.
 */
export {
  ACTIONS,
  FIRMEST,
  actionFacts,
  actionKind,
  actionsWith,
  actsOnEveryMatch,
  decidedParts,
  directsRules,
  isKnownAction,
  isTerminating,
  lastDecides,
  onlyLogs,
  onlyParts,
  stopsRequests,
  strengthOf,
} from './actions.ts';
export type { ActionKind } from './actions.ts';
export { isAtBase } from './base.ts';
export type { Base } from './base.ts';
export {
  changesById,
  describedNameOf,
  descriptionOf,
  formerRef,
  isReplaced,
  isWritten,
  ruleNameOf,
} from './change.ts';
export type {
  AddRule,
  DeleteRule,
  Move,
  MoveRule,
  PatchRule,
  Protection,
  RuleChange,
  RulePosition,
  ToEveryRequest,
} from './change.ts';
export {
  redactText,
  redactIn,
  redactContent,
  redactFields,
  redactionsBetween,
  redactionsInAll,
  shownChange,
  shownContent,
  shownRuleset,
  shownText,
  shownWire,
} from './redact-likely-secrets.ts';
export type { Redactions } from './redact-likely-secrets.ts';
export {
  beginning,
  calledName,
  describedName,
  descriptionBeside,
  isTelling,
  ruleName,
  shortName,
} from './described-name.ts';
export type { RuleName } from './described-name.ts';
export { hasErrors, sortDiagnostics } from './diagnostic.ts';
export type {
  AppliedFix,
  CodeHelp,
  Diagnostic,
  EndOfRule,
  ExplainedCode,
  NotFixed,
  Severity,
} from './diagnostic.ts';
export type {
  AuditEntry,
  AuditReading,
  AuthorNotKnown,
  AuthorsOfChange,
  ChangeActor,
  ChangeAuthors,
  ChangedBy,
  ChangeVia,
  OwnWrites,
} from './audit.ts';
export { authorKey, authorsAmong, authorshipOf, DIFFERENCES, objectDifference } from './author-key.ts';
export { DRIFT_SEVERITIES } from './drift.ts';
export type {
  ChangedLiveRule,
  EndingRule,
  Drift,
  DriftChange,
  DriftSeverity,
  ConcurrentWrite,
  LiveDifference,
  LiveRuleName,
  VersionSpan,
} from './drift.ts';
export { isCredentialName, readsCredentials } from './credential-names.ts';
export { readCacheSettings, readQueryNames, readStatusTimes } from './cache-settings.ts';
export type { StatusTime } from './cache-settings.ts';
export { headerRewrites, TRANSPORT_SECURITY, transportSecuritySeconds } from './header-rewrites.ts';
export type { HeaderRewrite } from './header-rewrites.ts';
export type {
  HealthMeasure,
  HealthResult,
  HealthVerdict,
  ProbeAttempt,
  ProbeMeasure,
  ShareMeasure,
  WindowCounts,
  WindowPair,
  ZoneShares,
} from './health.ts';
export type { Environment } from './environment.ts';
export { ERROR_CODES, RulewrightError, errorFacts, errorMessage, knownError } from './error.ts';
export type { ErrorCode, ErrorDetails, ErrorFacts, FaultOrigin } from './error.ts';
export type { FieldChange, TextChange } from './field-change.ts';
export {
  ALLOWABLE_KINDS,
  DEFAULT_SAFETY,
  DEFAULT_TRAFFIC,
  GUARD_KINDS,
  GUARD_MEANINGS,
  isAllowable,
  isAllowed,
  reviewedBy,
} from './guard.ts';
export type {
  AllowableKind,
  Allowance,
  AllowedKinds,
  FinalKind,
  GuardFinding,
  GuardKind,
  GuardSetting,
  GuardSettings,
  Permission,
  Safety,
  Threshold,
  TrafficLimits,
} from './guard.ts';
export { isOwnedRef } from './ignored.ts';
export type { Ignored } from './ignored.ts';
export {
  hasAllItems,
  isItemAsWanted,
  LIST_ITEM_FIELDS,
  listItemKey,
  listItemToWire,
  liveListItem,
  readListItem,
} from './list-item.ts';
export { LIST_KINDS } from './list.ts';
export type {
  ListBase,
  ListItemChange,
  ListItemChanges,
  ListStep,
  ListWayBack,
  ListTarget,
  ListWriting,
} from './list-step.ts';
export type {
  DesiredList,
  ListItem,
  ListKind,
  ListUse,
  LiveList,
  LiveListHead,
  LiveListItem,
} from './list.ts';
export { isSharedByVisitors, lowLimit } from './low-limit.ts';
export type { LowLimit } from './low-limit.ts';
export { LOCK_FILE, WELL_KNOWN_RULESETS, wellKnownRuleset } from './managed-rulesets.ts';
export type { LockReport, LockedRuleset, ManagedLock, ManagedLookUp } from './managed-rulesets.ts';
export type { HistogramSample, MetricFamily, MetricSample } from './metric.ts';
export { DEFAULT_MITIGATION_TIMEOUT, canonicalContent } from './normalise.ts';
export { NO_PREFLIGHT, UNNEEDED_PREFLIGHT, isAchieved, isFailure, isInDoubt } from './outcome.ts';
export type {
  NormalisedRule,
  NotCheckedCode,
  Outcome,
  Preflight,
  Rollback,
  RunResult,
  ServiceRefusal,
  StepPreflight,
  Unchecked,
  NotPutBack,
  UnfinishedRun,
  UnfinishedStep,
} from './outcome.ts';
export { OVERRIDE_MEMBERS, readOverrides, stateUnder } from './overrides.ts';
export type { Overrides } from './overrides.ts';
export {
  PHASES,
  actionsIn,
  isAlwaysOn,
  phaseAfter,
  phaseFacts,
  phaseOrder,
  phasesOfKind,
  phasesTaking,
  takesParameter,
} from './phases.ts';
export type { FieldGroup, PhaseFacts, PhaseStage, RuleSite } from './phases.ts';
export {
  isCredential,
  steersRun,
  isLikeRandom,
  isNamedLikeSecret,
  mayHoldToken,
  namesSecret,
  comparedValues,
  plainSecrets,
  plainVariable,
  secretTexts,
  shapedSecrets,
} from './plain-secrets.ts';
export type { PlanDifference } from './plan-difference.ts';
export {
  executedReference,
  mapReferences,
  namedRulesets,
  referredRef,
  ruleReference,
  rulesetReferences,
  skippedRules,
  splitReference,
  unmadeRule,
} from './references.ts';
export { PLAN_LEVELS, customRulesetQuota, planLevelOf, planName, ruleQuota } from './quota.ts';
export type { PlanLevel, Quota } from './quota.ts';
export { NOTE_MEANINGS, NOT_CHECKED, PLAN_NOTE_KINDS, WARNING_NOTE_KINDS, serviceName } from './plan.ts';
export type {
  BaseRecord,
  CreateStep,
  DeleteStep,
  FailedScope,
  Plan,
  PlanError,
  PlanNote,
  PlanNoteKind,
  ListSummary,
  PlanSummary,
  PlannedScope,
  RulesetTarget,
  ScopePlan,
  Step,
  UpdateStep,
} from './plan.ts';
export { LOG_FORMATS, REPLAY_OUTCOMES } from './replay.ts';
export type {
  LogFormat,
  OutcomeCounts,
  ReplayAgreement,
  ReplayDocument,
  ReplayExample,
  ReplayGroup,
  ReplayGroups,
  ReplayOutcome,
  ReplayRule,
  RuleChangeKind,
  TrafficOutcome,
  ValueShare,
} from './replay.ts';
export { MOST_VERSIONS } from './result-documents.ts';
export type {
  CatalogReport,
  CatalogRule,
  CatalogRuleset,
  DoctorCheck,
  DoctorGroup,
  DoctorReport,
  DoctorStatus,
  ErrorDocument,
  ComputedValue,
  FoldedZones,
  ImportRefusal,
  ImportSummary,
  ImportedFiles,
  ImportedScope,
  SourceComments,
  OctorulesImport,
  SourceImport,
  TerraformImport,
  LeftOut,
  OutcomesDocument,
  PendingFile,
  UnknownField,
  ValidationDocument,
  VersionChanges,
  VersionEntry,
  VersionList,
  WhyLeftOut,
} from './result-documents.ts';
export { DEPRECATED_PARAMETERS } from './retired/deprecated-parameters.ts';
export type { DeprecatedParameter } from './retired/deprecated-parameters.ts';
export { ROUTE_METHODS, effectiveDate } from './retired/deprecation.ts';
export type { AffectedRoute, Deprecation, RouteMethod } from './retired/deprecation.ts';
export { DEPRECATIONS, findDeprecation } from './retired/deprecations.ts';
export { REGISTRY_ROUTES, retiredRoute } from './retired/retired-routes.ts';
export type { RegistryRoute } from './retired/retired-routes.ts';
export { expressionsIn, roleAt } from './rule-expressions.ts';
export { expressionMode } from './rule-expressions.ts';
export type { ExpressionRole, RuleExpression } from './rule-expressions.ts';
export {
  changeKey,
  entryKey,
  isPlaced,
  orderAfter,
  orderBefore,
  orderTexts,
  othersOf,
  ourRuleCounts,
  placeAfter,
  ruleCounts,
  stayingOf,
} from './rule-order.ts';
export type { OrderEntry, RuleBefore } from './rule-order.ts';
export {
  CONTENT_FIELDS,
  READ_ONLY_RULE_FIELDS,
  contentFromWire,
  contentToWire,
  identicalContent,
  isNamed,
  isObjectField,
  ruleToWire,
} from './rule.ts';
export type { DesiredRule, LiveRule, RuleContent, RulesetUse } from './rule.ts';
export {
  ENTRYPOINT_KIND,
  addressKey,
  addressOfRuleset,
  baseOf,
  referenceFacts,
  namesRulesets,
} from './ruleset.ts';
export type {
  DesiredRuleset,
  LiveRuleset,
  LiveRulesetHead,
  PlaceAmongOthers,
  RuleOwnership,
  RulesetAddress,
  RulesetKind,
} from './ruleset.ts';
export {
  allSteps,
  allStepIds,
  changesAnything,
  changesScope,
  changingScopes,
  objectSteps,
  stepIds,
  failedScopes,
  isUnchecked,
  plannedScopes,
  settingsNotReplayed,
  refusedKinds,
} from './scope-plans.ts';
export {
  FEWEST_FOR_LISTING,
  SCOPES_PER_PAGE,
  foldedName,
  isId,
  nameInAccount,
  scopeLabel,
  zoneName,
} from './scope.ts';
export type { Labels, Scope, ScopeKind, ScopeRef } from './scope.ts';
export {
  HIDDEN,
  HIDDEN_TEXTS,
  OTHER_SECRET_LIKE,
  PLAN_KEY,
  SECRET_LIKE,
  environmentOf,
  hasDigest,
  hasReference,
  isHidden,
  isSensitiveEntry,
  referenceTo,
  referencesIn,
  textsAround,
} from './sensitive.ts';
export type { SensitiveValue } from './sensitive.ts';
export { shapeProblems } from './shape-problems.ts';
export { MAX_SHARDS } from './shard.ts';
export type { PlanShard, RunPart, Shard } from './shard.ts';
export { shownWay } from './shown-way.ts';
export { EMPTY_LIST } from './simulation.ts';
export type {
  Clause,
  HeaderLine,
  Mismatch,
  NotSimulated,
  Observation,
  OldRules,
  RequestWay,
  RulePlace,
  RuleTestError,
  RuleTestReport,
  RuleTestResult,
  RuleVerdict,
  RulesSource,
  SettingLeft,
  VerdictKind,
  WayEnd,
} from './simulation.ts';
export { canonicalReference, readSkip, skipOf, skipsPhase, skipsRest, skipsRule } from './skip.ts';
export type { Skip } from './skip.ts';
export { causeText, formatPlace, isVersion, spanFrom, startOf } from './source.ts';
export type { Cause, FileCause, SourcePoint, SourceSpan } from './source.ts';
export { declaredScopesOf, plainEntrypoints } from './state.ts';
export type {
  DesiredScope,
  EntrypointAddress,
  LiveEntry,
  LiveScope,
  LiveSlot,
  UnseenRuleset,
} from './state.ts';
export { isListStep, isSettingStep, ofObject } from './object-step.ts';
export type { ByObject, ObjectStep } from './object-step.ts';
export { listStepId, readStepId, rulesetName, settingStepId, stepId } from './step-id.ts';
export type {
  DeclaredSettingField,
  DesiredSetting,
  DesiredSettingField,
  LiveSetting,
  SettingFacts,
  SettingField,
  SettingFieldChange,
  SettingStep,
  SettingTarget,
} from './setting.ts';
export { SETTINGS, settingFacts, settingFieldName, settingKeys, settingNames } from './settings.ts';
export {
  compareStrength,
  isSettingAsWanted,
  isSettingValue,
  ruleFieldsOf,
  settingPlanNeeded,
  switchesOff,
} from './setting-values.ts';
export type {
  HealthGate,
  HealthLimit,
  HealthProbe,
  NamedZone,
  PlanRollout,
  PlanWave,
  Rollout,
  WaveChoice,
  WaveResult,
  WaveSelector,
} from './rollout.ts';
export type { RuleUsage, UsageReport } from './usage.ts';
