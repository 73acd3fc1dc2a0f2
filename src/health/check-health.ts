import pLimit from 'p-limit';
import type { AskedPeriod } from '../api/index.ts';
import { actionsWith } from '../model/index.ts';
import type {
  HealthGate,
  HealthLimit,
  HealthMeasure,
  HealthProbe,
  HealthResult,
  ProbeAttempt,
  ProbeMeasure,
  ShareMeasure,
  WindowCounts,
} from '../model/index.ts';
import type { Clock } from '../network/index.ts';
import { compareText, counted, wholeSecond } from '../text/index.ts';
import type { CountZones, WatchedZone } from './count-zones.ts';
import { createZoneCounter } from './count-zones.ts';
import type { SharesToJudge, ZoneWindows } from './judge-shares.ts';
import { worst, judgeShares, mayStillTell, windowCounts } from './judge-shares.ts';
import type { ProbeMeans } from './send-probe.ts';
import { sendProbe } from './send-probe.ts';

/** A wave that was written. */
export interface WaveToJudge {
  readonly zones: readonly WatchedZone[];
  /** Zones that no wave of this run has changed so far; of very many, some are asked. */
  readonly others: readonly WatchedZone[];
  /** From before its first write to after its last answer, in milliseconds since 1970. */
  readonly wrote: { readonly from: number; readonly to: number };
}

/** What a check is made with. */
export interface HealthMeans extends ProbeMeans {
  readonly clock: Clock;
  /** Told when too little is known yet: why, when it is looked at again, and until when at most; milliseconds since 1970. */
  readonly onNoData?: (told: {
    readonly why: string;
    readonly again: number;
    readonly until: number;
  }) => void;
}

/**
 * How often too few requests are waited for, each time as long as the longest window of the gate: zones without visitors must not hold a run for ever.
 */
const MORE_WINDOWS = 3;

/**
 * Checks whether a wave did harm. Probes come first: if one fails, nothing else is asked. Then it waits until the analytics have counted what came
 * after the wave (`healthDue`), and compares shares of requests. Where these are too few, it looks again at a longer window after the wave, a few times.
 * Throws when the run is interrupted.
 */
export async function checkHealth(
  gate: HealthGate,
  wave: WaveToJudge,
  means: HealthMeans,
): Promise<HealthResult> {
  const { clock, signal, onNoData } = means;
  const probes = await checkProbes(gate.probes, means);
  // A wave that reaches no zone that is known has no requests to count, and never will: such as that of an account whose zones no file declares.
  if (probes.verdict === 'fails' || (wave.zones.length === 0 && gate.probes.length > 0)) {
    return probes;
  }
  const due = healthDue(gate, wave.wrote);
  const step = Math.max(...shareLimits(gate).map(([, limit]) => limit.window * 1000), 0);
  const until = due + MORE_WINDOWS * step;
  for (let longer = 0; ; longer += step) {
    await sleepUntil(due + longer, clock, signal);
    const shares = await checkShares({ gate, wave, longer, clock });
    const result = healthOf([...probes.measures, ...shares.map(({ measure }) => measure)], clock);
    const lacking = shares.filter(({ measure }) => measure.verdict === 'no_data');
    const isWorthIt = probes.verdict === 'holds' && lacking.every(({ mayTell }) => mayTell);
    if (result.verdict !== 'no_data' || !isWorthIt || longer + step > MORE_WINDOWS * step) {
      return result;
    }
    const why = lacking[0]?.measure.why ?? '';
    onNoData?.({
      why,
      again: Math.max(clock.now(), due + longer + step),
      until: Math.max(clock.now(), until),
    });
  }
}

function shareLimits(gate: HealthGate): readonly (readonly [ShareMeasure['measure'], HealthLimit])[] {
  return (['errors', 'blocked'] as const).flatMap((measure) => {
    const limit = gate[measure];
    return limit === undefined ? [] : [[measure, limit] as const];
  });
}

interface CheckedShare {
  readonly measure: ShareMeasure;
  /** Whether a later look may tell more, where there is no data. */
  readonly mayTell: boolean;
}

interface SharesQuestion {
  readonly gate: HealthGate;
  readonly wave: WaveToJudge;
  /** By how many milliseconds the windows after the wave are longer than the limits say. */
  readonly longer: number;
  readonly clock: Clock;
}

