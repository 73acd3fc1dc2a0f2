import {
  describedName,
  isAllowable,
  isAllowed,
  reviewedBy,
  scopeLabel,
  failedScopes,
  plannedScopes,
  readStepId,
} from '../model/index.ts';
import type {
  Drift,
  DriftChange,
  FailedScope,
  Plan,
  PlannedScope,
  PlanNote,
  PlanNoteKind,
  RuleChange,
  GuardFinding,
  GuardKind,
  Permission,
  Cause,
  OutcomesDocument,
} from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { counted } from '../text/index.ts';
import { endingOf, openingOf, weakeningOf, MAY_END, MAY_OPEN } from './severity.ts';
import { noteRule, warningNotes } from './notes.ts';
import type { OwnIds, Scoped } from './own-names.ts';
import { ownIdsIn, saidOf } from './own-names.ts';
import { NEVER, untilAllowed, untilReviewed } from './allowing.ts';
import type { Alike } from './alike-scopes.ts';
import { groupFindings } from './alike-scopes.ts';
import type { FailedGroup } from './summary.ts';
import { groupFailed } from './summary.ts';
import type { Detail } from './layout.ts';

/**
 * The levels of attention, most severe first: an effect of the plan on every request that no guard stops; what nothing allows; what stops apply
 * until it is allowed; live ending every request; live letting every request past protection; live protecting less; a scope that could not
 * be planned; findings that the review or the flags of the run allow; warnings of guards; what is only not proven not to weaken,
 * in a plan and in drift; and warnings of notes.
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
  'doubtful',
  'noted',
] as const;

export type Level = (typeof LEVELS)[number];

/** A finding of a guard, a warning of a note, or severe drift. */
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
  /** What of equally severe weakenings of one phase comes first: a block that goes, then a challenge, then all else. */
  readonly loss?: number;
  /** The version of the live ruleset and its time; for drift only. */
  readonly live?: Pick<DriftChange, 'version' | 'lastUpdated'>;
}

/** A scope that could not be planned. */
interface Unplanned extends Pick<FailedScope, 'scope' | 'error'> {
  readonly level: 'failed';
}

/** Something that must not be overlooked. */
export type AttentionItem = Found | Unplanned;

/**
 * Returns what must not be overlooked in a plan, most severe first; all renderings use this list. Without `allowed` the plan is one to review,
 * not one to apply now.
 */
