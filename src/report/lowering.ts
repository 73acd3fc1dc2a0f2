import type { RuleChange } from '../model/change.ts';
import type { Drift, DriftChange } from '../model/drift.ts';
import type { GuardKind } from '../model/guard.ts';
import type { Plan, Step } from '../model/plan.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import type { Telling } from './telling.ts';

/** Why something is to be said of a change of a step; undefined where it is not. */
export type Reason = (step: Pick<Step, 'id'>, change: RuleChange) => string | undefined;

/** Why a change lowers protection, or may: the one answer that every rendering shows. */
export type Lowering = Reason;

/** Changes of a plan that weaken protection, as its guards found them: not those that the files allow. */
export function planLowering(plan: Pick<Plan, 'scopes'>): Lowering {
  const found = foundReasons(plan, 'weakened');
  return (step, change) =>
    change.protection.kind === 'weakening' && found(step, change) !== undefined
      ? change.protection.reason
      : undefined;
}

/** Changes of a plan that come to end every request, as its guards found them. */
export function planEnding(plan: Pick<Plan, 'scopes'>): Reason {
  return foundReasons(plan, 'every-request');
}

function foundReasons({ scopes }: Pick<Plan, 'scopes'>, of: GuardKind): Reason {
  return reasonsOf(
    plannedScopes(scopes).flatMap(({ findings }) => findings),
    ({ kind, reason, message }) => (kind === of ? (reason ?? message) : undefined),
  );
}

/** Why a change of a plan weakens protection where the files allow that (`safety.allow`): worth a word, and no alarm. */
export function allowedWeakening(
  { protection }: Pick<RuleChange, 'protection'>,
  { kind, lowers }: { readonly kind: Telling['kind']; readonly lowers: string | undefined },
): string | undefined {
  return kind === 'plan' && lowers === undefined && protection.kind === 'weakening'
    ? `${protection.reason} (allowed by safety.allow)`
    : undefined;
}

/** Changes that would take back what live protects less than the files. */
export function driftLowering(changes: Drift['changes']): Lowering {
  return reasonsOf(changes, weakeningOf);
}

/** Changes that would take back what live does to every request, and what that is. */
export function driftEnding(changes: Drift['changes']): Reason {
  return reasonsOf(changes, endingOf);
}

/** Why live protects less by a rule, or may. */
export function weakeningOf({ severity, reason = '' }: DriftChange): string | undefined {
  return severity === 'weakening' ? reason : undefined;
}

/** What live does by a rule to every request, and the files do not. */
export function endingOf({ everyRequest }: DriftChange): string | undefined {
  return everyRequest;
}

/** What live lets every request past by a rule, and the files do not. */
export function openingOf({ unprotected }: DriftChange): string | undefined {
  return unprotected;
}

function reasonsOf<T extends { readonly step?: string | undefined; readonly rule?: string | undefined }>(
  all: readonly T[],
  says: (one: T) => string | undefined,
): Reason {
  const reasons = new Map(
    all.flatMap((one) => {
      const reason = says(one);
      return reason === undefined ? [] : [[JSON.stringify([one.step, one.rule]), reason] as const];
    }),
  );
  return ({ id }, { ref }) => reasons.get(JSON.stringify([id, ref]));
}

/** What a number of changes that lower protection do. */
export function loweringWord(count: number, { kind }: Pick<Telling, 'kind'>): string {
  if (kind === 'drift') {
    return 'weaker live';
  }
  return count === 1 ? 'weakens' : 'weaken';
}

/** What a number of rules do that end every request. */
export function endingWord(count: number): string {
  return count === 1 ? 'ends every request' : 'end every request';
}

/** Why a change is said to end every request, as a clause. */
export function endingClause(reason: string, { kind }: Pick<Telling, 'kind'>): string {
  return kind === 'plan' ? reason : `live ${reason}`;
}

/** How many changes are grave, the gravest first; none where none is. */
export function graveCounts(
  { ending, lowering }: Gravity,
  telling: Pick<Telling, 'kind'>,
): readonly string[] {
  return [
    ...(ending === 0 ? [] : [`${ending} ${endingWord(ending)}`]),
    ...(lowering === 0 ? [] : [`${lowering} ${loweringWord(lowering, telling)}`]),
  ];
}

/** Of how many changes of a step something is to be said. */
export function countReasons(step: Step, reason: Reason): number {
  return step.changes.filter((change) => reason(step, change) !== undefined).length;
}

/** How much of something is grave. */
export interface Gravity {
  readonly ending: number;
  readonly lowering: number;
}

/** Orders by gravity, the gravest first: an outage before any gap. */
export function byGravity(a: Gravity, b: Gravity): number {
  return b.ending - a.ending || b.lowering - a.lowering;
}

/** How much of some steps is grave. */
export function gravityOf(
  steps: readonly Step[],
  { lowering, ending }: { readonly lowering: Lowering; readonly ending: Reason },
): Gravity {
  const count = (reason: Reason): number => steps.reduce((sum, step) => sum + countReasons(step, reason), 0);
  return { ending: count(ending), lowering: count(lowering) };
}