async function checkShares({ gate, wave, longer, clock }: SharesQuestion): Promise<readonly CheckedShare[]> {
  const count = createZoneCounter(clock);
  const checked: CheckedShare[] = [];
  for (const [measure, limit] of shareLimits(gate)) {
    checked.push(await checkShare({ measure, limit, gate, wave, longer, count }));
  }
  return checked;
}

/** Sends probes only: before a wave, to know that they pass without it, and as a part of `checkHealth`. */
export async function checkProbes(probes: readonly HealthProbe[], means: HealthMeans): Promise<HealthResult> {
  const measures = await pLimit(PROBES_AT_ONCE).map([...probes], (probe) => checkProbe(probe, means));
  return healthOf(measures, means.clock);
}

const PROBES_AT_ONCE = 5;

function healthOf(measures: readonly HealthMeasure[], clock: Clock): HealthResult {
  return { verdict: worst(measures).verdict, checked_at: wholeSecond(clock.now()), measures };
}

/** Returns when all that `checkHealth` looks at has been counted, in milliseconds since 1970. */
export function healthDue(gate: HealthGate, wrote: WaveToJudge['wrote']): number {
  return Math.max(
    wrote.to,
    ...shareLimits(gate).map(([, limit]) => windowsOf(limit, gate, wrote).after.to + gate.delay * 1000),
  );
}

/**
 * Returns the windows that are compared, in whole seconds. The one after begins when requests from before the last write have been counted, so that
 * none of them is in it, however late they come.
 */
function windowsOf(
  { window }: HealthLimit,
  { delay }: HealthGate,
  { from, to }: WaveToJudge['wrote'],
): { readonly before: AskedPeriod; readonly after: AskedPeriod } {
  const end = Math.floor(from / 1000) * 1000;
  const start = Math.ceil(to / 1000) * 1000 + delay * 1000;
  const length = window * 1000;
  return { before: { from: end - length, to: end }, after: { from: start, to: start + length } };
}

async function sleepUntil(time: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  const wait = time - clock.now();
  if (wait > 0) {
    await clock.sleep(wait, signal);
  }
}

interface ShareQuestion {
  readonly measure: ShareMeasure['measure'];
  readonly limit: HealthLimit;
  readonly gate: HealthGate;
  readonly wave: WaveToJudge;
  readonly longer: number;
  readonly count: CountZones;
}

async function checkShare({
  measure,
  limit,
  gate,
  wave,
  longer,
  count,
}: ShareQuestion): Promise<CheckedShare> {
  const windows = windowsOf(limit, gate, wave.wrote);
  const { before } = windows;
  const after = { ...windows.after, to: windows.after.to + longer };
  const compared = limit.aboveOthers === undefined ? [] : someOf(wave.others);
  const asked: SharesToJudge = {
    measure,
    limit,
    minRequests: gate.minRequests,
    wave: await readWindows(wave.zones, {
      measure,
      count,
      before: limit.aboveBefore === undefined ? undefined : before,
      after,
    }),
    others: await readWindows(compared, { measure, count, before: undefined, after }),
    allOthers: wave.others.length,
  };
  return { measure: judgeShares(asked), mayTell: mayStillTell(asked) };
}

/** The most zones that a wave is compared with: enough to see what happens everywhere, in few queries. */
const MOST_COMPARED = 50;

/** Takes zones from all over the list, the same ones each time. */
function someOf(zones: readonly WatchedZone[]): readonly WatchedZone[] {
  const sorted = zones.toSorted((one, other) => compareText(one.name, other.name));
  const step = Math.max(1, sorted.length / MOST_COMPARED);
  return Array.from({ length: Math.min(MOST_COMPARED, sorted.length) }).flatMap((_, index) =>
    sorted.slice(Math.floor(index * step), Math.floor(index * step) + 1),
  );
}

interface WindowReading {
  readonly measure: ShareMeasure['measure'];
  readonly count: CountZones;
  readonly before: AskedPeriod | undefined;
  readonly after: AskedPeriod;
}

