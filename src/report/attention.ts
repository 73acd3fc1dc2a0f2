import { describedName } from '../model/described-name.ts';
import type { Drift, DriftChange } from '../model/drift.ts';
import { groupBy } from '../model/group-by.ts';
import type { FailedScope, Plan, PlannedScope, PlanNote, PlanNoteKind, Step } from '../model/plan.ts';
import type { AllowedKinds, GuardFinding, GuardKind } from '../model/guard.ts';
import { isAllowable, isAllowed } from '../model/guard.ts';
import { scopeLabel } from '../model/scope.ts';
import { failedScopes, plannedScopes } from '../model/scope-plans.ts';
import type { Cause } from '../model/source.ts';
import type { OutcomesDocument } from '../model/result-documents.ts';
import { endingOf, openingOf, weakeningOf } from './lowering.ts';
import { noteRule, warningNotes } from './notes.ts';
import type { OwnIds, Scoped } from './own-ids.ts';
import { ownIdsIn, saidOf } from './own-ids.ts';

/**
 * How something needs attention, the gravest first: what a plan does to every request, though nothing stops it; what nothing allows, what
 * stops apply until it is allowed, an outage that is under way, what lets everybody past, a gap that may be used one day, what is not known
 * at all, what the review or the flags of the run let pass, what guards warn of, and what notes warn of.
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
  'noted',
] as const;

/** One of these. */
export type Level = (typeof LEVELS)[number];

/** What a guard found, a note warns of, or drift shows. */
export interface Found extends Scoped {
  readonly level: Exclude<Level, 'failed'>;
  readonly kind: GuardKind | PlanNoteKind;
  /** Absent when it is about the whole scope or run. */
  readonly step?: string | undefined;
  /** `ref` of the rule; absent or empty when it is about the whole ruleset. */
  readonly rule?: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string | undefined;
  /** What is found, without the place and the rule; absent where the message alone tells it. */
  readonly reason?: string | undefined;
  /** All of it in a sentence, the place and the rule included. */
  readonly message: string;
  /** Where the rule stands in the files; what is deleted stands nowhere, and its ruleset answers for it. */
  readonly cause?: Cause | undefined;
  /** Version of the live ruleset, and when it was made; of drift only. */
  readonly live?: Pick<DriftChange, 'version' | 'lastUpdated'>;
}

/** A scope of which nothing is known. */
export interface Unplanned extends Pick<FailedScope, 'scope' | 'error'> {
  readonly level: 'failed';
}

/** One thing that must not be overlooked. */
export type AttentionItem = Found | Unplanned;

/** What is allowed for this run: kinds of findings, and findings that the reviewed plan showed. */
export interface Allowed {
  readonly kinds: AllowedKinds;
  readonly reviewed?: readonly GuardFinding[];
}

/**
 * What must not be overlooked in a plan, the gravest first: the one answer that every rendering draws. Without `allowed` the plan is one
 * to review, not one to carry out now.
 */
export function planAttention(
  { findings = [], scopes }: Pick<Plan, 'findings' | 'scopes'>,
  allowed?: Allowed,
): readonly AttentionItem[] {
  const levelOf = levelsWith(allowed);
  return gravestFirst([
    ...findings.map((one) => ({ ...one, level: levelOf(one) })),
    ...plannedScopes(scopes).flatMap((scope) => scopeItems(scope, levelOf)),
    ...notedItems(scopes),
    ...unplannedItems(scopes),
  ]);
}

/** What guards found where there is no plan of scopes, or only what they refused of one. */
export function findingsAttention(
  findings: readonly GuardFinding[],
  allowed?: Allowed,
): readonly AttentionItem[] {
  return planAttention({ findings, scopes: [] }, allowed);
}

/** What stopped an apply before its first write, and the scopes that it left out. */
export function outcomesAttention({
  refusals,
  failedScopes: scopes,
}: Pick<OutcomesDocument, 'refusals' | 'failedScopes'>): readonly AttentionItem[] {
  return planAttention({ findings: refusals, scopes });
}

/** What must not be overlooked in drift: it has no guards, but what live does. */
export function driftAttention({
  plan: { scopes },
  changes,
}: Pick<Drift, 'changes'> & { readonly plan: Pick<Plan, 'scopes'> }): readonly AttentionItem[] {
  return gravestFirst([...liveItems(scopes, changes), ...notedItems(scopes), ...unplannedItems(scopes)]);
}

/** Kinds that come first among what is equally grave: a changed guard judges all others. */
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

/** What comes to concern all that is asked. */
const TO_EVERYBODY: ReadonlySet<GuardKind> = new Set(['every-request', 'unprotected']);

type LevelOf = (finding: GuardFinding) => Found['level'];

function levelsWith(allowed: Allowed = { kinds: [] }): LevelOf {
  const reviewed = new Set((allowed.reviewed ?? []).map(({ kind, message }) => `${kind} ${message}`));
  return ({ kind, effect, message }) => {
    if (effect === 'warn') {
      return TO_EVERYBODY.has(kind) ? 'everybody' : 'warns';
    }
    if (!isAllowable(kind)) {
      return 'never';
    }
    if (reviewed.has(`${kind} ${message}`)) {
      return 'reviewed';
    }
    return isAllowed(kind, allowed.kinds) ? 'allowed' : 'refused';
  };
}

/** What guards found in a scope; its steps are looked into only where something was. */
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

/** Whether it stops apply, or is as grave though nothing stops it. */
export function isGrave({ level }: Pick<AttentionItem, 'level'>): boolean {
  return level === 'everybody' || level === 'never' || level === 'refused';
}

/** Whether it is about what live has become: drift names no kinds of guards. */
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

/** What live does, called as the guards call it. */
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
