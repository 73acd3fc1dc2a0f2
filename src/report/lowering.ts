import type { RuleChange } from '../model/change.ts';
import type { Drift, DriftChange } from '../model/drift.ts';
import type { GuardKind } from '../model/guard.ts';
import type { Plan, Step } from '../model/plan.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import type { Telling } from './telling.ts';

/** Why a change of a rule is grave, each as a clause; undefined where it is not. */
export interface Grave {
  /** It lowers protection, or may. */
  readonly lowers: string | undefined;
  /** It ends every request, or may. */
  readonly ends: string | undefined;
  /** It lets every request past protection, or may. */
  readonly opens: string | undefined;
}

/** Why the changes of a step are grave: the one answer that every rendering shows. */
export type Graves = (step: Pick<Step, 'id'>, change: RuleChange) => Grave;

/** Why something is to be said of a change of a step; undefined where it is not. */
type Reason = (step: Pick<Step, 'id'>, change: RuleChange) => string | undefined;

/** As the guards of a plan found them: not those that the files allow. */
export function planGraves(plan: Pick<Plan, 'scopes'>): Graves {
  const weakens = foundReasons(plan, 'weakened');
  const ends = foundReasons(plan, 'every-request');
  const opens = foundReasons(plan, 'unprotected');
  return (step, change) => ({
    lowers:
      change.protection.kind === 'weakening' && weakens(step, change) !== undefined
        ? change.protection.reason
        : undefined,
    ends: ends(step, change),
    opens: opens(step, change),
  });
}

/** Changes that would take back what live does, and what that is. */
export function driftGraves(changes: Drift['changes']): Graves {
  const lowers = reasonsOf(changes, weakeningOf);
  const ends = reasonsOf(changes, endingOf);
  const opens = reasonsOf(changes, openingOf);
  return (step, change) => ({
    lowers: lowers(step, change),
    ends: ends(step, change),
    opens: opens(step, change),
  });
}

/** Whether a change is grave in any way. */
export function isGraveChange({ lowers, ends, opens }: Grave): boolean {
  return lowers !== undefined || ends !== undefined || opens !== undefined;
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
  return count === 1 ? 'weakens protection' : 'weaken protection';
}

/** What rules do that end every request, proven or all that were tried. */
export const MAY_END = 'may end every request';

/** What rules do that let every request past protection, proven or all that were tried. */
export const MAY_OPEN = 'may let every request past protection';

/** What a rule does to every request, as a clause. */
export function everyRequestClause(reason: string, { kind }: Pick<Telling, 'kind'>): string {
  return kind === 'plan' ? reason : `live ${reason}`;
}

/** How many changes are grave in each way, and what they do, the gravest first; none where none is. */
export function graveParts(
  { ending, opening, lowering }: Gravity,
  telling: Pick<Telling, 'kind'>,
): readonly (readonly [count: number, does: string])[] {
  const parts = [
    [ending, MAY_END],
    [opening, MAY_OPEN],
    [lowering, loweringWord(lowering, telling)],
  ] as const;
  return parts.filter(([count]) => count > 0);
}

/** The same as texts. */
export function graveCounts(gravity: Gravity, telling: Pick<Telling, 'kind'>): readonly string[] {
  return graveParts(gravity, telling).map(([count, does]) => `${count} ${does}`);
}

/** How much of something is grave. */
export interface Gravity {
  /** Changes that end every request. */
  readonly ending: number;
  /** Changes that let every request past protection. */
  readonly opening: number;
  /** Changes that lower protection. */
  readonly lowering: number;
}

/** Orders by gravity, the gravest first: an outage before any gap, and one for everybody before others. */
export function byGravity(a: Gravity, b: Gravity): number {
  return b.ending - a.ending || b.opening - a.opening || b.lowering - a.lowering;
}

/** How much of some steps is grave. */
export function gravityOf(steps: readonly Step[], graves: Graves): Gravity {
  const all = steps.flatMap((step) => step.changes.map((change) => graves(step, change)));
  return {
    ending: all.filter(({ ends }) => ends !== undefined).length,
    opening: all.filter(({ opens }) => opens !== undefined).length,
    lowering: all.filter(({ lowers }) => lowers !== undefined).length,
  };
}