async function readWindows(
  zones: readonly WatchedZone[],
  { measure, count, before, after }: WindowReading,
): Promise<readonly ZoneWindows[]> {
  const earlier =
    before === undefined ? undefined : await readWindow(zones, { measure, count, period: before });
  const later = await readWindow(zones, { measure, count, period: after });
  return zones.map((zone): ZoneWindows => {
    const [first, second] = [earlier?.(zone), later(zone)];
    if (first?.kind === 'unknown' || second.kind === 'unknown') {
      const lacks = [first, second].flatMap((one) => (one?.kind === 'unknown' ? [one] : []));
      const why = lacks[0]?.why ?? '';
      return { kind: 'unknown', zone: zone.name, why, passes: lacks.every(({ passes }) => passes) };
    }
    return {
      kind: 'known',
      zone: zone.name,
      windows: { before: first?.counts ?? null, after: second.counts },
    };
  });
}

type ReadWindow =
  | { readonly kind: 'known'; readonly counts: WindowCounts }
  | { readonly kind: 'unknown'; readonly why: string; readonly passes: boolean };

/** Asks for a window of all zones, and returns what is known of each. */
async function readWindow(
  zones: readonly WatchedZone[],
  { measure, count, period }: Pick<WindowReading, 'measure' | 'count'> & { readonly period: AskedPeriod },
): Promise<(zone: WatchedZone) => ReadWindow> {
  const requests = await count({ dataset: 'requests', zones, period });
  const counted = measure === 'errors' ? requests : await count({ dataset: 'events', zones, period });
  const isCounted = measure === 'errors' ? isServerError : isStopped;
  const times = { from: wholeSecond(period.from), to: wholeSecond(period.to) };
  return (zone) => {
    const [all, some] = [requests.get(zone), counted.get(zone)];
    const lacks = [all, some].flatMap((one) => (one?.kind === 'unknown' ? [one] : []));
    return all?.kind === 'counted' && some?.kind === 'counted'
      ? {
          kind: 'known',
          counts: windowCounts(times, {
            requests: sumIn(all.groups, () => true),
            counted: sumIn(some.groups, isCounted),
          }),
        }
      : {
          kind: 'unknown',
          why: lacks[0]?.why ?? 'it was not asked',
          passes: lacks.every(({ passes }) => passes),
        };
  };
}

function sumIn(groups: ReadonlyMap<string, number>, of: (group: string) => boolean): number {
  return [...groups].reduce((sum, [group, count]) => (of(group) ? sum + count : sum), 0);
}

function isServerError(status: string): boolean {
  return /^5\d\d$/u.test(status);
}

/** The analytics spell actions as rulesets do, but `jschallenge`. */
const STOPPING = new Set(
  actionsWith(({ kind }) => kind === 'block' || kind === 'challenge').map(withoutUnderscores),
);

function isStopped(action: string): boolean {
  return STOPPING.has(withoutUnderscores(action));
}

function withoutUnderscores(action: string): string {
  return action.replaceAll('_', '');
}

/** Other answers than expected are asked for again, over so long: one that got lost says nothing of a wave. */
const ATTEMPTS = { number: 3, windowSeconds: 10 } as const;

/** Asks until an answer is as expected, or all attempts are used up. */
async function checkProbe({ url, expect }: HealthProbe, means: HealthMeans): Promise<ProbeMeasure> {
  const { clock, signal } = means;
  const attempts: ProbeAttempt[] = [];
  const told = {
    measure: 'probe' as const,
    url,
    expect,
    limit: { attempts: ATTEMPTS.number, window_seconds: ATTEMPTS.windowSeconds },
    attempts,
  };
  while (attempts.length < ATTEMPTS.number) {
    if (attempts.length > 0) {
      await clock.sleep((ATTEMPTS.windowSeconds * 1000) / (ATTEMPTS.number - 1), signal);
    }
    const at = wholeSecond(clock.now());
    const answer = await sendProbe(url, expect, means);
    const status = answer.kind === 'answered' ? answer.status : null;
    if (status !== null && expect.includes(status)) {
      attempts.push({ at, status, problem: null });
      return { ...told, verdict: 'holds', why: null };
    }
    const problem = answer.kind === 'answered' ? `status ${answer.status}` : answer.why;
    attempts.push({ at, status, problem });
    if (answer.kind === 'refused') {
      return { ...told, verdict: 'no_data', why: `not sent: ${problem}` };
    }
  }
  const last = attempts.at(-1)?.problem ?? '';
  const why = `${counted(attempts.length, 'answer')} other than expected (${expect.join(' or ')}), at last: ${last}`;
  return { ...told, verdict: 'fails', why };
}
