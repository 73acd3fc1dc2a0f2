import { neutralFrom } from '../expression/index.ts';
import type { RuleChange, Drift, DriftChange, GuardKind, Plan, Step } from '../model/index.ts';
import { plannedScopes } from '../model/index.ts';
import { grouped } from '../text/index.ts';
import type { Perspective } from './perspective.ts';

/** Why a change of a rule is severe, as clauses; undefined for what it does not do. */
export interface SevereEffects {
  /** Why it lowers protection, or may. */
  readonly lowers: string | undefined;
  /** Why it ends every request, or may. */
  readonly ends: string | undefined;
  /** Why it lets every request past protection, or may. */
  readonly opens: string | undefined;
}

/** Returns why a change of a step is severe; all renderings use this function. */
export type SeverityOf = (step: Pick<Step, 'id'>, change: RuleChange) => SevereEffects;

/** Returns a reason for a change of a step; undefined when there is none. */
type Reason = (step: Pick<Step, 'id'>, change: RuleChange) => string | undefined;

/** Returns the severe changes that the guards of a plan found, without those that the files allow. */
export function planSeverity(plan: Pick<Plan, 'scopes'>): SeverityOf {
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

/** Returns the severe changes of drift: those that would undo an effect of live, with that effect. */
export function driftSeverity(changes: Drift['changes']): SeverityOf {
  const lowers = reasonsOf(changes, weakeningOf);
  const ends = reasonsOf(changes, endingOf);
  const opens = reasonsOf(changes, openingOf);
  return (step, change) => ({
    lowers: lowers(step, change),
    ends: ends(step, change),
    opens: opens(step, change),
  });
}

/** Whether a change is severe in any way. */
export function isSevereChange({ lowers, ends, opens }: SevereEffects): boolean {
  return lowers !== undefined || ends !== undefined || opens !== undefined;
}

function foundReasons({ scopes }: Pick<Plan, 'scopes'>, of: GuardKind): Reason {
  return reasonsOf(
    plannedScopes(scopes).flatMap(({ findings }) => findings),
    ({ kind, reason, message }) => (kind === of ? (reason ?? message) : undefined),
  );
}

/** Returns why a planned change weakens protection although the files allow it (`safety.allow`), or a rule has ended: worth a remark, but not an alarm. */
export function allowedWeakening(
  change: RuleChange,
  { kind, lowers }: { readonly kind: Perspective['kind']; readonly lowers: string | undefined },
): string | undefined {
  const { protection } = change;
  if (kind !== 'plan' || lowers !== undefined || protection.kind !== 'weakening') {
    return undefined;
  }
  const mayBeOver = change.kind === 'delete' && neutralFrom(change.before) !== undefined;
  return `${protection.reason} (${mayBeOver ? 'over, or ' : ''}allowed by safety.allow)`;
}

/** Returns why live protects less because of a rule, or may; undefined if it does not. */
export function weakeningOf({ severity, reason = '' }: DriftChange): string | undefined {
  return severity === 'weakening' ? reason : undefined;
}

/** Returns how a live rule ends every request while the files do not; undefined if it does not. */
export function endingOf({ everyRequest }: DriftChange): string | undefined {
  return everyRequest;
}

/** Returns the protection that a live rule lets every request bypass while the files do not; undefined if it does not. */
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

/** Returns the words after the number of changes that lower protection. */
export function loweringWord(count: number, { kind }: Pick<Perspective, 'kind'>): string {
  if (kind === 'drift') {
    return 'weaker live';
  }
  return count === 1 ? 'weakens protection' : 'weaken protection';
}

/** The words for rules that end every request: proven, or every one that was tried. */
export const MAY_END = 'may stop or redirect every request';

/** The words for rules that let every request past protection: proven, or every one that was tried. */
export const MAY_OPEN = 'may let every request past protection';

/** Describes the effect of a rule on every request, as a clause. */
export function everyRequestClause(reason: string, { kind }: Pick<Perspective, 'kind'>): string {
  return kind === 'plan' ? reason : `live ${reason}`;
}

/** Returns how many changes are severe in each way, and what they do, most severe first; ways without changes are left out. */
export function severeParts(
  { ending, opening, lowering }: SevereChanges,
  perspective: Pick<Perspective, 'kind'>,
): readonly (readonly [count: number, does: string])[] {
  const parts = [
    [ending, MAY_END],
    [opening, MAY_OPEN],
    [lowering, loweringWord(lowering, perspective)],
  ] as const;
  return parts.filter(([count]) => count > 0);
}

/** Formats `severeParts` as texts. */
export function severeCounts(
  severe: SevereChanges,
  perspective: Pick<Perspective, 'kind'>,
): readonly string[] {
  return severeParts(severe, perspective).map(([count, does]) => `${grouped(count)} ${does}`);
}

/** The numbers of severe changes. */
export interface SevereChanges {
  /** Changes that end every request. */
  readonly ending: number;
  /** Changes that let every request past protection. */
  readonly opening: number;
  /** Changes that lower protection. */
  readonly lowering: number;
}

/** Compares by severity, most severe first: an outage comes before any gap, and a gap for every request before others. */
export function bySeverity(a: SevereChanges, b: SevereChanges): number {
  return b.ending - a.ending || b.opening - a.opening || b.lowering - a.lowering;
}

/** Counts the severe changes of steps. */
export function countSevere(steps: readonly Step[], severityOf: SeverityOf): SevereChanges {
  const all = steps.flatMap((step) => step.changes.map((change) => severityOf(step, change)));
  return {
    ending: all.filter(({ ends }) => ends !== undefined).length,
    opening: all.filter(({ opens }) => opens !== undefined).length,
    lowering: all.filter(({ lowers }) => lowers !== undefined).length,
  };
}
