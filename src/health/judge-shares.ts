import type {
  HealthLimit,
  HealthVerdict,
  ShareMeasure,
  WindowCounts,
  WindowPair,
  ZoneShares,
} from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';

/** The windows of a zone, or why nothing is known of them. */
export type ZoneWindows =
  | { readonly kind: 'known'; readonly zone: string; readonly windows: WindowPair }
  /** `passes`: asked again, the answer may be another one. */
  | { readonly kind: 'unknown'; readonly zone: string; readonly why: string; readonly passes: boolean };

/** What is judged: the zones of a wave, and those that no wave has reached. */
export interface SharesToJudge {
  readonly measure: ShareMeasure['measure'];
  readonly limit: HealthLimit;
  readonly minRequests: number;
  readonly wave: readonly ZoneWindows[];
  readonly others: readonly ZoneWindows[];
  /** How many zones no wave has reached; of very many only some are asked. */
  readonly allOthers: number;
}

/** A verdict, and why it is not that all is well. */
interface ShareJudgement {
  readonly verdict: HealthVerdict;
  readonly why: string | null;
}

const HOLDS: ShareJudgement = { verdict: 'holds', why: null };

/** How many names of zones stand in a sentence. */
const MOST_NAMES = 3;

/**
 * Judges a share of requests by its limits. All zones of the wave are judged together, and each that had enough requests by itself, since a large zone
 * would hide what happens to a small one. A zone that could not be asked leaves the wave undecided.
 */
export function judgeShares(asked: SharesToJudge): ShareMeasure {
  const { measure, limit, minRequests, wave } = asked;
  const others = compareOthers(asked);
  const bounds = { measure, limit, minRequests, others };
  const zones = wave.map((zone) => judgeZone(zone, bounds));
  const lost = wave.filter((zone) => zone.kind === 'unknown');
  const together = lost.length === 0 ? sumOf(knownOf(wave)) : null;
  const whole = together === null ? unasked(lost) : judgePair(together, bounds);
  const alone = zones.filter(({ windows }) => windows !== null && lackOf(windows, minRequests) === null);
  return {
    measure,
    ...worst([whole, ...alone.map(ofZone)]),
    limit: {
      max: limit.max ?? null,
      above_before: limit.aboveBefore ?? null,
      above_others: limit.aboveOthers ?? null,
      window_seconds: limit.window,
      min_requests: minRequests,
    },
    wave: together,
    others: others.kind === 'compared' ? others.counts : null,
    others_note: others.kind === 'not-asked' ? null : others.note,
    zones,
  };
}

/** Whether a longer window after the wave, or another question, may tell what is not known yet: nothing lacks that will not come. */
export function mayStillTell({ limit, minRequests, wave, allOthers }: SharesToJudge): boolean {
  const isOnlyLimit = limit.max === undefined && limit.aboveBefore === undefined;
  const before = sumOf(knownOf(wave))?.before ?? null;
  return (
    wave.length > 0 &&
    wave.every((zone) => zone.kind === 'known' || zone.passes) &&
    (before === null || before.requests >= minRequests) &&
    !(isOnlyLimit && allOthers === 0)
  );
}

/** Adds up the windows of zones; null if there are none. */
function sumOf(pairs: readonly WindowPair[]): WindowPair | null {
  const before = sumWindows(pairs.flatMap((pair) => (pair.before === null ? [] : [pair.before])));
  const after = sumWindows(pairs.map((pair) => pair.after));
  return after === null ? null : { before, after };
}

function sumWindows(all: readonly WindowCounts[]): WindowCounts | null {
  const [first] = all;
  return first === undefined
    ? null
    : windowCounts(first, {
        requests: all.reduce((sum, { requests }) => sum + requests, 0),
        counted: all.reduce((sum, one) => sum + one.counted, 0),
      });
}

/** Returns the counts of a window with their share. Sampled events can be more than sampled requests: a share is never more than all. */
export function windowCounts(
  { from, to }: Pick<WindowCounts, 'from' | 'to'>,
  { requests, counted: some }: Pick<WindowCounts, 'requests' | 'counted'>,
): WindowCounts {
  const percent = requests === 0 ? null : rounded(Math.min(100, (100 * some) / requests));
  return { from, to, requests, counted: some, percent };
}

/** Two digits would hide one error in twenty thousand requests; samples tell no more than four. */
function rounded(percent: number): number {
  return Math.round(percent * 10_000) / 10_000;
}

/** What the zones that no wave has reached are for a comparison. */
type Others =
  | { readonly kind: 'not-asked' }
  /** There are none, as in the last wave: then other limits decide, if there are any. */
  | { readonly kind: 'none'; readonly note: string }
  | { readonly kind: 'lacking'; readonly note: string }
  | { readonly kind: 'compared'; readonly note: string; readonly counts: WindowCounts };

