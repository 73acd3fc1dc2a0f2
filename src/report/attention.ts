import { describedName } from '../model/described-name.ts';
import type { Drift, DriftChange } from '../model/drift.ts';
import { groupBy } from '../model/group-by.ts';
import type { FailedScope, Plan, PlannedScope, PlanNote, PlanNoteKind, Step } from '../model/plan.ts';
import type { GuardFinding, GuardKind, Permission } from '../model/guard.ts';
import { isAllowable, isAllowed, reviewedBy } from '../model/guard.ts';
import { scopeLabel } from '../model/scope.ts';
import { failedScopes, plannedScopes } from '../model/scope-plans.ts';
import type { Cause } from '../model/source.ts';
import type { OutcomesDocument } from '../model/result-documents.ts';
import { endingOf, openingOf, weakeningOf } from './lowering.ts';
import { noteRule, warningNotes } from './notes.ts';
import type { OwnIds, Scoped } from './own-ids.ts';
import { ownIdsIn, saidOf } from './own-ids.ts';

/**
 * The levels of attention, gravest first: an effect of the plan on every request that no guard stops; what nothing allows; what stops apply
 * until it is allowed; live ending every request; live letting every request past protection; live protecting less; a scope that could not
 * be planned; findings that the review or the flags of the run allow; warnings of guards; what is only not proven not to weaken; and warnings of
 * notes.
 */
const LEVELS = [
  'everybody',
  'never',
  'refused',
  'ending',
  'open',
  'weaker',
  'failed',
  'reviewed',
  'allowed',
  'warns',
  'unproven',
  'noted',
] as const;

export type Level = (typeof LEVELS)[number];

/** A finding of a guard, a warning of a note, or grave drift. */
export interface Found extends Scoped {
  readonly level: Exclude<Level, 'failed'>;
  readonly kind: GuardKind | PlanNoteKind;
  /** Absent when the finding is about the whole scope or run. */
  readonly step?: string | undefined;
  /** The `ref` of the rule; absent or empty when the finding is about the whole ruleset. */
  readonly rule?: string;
  /** The description of a rule whose `ref` says nothing about it. */
  readonly description?: string | undefined;
  /** The finding without place and rule; absent when only the message states it. */
  readonly reason?: string | undefined;
  /** The whole finding as a sentence, including place and rule. */
  readonly message: string;
  /** Where the files declare the rule; for a deleted rule, the place of its ruleset. */
  readonly cause?: Cause | undefined;
  /** The version of the live ruleset and its time; for drift only. */
  readonly live?: Pick<DriftChange, 'version' | 'lastUpdated'>;
}

/** A scope that could not be planned. */
export interface Unplanned extends Pick<FailedScope, 'scope' | 'error'> {
  readonly level: 'failed';
}

/** Something that must not be overlooked. */
export type AttentionItem = Found | Unplanned;

/**
 * Returns what must not be overlooked in a plan, gravest first; all renderings use this list. Without `allowed` the plan is one to review,
 * not one to apply now.
 */
export function planAttention(
  { findings = [], scopes }: Pick<Plan, 'findings' | 'scopes'>,
  allowed?: Permission,
): readonly AttentionItem[] {
  const levelOf = levelsWith(allowed);
  return gravestFirst([
    ...findings.map((one) => ({ ...one, level: levelOf(one) })),
    ...plannedScopes(scopes).flatMap((scope) => scopeItems(scope, levelOf)),
    ...notedItems(scopes),
    ...unplannedItems(scopes),
  ]);
}

/** Returns the attention items for findings of guards without a plan of scopes. */
export function findingsAttention(
  findings: readonly GuardFinding[],
  allowed?: Permission,
): readonly AttentionItem[] {
  return planAttention({ findings, scopes: [] }, allowed);
}

/** Returns what stopped an apply before its first write, and the scopes that it left out. */
export function outcomesAttention({
  refusals,
  failedScopes: scopes,
}: Pick<OutcomesDocument, 'refusals' | 'failedScopes'>): readonly AttentionItem[] {
  return planAttention({ findings: refusals, scopes });
}

/** Returns what must not be overlooked in drift, gravest first: the effects of live in place of the findings of guards. */
export function driftAttention({
  plan: { scopes },
  changes,
}: Pick<Drift, 'changes'> & { readonly plan: Pick<Plan, 'scopes'> }): readonly AttentionItem[] {
  return gravestFirst([...liveItems(scopes, changes), ...notedItems(scopes), ...unplannedItems(scopes)]);
}

/** Kinds that come first among equally grave findings: changed settings determine how all others are judged. */
const FIRST: readonly Found['kind'][] = ['settings', 'every-request', 'unprotected', 'weakened'];

