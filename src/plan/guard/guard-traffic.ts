import { changesAnything, describedName, scopeLabel, settingsNotReplayed } from '../../model/index.ts';
import type {
  GuardFinding,
  Plan,
  ReplayDocument,
  ReplayGroups,
  ReplayRule,
  Safety,
  Threshold,
  TrafficLimits,
} from '../../model/index.ts';
import { counted, oneLine, someNames } from '../../text/index.ts';
import { factsOf, sealPlan } from '../document/make-plan.ts';
import { matchesAny } from '../match/name-rules.ts';
import { withoutAllowed } from './guard-scope.ts';
import { shareOf } from './thresholds.ts';

/** What a plan that was sent recorded requests is judged by, and how much of them it keeps. */
export interface ReplayKeeping {
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  /** Whether examples are kept. */
  readonly examples: boolean;
}

/**
 * Adds to a plan what it would have done to recorded requests, and judges it by that. Kept are the rules that it changes and those that no request
 * reached: the others are those that are live anyway.
 */
export function withReplay(
  { findings = [], ...plan }: Plan,
  replay: ReplayDocument,
  { safety, today, examples }: ReplayKeeping,
): Plan {
  const rules = replay.rules.filter(
    ({ change, matched_desired: matched }) => change !== 'none' || matched === 0,
  );
  const kept = { ...replay, rules };
  const told = examples
    ? kept
    : { ...kept, groups: plain(replay.groups), rules: rules.map((rule) => withPlainGroups(rule)) };
  const all = [
    ...findings.filter(({ kind }) => !isAboutTraffic(kind)),
    ...withoutAllowed(guardTraffic({ ...plan, replay: told }, safety), safety, today),
  ];
  return sealPlan(
    { ...plan, ...(all.length === 0 ? {} : { findings: all }), replay: told },
    plan.scopes.map((scope) => factsOf(scope)),
  );
}

function withPlainGroups({ groups, ...rest }: ReplayRule): ReplayRule {
  return groups === undefined ? rest : { ...rest, groups: plain(groups) };
}

function plain(groups: ReplayGroups): ReplayGroups {
  return Object.fromEntries(
    Object.entries(groups).map(([outcome, group]) => [outcome, { ...group, examples: [] }]),
  );
}

function isAboutTraffic(kind: GuardFinding['kind']): boolean {
  return kind === 'newly-blocked' || kind === 'not-replayed';
}

/** The most zones that a finding names. */
const MOST_NAMED = 10;

/** Finds that a plan would newly block more recorded requests than the files allow, or that this is not known. */
export function guardTraffic(
  plan: Pick<Plan, 'scopes' | 'replay'>,
  { traffic: limits }: Safety,
): readonly GuardFinding[] {
  if (limits === undefined || !changesAnything(plan)) {
    return [];
  }
  const { replay } = plan;
  if (replay === undefined) {
    const message =
      'no recorded requests were sent through this plan, and the files limit how many it may newly block: plan with --replay FILE';
    return [{ kind: 'not-replayed', effect: 'refuse', message }];
  }
  return [
    ...notShown(plan),
    ...tooFewRecords(replay, limits),
    ...tooManyUnknown(replay, limits),
    ...newlyBlocked(replay, limits),
  ];
}

/** A simulation knows rules only, so a limit on what is newly blocked could be exceeded unseen by settings. */
function notShown({ scopes }: Pick<Plan, 'scopes'>): readonly GuardFinding[] {
  const settings = settingsNotReplayed(scopes);
  const message = `recorded requests do not show how many ${counted(settings.length, 'setting')} may block, challenge or turn away, and the files limit how many a plan may newly block: ${someNames(settings, MOST_NAMED)}`;
  return settings.length === 0 ? [] : [{ kind: 'not-replayed', effect: 'refuse', message }];
}

type ReplayedZone = ReplayDocument['zones'][number];

function tooFewRecords({ zones }: ReplayDocument, { minRecords }: TrafficLimits): readonly GuardFinding[] {
  const few = zones.filter(({ records }) => records < minRecords);
  const message = `fewer recorded requests were sent through this plan than min_records, ${minRecords}: ${numbered(few, ({ records }) => records)}`;
  return few.length === 0 ? [] : [{ kind: 'not-replayed', effect: 'refuse', message }];
}

function tooManyUnknown({ zones }: ReplayDocument, { maxUnknown }: TrafficLimits): readonly GuardFinding[] {
  const over = zones.filter(({ records, outcomes }) => outcomes.unknown > shareOf(records, maxUnknown));
  const message = `of more recorded requests than max_unknown, ${thresholdText(maxUnknown)}, it is not known what this plan would do: ${numbered(over, ({ outcomes, records }) => `${outcomes.unknown} of ${records}`)}`;
  return over.length === 0 ? [] : [{ kind: 'not-replayed', effect: 'refuse', message }];
}

function numbered(zones: readonly ReplayedZone[], number: (zone: ReplayedZone) => string | number): string {
  return someNames(
    zones.map((zone) => `zone:${zone.name} (${number(zone)})`),
    MOST_NAMED,
  );
}

function newlyBlocked(
  { records, outcomes, zones, rules }: ReplayDocument,
  { maxNewlyBlocked: most, maxNewlyBlockedByRule: byRule }: TrafficLimits,
): readonly GuardFinding[] {
  const told = [
    ...zones.map((zone) => ({ subject: `zone:${zone.name}`, ...zone })),
    ...(zones.length > 1 ? [{ subject: `all ${zones.length} zones`, records, outcomes }] : []),
  ];
  return [
    ...(most === undefined
      ? []
      : told.flatMap((one) =>
          tooMany({ ...one, blocked: one.outcomes.newly_blocked }, 'max_newly_blocked', most),
        )),
    ...rules.flatMap((rule) => {
      const zone = zones.find(({ name }) => rule.scope.kind === 'zone' && name === rule.scope.name);
      const reached = {
        subject: `${scopeLabel(rule.scope)}/${rule.phase}: rule ${describedName(rule.ref, rule.description ?? '')}`,
        rule: rule.ref,
        records: (zone ?? { records }).records,
        blocked: rule.groups?.newly_blocked?.records ?? 0,
      };
      return byRule.flatMap(({ rule: pattern, most: limit }) =>
        matchesAny([pattern], rule.ref)
          ? tooMany(reached, `max_newly_blocked_by_rule for ${oneLine(pattern)}`, limit)
          : [],
      );
    }),
  ];
}

interface BlockedShare {
  readonly subject: string;
  readonly rule?: string;
  readonly records: number;
  readonly blocked: number;
}

function tooMany(
  { subject, rule, records, blocked }: BlockedShare,
  setting: string,
  limit: Threshold,
): readonly GuardFinding[] {
  const allowed = shareOf(records, limit);
  const bound = limit.kind === 'count' ? `${allowed}` : `${allowed} (${thresholdText(limit)})`;
  const message = `${subject}: ${blocked} of ${records} recorded requests would be newly blocked; ${setting} allows ${bound}`;
  return blocked <= allowed
    ? []
    : [{ kind: 'newly-blocked', effect: 'refuse', ...(rule === undefined ? {} : { rule }), message }];
}

function thresholdText(limit: Threshold): string {
  return limit.kind === 'count' ? `${limit.count}` : `${limit.percent}%`;
}
