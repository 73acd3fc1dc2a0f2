import { isWritten, scopeLabel, plannedScopes, allStepIds } from '../../model/index.ts';
import type {
  RuleChange,
  Plan,
  PlannedScope,
  ScopePlan,
  Step,
  GuardFinding,
  Safety,
  GuardKind,
  RuleContent,
} from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { judgeContent } from '../impact/judge-content.ts';
import { comesToEndEveryRequest } from '../impact/every-request.ts';
import { opensAlone } from '../impact/unprotected.ts';
import type { EffectContext } from '../impact/security-effect.ts';
import { pairedChanges, recreatedIn } from '../impact/recreated-rules.ts';
import { protectionOf } from '../impact/security-effect.ts';
import { listsAsBefore } from '../lists/known-lists.ts';
import { guardObjectsAgain } from './guard-objects.ts';
import { guardRun, guardScope, withoutAllowed } from './guard-scope.ts';
import { guardTraffic } from './guard-traffic.ts';

/**
 * Runs the guards of this run on a plan from a file. The findings in the file are not trusted: they and the effects on protection are computed
 * again, as far as the plan alone allows. Findings about quotas, references to what is deleted, the guards' own settings, and missing shards
 * need more than the plan, and are kept. A plan that lacks scopes is refused: whoever reviewed the others has not agreed that these may stay as
 * they are.
 */
export function guardAgain(plan: Plan, safety: Safety, today: string): Plan {
  const lists = listsAsBefore(plan);
  const scopes = plan.scopes.map((scope): ScopePlan => {
    if (scope.kind === 'failed') {
      return scope;
    }
    const unjudged: PlannedScope = {
      ...scope,
      steps: scope.steps.map((step) =>
        judgedAgain(step, {
          scope: scope.scope,
          phase: step.target.phase,
          lists: lists(scope.scope),
        }),
      ),
      findings: scope.findings.filter(({ kind }) => kind === 'quota' || kind === 'referenced'),
    };
    return guardObjectsAgain(guardScope(unjudged, safety, today), scope.findings, { safety, today });
  });
  const { findings: said = [], ...rest } = plan;
  const findings = [
    ...said.filter(({ kind }) => kind === 'settings' || kind === 'incomplete'),
    ...withoutAllowed(incomplete(scopes), safety, today),
    ...guardRun(scopes, safety, today),
    ...withoutAllowed(guardTraffic(plan, safety), safety, today),
  ];
  return { ...rest, ...(findings.length === 0 ? {} : { findings }), scopes };
}

/** The most scopes that the finding names. */
const MOST_NAMED = 10;

function incomplete(scopes: readonly ScopePlan[]): readonly GuardFinding[] {
  const lacking = scopes.flatMap(({ kind, scope }) => (kind === 'failed' ? [scopeLabel(scope)] : []));
  if (lacking.length === 0) {
    return [];
  }
  const message = `the saved plan lacks ${lacking.length} of ${scopes.length} scopes, which could not be planned: ${someNames(lacking, MOST_NAMED)}. Plan again, or carry out the others`;
  return [{ kind: 'incomplete', effect: 'refuse', message }];
}

function judgedAgain(step: Step, context: EffectContext): Step {
  // Of a recreated rule only its place matters, and that is judged like a move.
  const twins = recreatedIn(step.changes);
  const again = pairedChanges(twins);
  const changes = step.changes.map((change) => {
    const judged = again.has(change) ? change : changeAgain(change, context);
    const before =
      change.kind === 'add' ? twins.get(change)?.before : change.kind === 'patch' ? change.before : undefined;
    return step.target.level === 'custom' ? judged : endsAgain(judged, before ?? null, context);
  });
  return { ...step, changes };
}

/**
 * Judges which requests a rule newly ends or lets past by itself. The condition under which a custom ruleset's rules run, and what other rules
 * do besides, are taken from the file.
 */
function endsAgain(change: RuleChange, before: RuleContent | null, context: EffectContext): RuleChange {
  if (!isWritten(change)) {
    return change;
  }
  const ends = change.ends?.forth ?? comesToEndEveryRequest(before, change.content, context);
  const opens = change.opens?.forth ?? opensAlone(before, change.content, context);
  return {
    ...change,
    ...(ends === undefined ? {} : { ends: { ...change.ends, forth: ends } }),
    ...(opens === undefined ? {} : { opens: { ...change.opens, forth: opens } }),
  };
}

/** Judges a change again: a change that the file calls harmless may weaken; what the file calls weakening stays so. */
function changeAgain(change: RuleChange, context: EffectContext): RuleChange {
  const verdict = judgeContent(change, context);
  return verdict.kind === 'weaker' && change.protection.kind !== 'weakening'
    ? { ...change, protection: protectionOf(verdict) }
    : change;
}

/**
 * Replaces the counting findings in a part of a reviewed plan (a shard, or the rest of an interrupted run) with those of the whole plan by the
 * guards of this run: the review saw those, and a part alone would have other counts.
 */
export function guardPart(part: Plan, whole: Plan, safety: Safety, today: string): Plan {
  const { findings: overRun, scopes } = guardAgain(whole, safety, today);
  const steps = new Set(allStepIds(part.scopes));
  const overScope = new Map(
    plannedScopes(scopes).map(({ scope, findings }) => [
      scopeLabel(scope),
      findings.filter(
        (finding) => isCount(finding) && (finding.step === undefined || steps.has(finding.step)),
      ),
    ]),
  );
  const { findings: said = [], ...rest } = part;
  const findings = [...said.filter((finding) => !isCount(finding)), ...(overRun ?? []).filter(isCount)];
  return {
    ...rest,
    ...(findings.length === 0 ? {} : { findings }),
    scopes: part.scopes.map((plan): ScopePlan =>
      plan.kind === 'failed'
        ? plan
        : {
            ...plan,
            findings: [
              ...plan.findings.filter((finding) => !isCount(finding)),
              ...(overScope.get(scopeLabel(plan.scope)) ?? []),
            ],
          },
    ),
  };
}

const COUNTED: ReadonlySet<GuardKind> = new Set<GuardKind>([
  'deleted',
  'changed',
  'emptied',
  'scopes',
  'newly-blocked',
  'not-replayed',
]);

function isCount({ kind }: GuardFinding): boolean {
  return COUNTED.has(kind);
}