function compareOthers({ limit, minRequests, others, allOthers }: SharesToJudge): Others {
  if (limit.aboveOthers === undefined) {
    return { kind: 'not-asked' };
  }
  if (allOthers === 0) {
    return { kind: 'none', note: 'no zone without the change is left to compare with' };
  }
  const known = knownOf(others);
  const counts = sumWindows(known.map(({ after }) => after));
  if (counts === null) {
    return { kind: 'lacking', note: 'no zone without the change could be asked' };
  }
  const note = `${known.length} of ${counted(allOthers, 'zone')} without the change`;
  return counts.requests < minRequests
    ? {
        kind: 'lacking',
        note: `${note} had ${counted(counts.requests, 'request')}, and ${minRequests} are needed`,
      }
    : { kind: 'compared', note, counts };
}

interface Bounds {
  readonly measure: ShareMeasure['measure'];
  readonly limit: HealthLimit;
  readonly minRequests: number;
  readonly others: Others;
}

/** Judges by each limit that is given. */
function judgePair(pair: WindowPair, bounds: Bounds): ShareJudgement {
  const { limit, minRequests, others, measure } = bounds;
  const { before, after } = pair;
  const lack = lackOf(pair, minRequests);
  if (lack !== null) {
    return noData(lack);
  }
  const share = after.percent ?? 0;
  const is = `the share of ${WORDS[measure]} is ${percentText(share)}`;
  const judgements: ShareJudgement[] = [];
  if (limit.max !== undefined && share > limit.max) {
    judgements.push(fails(`${is}, and may be ${percentText(limit.max)} at most`));
  }
  if (limit.aboveBefore !== undefined && before !== null) {
    const rise = share - (before.percent ?? 0);
    if (exceeds(rise, limit.aboveBefore)) {
      judgements.push(
        fails(
          `${is}, it was ${percentText(before.percent)} before, and may rise by ${points(limit.aboveBefore)}`,
        ),
      );
    }
  }
  const isOnlyLimit = limit.max === undefined && limit.aboveBefore === undefined;
  if (others.kind === 'lacking' || (others.kind === 'none' && isOnlyLimit)) {
    judgements.push(noData(others.note));
  }
  if (limit.aboveOthers !== undefined && others.kind === 'compared') {
    const rise = share - (others.counts.percent ?? 0);
    if (exceeds(rise, limit.aboveOthers)) {
      judgements.push(
        fails(
          `${is}, that of zones without the change ${percentText(others.counts.percent)}, and may be above it by ${points(limit.aboveOthers)}`,
        ),
      );
    }
  }
  return worst(judgements);
}

/** Whether a rise is above a limit by more than the rounding of both. */
function exceeds(rise: number, limit: number): boolean {
  return rounded(rise) > limit;
}

/** Returns which window has too few requests to judge by; null if both have enough. */
function lackOf({ before, after }: WindowPair, minRequests: number): string | null {
  const when = (before?.requests ?? Infinity) < minRequests ? 'before' : 'after';
  const { requests } = (when === 'before' ? before : after) ?? after;
  return requests < minRequests
    ? `${counted(requests, 'request')} in the window ${when} the wave, and ${minRequests} are needed`
    : null;
}

const WORDS: Readonly<Record<ShareMeasure['measure'], string>> = {
  errors: '5xx answers',
  blocked: 'blocked and challenged requests',
};

function percentText(percent: number | null): string {
  return `${String(Math.round((percent ?? 0) * 100) / 100)}%`;
}

function points(rise: number): string {
  return `${counted(rise, 'percentage point')} at most`;
}

function fails(why: string): ShareJudgement {
  return { verdict: 'fails', why };
}

function noData(why: string): ShareJudgement {
  return { verdict: 'no_data', why };
}

/** Judges a zone by itself. Too few requests decide nothing: it then counts among all zones of the wave only. */
function judgeZone(zone: ZoneWindows, bounds: Bounds): ZoneShares {
  return zone.kind === 'known'
    ? { zone: zone.zone, ...judgePair(zone.windows, bounds), windows: zone.windows }
    : { zone: zone.zone, ...noData(zone.why), windows: null };
}

function ofZone({ zone, verdict, why }: ZoneShares): ShareJudgement {
  return { verdict, why: why === null ? null : `${zone}: ${why}` };
}

function unasked(lost: readonly Extract<ZoneWindows, { readonly kind: 'unknown' }>[]): ShareJudgement {
  const [first] = lost;
  return first === undefined
    ? noData(
        'it reaches no zone of the files, so no requests tell: declare a zone of its account, or add a probe',
      )
    : noData(
        `${counted(lost.length, 'zone')} could not be asked: ${someNames(
          lost.map(({ zone }) => zone),
          MOST_NAMES,
        )} (${first.why})`,
      );
}

const BY_GRAVITY: readonly HealthVerdict[] = ['fails', 'no_data', 'holds'];

/** Returns the judgement that decides: a failure before what is not known, and that before what is well. */
export function worst(judgements: readonly ShareJudgement[]): ShareJudgement {
  const [first = HOLDS] = BY_GRAVITY.flatMap((verdict) =>
    judgements.filter((one) => one.verdict === verdict).slice(0, 1),
  );
  return { verdict: first.verdict, why: first.why };
}

function knownOf(zones: readonly ZoneWindows[]): readonly WindowPair[] {
  return zones.flatMap((zone) => (zone.kind === 'known' ? [zone.windows] : []));
}