function gravestFirst(items: readonly AttentionItem[]): readonly AttentionItem[] {
  const kindRank = (item: AttentionItem): number => {
    const index = item.level === 'failed' ? -1 : FIRST.indexOf(item.kind);
    return index === -1 ? FIRST.length : index;
  };
  const rank = (item: AttentionItem): number =>
    LEVELS.indexOf(item.level) * (FIRST.length + 1) + kindRank(item);
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** Kinds of findings that concern every request. */
const TO_EVERYBODY: ReadonlySet<GuardKind> = new Set(['every-request', 'unprotected']);

type LevelOf = (finding: GuardFinding) => Found['level'];

function levelsWith(allowed: Permission = { kinds: [] }): LevelOf {
  const isReviewed = reviewedBy(allowed);
  return (finding) => {
    const { kind, effect } = finding;
    if (effect === 'warn') {
      return TO_EVERYBODY.has(kind) ? 'everybody' : finding.proven === false ? 'unproven' : 'warns';
    }
    if (!isAllowable(kind)) {
      return 'never';
    }
    if (isReviewed(finding)) {
      return 'reviewed';
    }
    return isAllowed(kind, allowed.kinds) ? 'allowed' : 'refused';
  };
}

/** Returns the findings of guards in a scope. The steps are read only when there are any. */
function scopeItems(plan: PlannedScope, levelOf: LevelOf): readonly Found[] {
  if (plan.findings.length === 0) {
    return [];
  }
  const causeOf = causesIn(plan.steps);
  return saidOf(plan, plan.findings).map((one) => ({ ...one, level: levelOf(one), cause: causeOf(one) }));
}

function causesIn(steps: readonly Step[]): (finding: GuardFinding) => Cause | undefined {
  const causes = new Map(
    steps.map((step) => [
      step.id,
      {
        own: step.cause,
        rules: new Map(
          step.changes.flatMap((change) =>
            change.kind === 'delete' ? [] : [[change.ref, change.cause] as const],
          ),
        ),
      },
    ]),
  );
  return ({ step = '', rule = '' }) => causes.get(step)?.rules.get(rule) ?? causes.get(step)?.own;
}

/** Whether an item stops apply, or is as grave although nothing stops it. */
export function isGrave({ level }: Pick<AttentionItem, 'level'>): boolean {
  return level === 'everybody' || level === 'never' || level === 'refused';
}

/** Whether an item is about live's state in drift, for which renderings show no kind of guard. */
export function isOfDrift({ level }: Pick<AttentionItem, 'level'>): boolean {
  return LIVE.some((one) => one.level === level);
}

function notedItems(scopes: Plan['scopes']): readonly Found[] {
  return warningNotes({ scopes }).map((note: PlanNote & Scoped) => ({
    ...note,
    level: 'noted',
    reason: note.message,
    message: `${note.step}: ${note.rule === '' ? '' : `${noteRule(note)}: `}${note.message}`,
  }));
}

function unplannedItems(scopes: Plan['scopes']): readonly Unplanned[] {
  return failedScopes(scopes).map(({ scope, error }) => ({ level: 'failed', scope, error }));
}

/** The grave effects of live, under the kinds that guards use for them. */
const LIVE = [
  { level: 'ending', kind: 'every-request', says: endingOf },
  { level: 'open', kind: 'unprotected', says: openingOf },
  { level: 'weaker', kind: 'weakened', says: weakeningOf },
] as const;

function liveItems(scopes: Plan['scopes'], changes: Drift['changes']): readonly Found[] {
  const found = changes.flatMap((change) =>
    LIVE.flatMap(({ level, kind, says }) => {
      const reason = says(change);
      return reason === undefined ? [] : [liveItem(change, { level, kind, reason })];
    }),
  );
  const byScope = groupBy(found, ({ scope }) => scope);
  const own = new Map<Found, OwnIds>(
    plannedScopes(scopes).flatMap((scope) =>
      ownIdsIn(scope, byScope.get(scopeLabel(scope.scope)) ?? [], ({ rule, reason }) => [rule, reason]),
    ),
  );
  return found.map((one) => ({ ...one, own: own.get(one) }));
}

function liveItem(
  { scope, step, rule, description, version, lastUpdated }: DriftChange,
  { reason, ...what }: Pick<Found, 'level' | 'kind'> & { readonly reason: string },
): Found {
  return {
    ...what,
    scope,
    step,
    rule,
    description,
    reason,
    message: `${step}: rule ${describedName(rule, description ?? '')} ${reason}`,
    live: { version, lastUpdated },
  };
}
