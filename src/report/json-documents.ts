import type {
  ValidationDocument,
  OutcomesDocument,
  ErrorDocument,
  Diagnostic,
  Drift,
  ErrorFacts,
  Rollback,
  Preflight,
  ReplayDocument,
  WaveResult,
  Plan,
  DesiredRule,
  DesiredRuleset,
  DesiredScope,
} from '../model/index.ts';
import { sortDiagnostics, errorFacts, NO_PREFLIGHT, changesAnything, failedScopes } from '../model/index.ts';
import { leftOut } from './summary.ts';

/** Returns the document of the findings in files. */
export function validationJson(findings: {
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}): ValidationDocument {
  return {
    kind: 'validation',
    formatVersion: 1,
    valid: findings.valid,
    diagnostics: sortDiagnostics(findings.diagnostics),
  };
}

/**
 * Returns the document of `drift`: whether live differs from the files in any scope that could be read, each rule that differs, most severe
 * first, which rules of the files end, and the plan that would undo the drift.
 */
export function driftJson({ plan, changes, ends }: Drift) {
  return {
    kind: 'drift',
    formatVersion: 1,
    drifted: changesAnything(plan),
    digest: plan.digest,
    changes,
    ends,
    plan,
  };
}

/** Returns the document of the outcomes of a plan's steps. */
export function outcomesJson(
  plan: Plan,
  run: Pick<OutcomesDocument, 'result' | 'dryRun' | 'outcomes' | 'refusals' | 'differences'> & {
    readonly preflight?: Preflight;
    readonly rollback?: Rollback | null;
    readonly waves?: readonly WaveResult[] | undefined;
  },
): OutcomesDocument {
  const left = leftOut(plan);
  return {
    kind: 'outcomes',
    formatVersion: 1,
    result: run.result,
    dryRun: run.dryRun,
    plan: { digest: plan.digest, summary: plan.summary, scopes: plan.scopes.length },
    outcomes: run.outcomes,
    preflight: run.preflight ?? NO_PREFLIGHT,
    rollback: run.rollback ?? undefined,
    waves: run.waves,
    leftOut: left.length === 0 ? undefined : left,
    refusals: run.refusals,
    differences: run.differences,
    failedScopes: failedScopes(plan.scopes),
  };
}

/** Returns the document of a plan with the service's answers to its writes. */
export function checkedPlanJson(plan: Plan, preflight: Preflight, replay: ReplayDocument | null = null) {
  const traffic = replay === null ? {} : { replay };
  return { kind: 'checked-plan', formatVersion: 1, plan, preflight, ...traffic };
}

/** Returns the document of an error. */
export function errorJson(error: ErrorFacts): ErrorDocument {
  return { kind: 'error', formatVersion: 1, error: errorFacts(error) };
}

/** Returns the document of the desired state, with packs and variables expanded: `schemas/desired.schema.json`. */
export function desiredJson(scopes: readonly DesiredScope[]) {
  return { kind: 'desired', formatVersion: 1, scopes: scopes.map(scopeOf) };
}

function scopeOf({
  scope,
  labels = {},
  tokenEnv,
  rulesetOwnership,
  rulesets,
  settings,
  cause,
}: DesiredScope) {
  return { scope, labels, tokenEnv, rulesetOwnership, rulesets: rulesets.map(rulesetOf), settings, cause };
}

function rulesetOf(ruleset: DesiredRuleset) {
  const { address, presence, description, ownership, place, ignore = [], rules, cause } = ruleset;
  return { ...address, presence, description, ownership, place, ignore, rules: rules.map(ruleOf), cause };
}

function ruleOf({ ref, id, adopt, content, lists = [], cause }: DesiredRule) {
  return { ref, id, adopt, content, lists: lists.map(({ name, holds }) => ({ name, holds })), cause };
}