export function planAttention(
  { findings = [], scopes }: Pick<Plan, 'findings' | 'scopes'>,
  allowed?: Permission,
): readonly AttentionItem[] {
  const levelOf = levelsWith(allowed);
  return mostSevereFirst([
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

/** Returns what must not be overlooked in drift, most severe first: the effects of live in place of the findings of guards. */
export function driftAttention({
  plan: { scopes },
  changes,
}: Pick<Drift, 'changes'> & { readonly plan: Pick<Plan, 'scopes'> }): readonly AttentionItem[] {
  return mostSevereFirst([...liveItems(scopes, changes), ...notedItems(scopes), ...unplannedItems(scopes)]);
}

/** Kinds that come first among equally severe findings: changed settings determine how all others are judged. */
const FIRST: readonly Found['kind'][] = ['settings', 'every-request', 'unprotected', 'weakened'];

function mostSevereFirst(items: readonly AttentionItem[]): readonly AttentionItem[] {
  const kindRank = (item: AttentionItem): number => {
    const index = item.level === 'failed' ? -1 : FIRST.indexOf(item.kind);
    return index === -1 ? FIRST.length : index;
  };
  const lossRank = (item: AttentionItem): number =>
    item.level === 'failed' || item.kind !== 'weakened' ? 0 : (item.loss ?? LOST.length);
  const rank = (item: AttentionItem): number =>
    [kindRank(item), weight(item), lossRank(item)].reduce(
      (sum, one) => sum * MOST_RANKS + one,
      LEVELS.indexOf(item.level),
    );
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** More than the values of any of the ranks. */
const MOST_RANKS = 10;

/** Actions whose loss is severe, the most severe first. */
const LOST: readonly RegExp[] = [/^block$/u, /challenge$/u];

/** Returns how severe it is that a change takes away what a live rule does. */
function lossOf(change: RuleChange | undefined): number {
  const before = change?.kind === 'patch' || change?.kind === 'delete' ? change.before : undefined;
  const index = before?.enabled === true ? LOST.findIndex((names) => names.test(before.action)) : -1;
  return index === -1 ? LOST.length : index;
}

/**
 * Phases by the weight of a weakening in them, the heaviest first: the WAF, what blocks, where requests go, what is shared, what the rest of
 * the phases set.
 */
const WEIGHTS: readonly RegExp[] = [
  /firewall_managed$/u,
  /firewall_custom$/u,
  /ratelimit$|^ddos_|^magic_transit/u,
  /redirect$|origin$|request_transform$/u,
  /cache_settings$/u,
];

function weight(item: AttentionItem): number {
  if (item.level === 'failed' || item.kind !== 'weakened' || item.step === undefined) {
    return 0;
  }
  const phase = item.step.slice(item.step.indexOf('/') + 1);
  const index = WEIGHTS.findIndex((names) => names.test(phase));
  return index === -1 ? WEIGHTS.length : index;
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
  const steps = new Map(
    [...plan.steps, ...(plan.objects ?? [])].map((step) => [
      step.id,
      {
        cause: step.cause,
        rules: new Map(('changes' in step ? step.changes : []).map((change) => [change.ref, change])),
      },
    ]),
  );
  return saidOf(plan, plan.findings).map((one) => {
    const step = steps.get(one.step ?? '');
    const change = step?.rules.get(one.rule ?? '');
    return {
      ...one,
      level: levelOf(one),
      cause: change === undefined || change.kind === 'delete' ? step?.cause : change.cause,
      loss: lossOf(change),
    };
  });
}

/** Whether an item stops apply, or is as severe although nothing stops it. */
export function isSevere({ level }: Pick<AttentionItem, 'level'>): boolean {
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

/** The severe effects of live, under the kinds that guards use for them. */
const LIVE: readonly {
  readonly level: Found['level'];
  readonly kind: GuardKind;
  readonly says: (change: DriftChange) => string | undefined;
}[] = [
  { level: 'ending', kind: 'every-request', says: endingOf },
  { level: 'open', kind: 'unprotected', says: openingOf },
  { level: 'weaker', kind: 'weakened', says: (one) => (one.proven === false ? undefined : weakeningOf(one)) },
  {
    level: 'doubtful',
    kind: 'weakened',
    says: (one) => (one.proven === false ? weakeningOf(one) : undefined),
  },
];

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
    message: `${step}: ${rule === '' ? '' : `rule ${describedName(rule, description ?? '')} `}${reason}`,
    live: { version, lastUpdated },
  };
}

/** Findings that need attention under one title; those that are alike are grouped. */
export interface FoundGroup {
  readonly level: Found['level'];
  readonly title: string;
  readonly members: readonly Alike<Found>[];
  /** The number of findings before grouping. */
  readonly count: number;
}

/** Scopes that could not be planned, by reason. */
export interface UnplannedGroup {
  readonly level: 'failed';
  readonly title: string;
  readonly members: readonly FailedGroup[];
  readonly count: number;
}

/** A group under one title. */
export type AttentionGroup = FoundGroup | UnplannedGroup;

/** When a report is made: for a plan to review, for a plan that a run applies, or after a run, whatever its result. */
export type ReportMoment = 'review' | 'run' | 'over';

/** The number of severe drift findings shown at the top: when a project was never applied, every rule is missing live. */
export const MOST_DRIFT_SHOWN = 10;

/** What the titles depend on, and whether each finding is shown by itself. */
export interface Titling {
  readonly moment?: ReportMoment | undefined;
  /** The total number of scopes, if known. */
  readonly of?: number | undefined;
  readonly detail?: Detail | undefined;
}

/** What lets through findings that stop apply, named by their kinds. */
const UNTIL: Readonly<Record<ReportMoment, (kinds: string) => string>> = {
  review: untilReviewed,
  run: untilAllowed,
  over: (kinds) => `Stops apply unless allowed by --allow ${kinds}, or the reviewed plan showed it`,
};

const TITLES: Readonly<Record<Exclude<Level, 'failed' | 'refused'>, string>> = {
  everybody: 'Concerns every request (or every one tried)',
  never: NEVER,
  ending: 'Live stops or redirects every request (or every one tried); the files do not',
  open: 'Live lets every request (or every one tried) bypass protection; the files do not',
  weaker: 'Live protects less than the files',
  reviewed: 'Allowed: the reviewed plan showed it',
  allowed: 'Allowed for this run',
  warns: 'Attention',
  unproven: 'Not proven harmless',
  doubtful: 'Not proven harmless: live may protect less than the files',
  noted: 'Attention',
};

/** Groups attention items by title, the most severe first. */
export function attentionGroups(
  items: readonly AttentionItem[],
  { moment = 'review', of, detail }: Titling = {},
): readonly AttentionGroup[] {
  const total = of === undefined ? '' : ` of ${of}`;
  const titleOf = ({ level }: AttentionItem): string =>
    level === 'refused' || level === 'failed' ? level : TITLES[level];
  return [...groupBy(items, titleOf)].flatMap(([titled, members]): readonly AttentionGroup[] => {
    const unplanned = members.filter(isUnplanned);
    const found = members.filter(isFound);
    const [first] = found;
    return first === undefined
      ? [
          {
            level: 'failed',
            title: `${counted(unplanned.length, 'scope')}${total} could not be planned`,
            members: groupFailed(unplanned),
            count: unplanned.length,
          },
        ]
      : [
          {
            level: first.level,
            title: first.level === 'refused' ? UNTIL[moment](kindsOf(found)) : titled,
            members: groupFindings(found, detail),
            count: found.length,
          },
        ];
  });
}

/** Returns the kinds of findings as the flag takes them. */
function kindsOf(found: readonly Found[]): string {
  return [...new Set(found.map(({ kind }) => kind))].join(',');
}

/** Whether an item is a finding, not a scope that could not be planned. */
export function isFound(item: AttentionItem): item is Found {
  return item.level !== 'failed';
}

function isUnplanned(item: AttentionItem): item is Unplanned {
  return item.level === 'failed';
}

/** Whether a group contains findings, not scopes. */
export function isFoundGroup(group: AttentionGroup): group is FoundGroup {
  return group.level !== 'failed';
}

/** Returns a sentence with the number of things that need attention, the same in every format; null when there are none. */
export function attentionCounts(items: readonly AttentionItem[], detail?: Detail): string | null {
  const found = items.filter(isFound);
  const noted = found.filter(({ level }) => level === 'noted').length;
  const groups = attentionGroups(
    found.filter(({ level }) => level !== 'noted'),
    { detail },
  ).filter(isFoundGroup);
  const rules = (level: Found['level'], does: (count: number) => string): readonly string[] => {
    const { count = 0, members = [] } = groups.find((group) => group.level === level) ?? {};
    return count === 0 ? [] : [`${counted(count, subjectOf(members))} ${does(count)}`];
  };
  const parts = [
    ...rules('ending', () => MAY_END),
    ...rules('open', () => MAY_OPEN),
    ...rules('weaker', (count) => `${count === 1 ? 'protects' : 'protect'} less than in the files`),
    ...rules('doubtful', () => 'may protect less'),
    ...KINDS.flatMap(({ levels, verb, what }) =>
      findings(
        groups.filter(({ level }) => levels.includes(level)),
        { does: (count) => `${count === 1 ? verb[0] : verb[1]} ${what}` },
      ),
    ),
    ...(noted === 0 ? [] : [counted(noted, 'warning')]),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}.`;
}

const KINDS: readonly {
  readonly levels: readonly Found['level'][];
  /** In singular and plural. */
  readonly verb: readonly [one: string, many: string];
  readonly what: string;
}[] = [
  { levels: ['never'], verb: ['stops', 'stop'], what: 'apply' },
  { levels: ['refused'], verb: ['stops', 'stop'], what: 'apply unless allowed' },
  { levels: ['everybody', 'warns'], verb: ['needs', 'need'], what: 'attention' },
  { levels: ['reviewed', 'allowed'], verb: ['is', 'are'], what: 'allowed' },
  { levels: ['unproven'], verb: ['is', 'are'], what: 'not proven harmless' },
];

/** Returns what drift is about: rules, which differ themselves or by a list that they name, or settings. */
function subjectOf(members: FoundGroup['members']): string {
  const settings = members.filter(({ item }) => readStepId(item.step ?? '').ruleset.startsWith('setting:'));
  return settings.length === 0 ? 'rule' : settings.length === members.length ? 'setting' : 'change';
}

/** Counts findings, and in parentheses the groups in which alike ones are shown, if there are fewer. */
function findings(
  groups: readonly FoundGroup[],
  { does }: { readonly does: (count: number) => string },
): readonly string[] {
  const seen = groups.reduce((sum, { members }) => sum + members.length, 0);
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  return seen === 0
    ? []
    : [`${counted(all, 'finding')}${seen === all ? '' : ` (in ${counted(seen, 'group')})`} ${does(all)}`];
}
