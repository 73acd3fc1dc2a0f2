import type { PlanOutcome, RecordedWave, WaveRecord } from '../../apply/index.ts';
import { isWaveOpen } from '../../apply/index.ts';
import { plainJson } from '../../data/index.ts';
import { healthDue } from '../../health/index.ts';
import type {
  HealthGate,
  HealthResult,
  Outcome,
  PlannedScope,
  PlanWave,
  Preflight,
  Rollback,
  WaveResult,
} from '../../model/index.ts';
import { isAchieved, NO_PREFLIGHT, stepIds } from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import type { WavePart } from '../../rollout/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { EarlierWaves, WaveRun } from './choose-waves.ts';
import type { EarlierWrite } from './finish-rollback.ts';
import type { PuttingBack, WavesBack, WaveWrite } from './put-back-waves.ts';
import { putBackWaves } from './put-back-waves.ts';
import { isChosen, isHeld, isJudged, waveRefusal } from './choose-waves.ts';

/** What waves are carried out with. */
export interface WaveMeans extends EarlierWaves, PuttingBack {
  /** Has the service check all writes of the run; returns how the run ends if one would be refused, else null. */
  readonly check: (parts: readonly WavePart[]) => Promise<PlanOutcome | null>;
  /** Writes the scopes of one wave, and leaves what is written. */
  readonly write: (scopes: readonly PlannedScope[]) => Promise<PlanOutcome>;
  /** Judges the health of a wave. Throws when the run is interrupted. */
  readonly judge: (gate: HealthGate, part: WavePart, wrote: WriteTime) => Promise<HealthResult>;
  /** Returns when the scopes of a wave were last changed as they were planned, in milliseconds since 1970. */
  readonly lastChange: (wave: PlanWave) => number;
  /** Returns what the run has written that this one goes on from, in order; nothing when it goes on from none. */
  readonly earlier: () => Promise<readonly EarlierWrite[]>;
  /** Records how far a wave has come. Rejects when that cannot be recorded. */
  readonly record: (record: WaveRecord) => Promise<void>;
  /** Records how far the run has come. Rejects when that cannot be recorded. */
  readonly mark: (state: 'begun' | 'going-back' | 'ended') => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly report: OnEvent;
}

/** From before the first write of a wave to after its last answer, in milliseconds since 1970. */
type WriteTime = NonNullable<WaveRecord['wrote']>;

/** How a plan in waves ended. */
export interface WavesOutcome {
  readonly outcomes: readonly Outcome[];
  readonly preflight: Preflight;
  readonly rollback: Rollback | null;
  readonly waves: readonly WaveResult[];
  /** The wave to begin with, where the run was about one whose turn it is not; nothing was written then. */
  readonly first: number | null;
}

/** What has happened so far in a run. */
interface Progress {
  readonly outcomes: Outcome[];
  readonly preflights: Preflight[];
  readonly written: WaveWrite[];
  readonly waves: WaveResult[];
}

/**
 * Carries out a plan wave by wave. A wave begins when all waves before it are written, have had their time, are well, and live still is what they made
 * it; what an earlier run left open is judged first, and so is what no record says was well. If a write fails, or the health of a wave does not hold, no
 * other wave begins, and the run puts back what it wrote if the files say so.
 */
export async function applyWaves(run: WaveRun, means: WaveMeans): Promise<WavesOutcome> {
  const { rollout, parts } = run;
  const chosen = parts.filter(({ wave }) => isChosen(wave, run.choice));
  const refusal = await waveRefusal(run, means);
  if (refusal !== null) {
    return { ...ended(chosen, refusal.why), first: refusal.first };
  }
  const many = chosen.filter(({ scopes }) => scopes.length > 0).length > 1;
  const stopped = many ? await means.check(chosen) : null;
  if (stopped !== null) {
    return { ...stopped, waves: chosen.map((part) => resultOf(part, 'not-begun')), first: null };
  }
  await means.mark('begun');
  const done: Progress = { outcomes: [], preflights: [], written: [], waves: [] };
  const work = { run, means, done };
  let back: WavesBack | null = null;
  const leave = (rest: readonly WavePart[], reason: string): void => {
    done.outcomes.push(...notReached(rest, reason));
    done.waves.push(...rest.map((one) => resultOf(one, 'not-begun')));
  };
  for (const [index, part] of chosen.entries()) {
    const changed = await whyNoLonger(part, work);
    if (changed !== null) {
      leave(chosen.slice(index), changed);
      break;
    }
    const state = await applyWave(part, work);
    if (state === 'passed' || state === 'unchanged') {
      continue;
    }
    const isToGoBack = (state === 'not-done' || state === 'unhealthy') && rollout.onFailure === 'rollback';
    if (isToGoBack && means.signal?.aborted !== true) {
      back = await putBack(done, means);
    }
    leave(chosen.slice(index + 1), `wave ${part.wave.number} ${AFTER[state]}`);
    break;
  }
  const isCutShort = done.waves.some(
    ({ state }) =>
      state === 'interrupted' || (state === 'not-done' && back === null && means.signal?.aborted === true),
  );
  if (!isCutShort) {
    await means.mark('ended');
  }
  return {
    outcomes: done.outcomes,
    preflight: joined(done.preflights),
    rollback: back?.rollback ?? null,
    waves: done.waves.map((wave) => afterwards(wave, back)),
    first: null,
  };
}

/** Returns what became of a wave once the run went back, or did not. */
function afterwards(wave: WaveResult, back: WavesBack | null): WaveResult {
  if (wave.state === 'unhealthy' && wave.byEarlierRun === true) {
    const wentBack = back !== null && (back.whole.has(wave.wave) || back.partly.has(wave.wave));
    return wentBack ? wave : { ...wave, stays: true };
  }
  if ((wave.state !== 'passed' && wave.state !== 'unchanged') || back === null) {
    return wave;
  }
  return back.partly.has(wave.wave)
    ? { ...wave, state: 'partly-back' }
    : back.whole.has(wave.wave)
      ? { ...wave, state: 'put-back' }
      : wave;
}

/** Why the waves after one were not begun. */
const AFTER = {
  'not-done': 'was not done',
  unhealthy: 'is not well',
  'no-data': 'is not known to be well',
  interrupted: 'was not judged yet, since the run was interrupted',
} as const;

interface WaveWork {
  readonly run: WaveRun;
  readonly means: WaveMeans;
  readonly done: Progress;
}

/**
 * Looks once more, before a wave is written, at the waves before it, if one of them had its time since they were planned or written. Returns why this one
 * is not to begin; null when live is still what they made it.
 */
async function whyNoLonger(
  { wave, scopes }: WavePart,
  { run, means, done }: WaveWork,
): Promise<string | null> {
  if (
    scopes.length === 0 ||
    !isJudged(run.rollout) ||
    done.waves.every(({ state }) => state === 'unchanged')
  ) {
    return null;
  }
  for (const part of run.parts.filter((one) => one.wave.number < wave.number)) {
    const { number } = part.wave;
    const changed = await means.changed(
      part,
      done.written.filter((one) => one.wave.number === number).map(({ plan }) => plan),
    );
    if (changed !== null) {
      const index = done.waves.findIndex((one) => one.wave === number);
      const told = done.waves[index];
      if (told !== undefined && changed.kind !== 'unread') {
        done.waves[index] = { ...told, state: 'changed' };
      }
      return `wave ${number} is not known to be as it was written: ${changed.message}`;
    }
  }
  return null;
}

type WaveState = Exclude<WaveResult['state'], 'not-begun' | 'put-back' | 'partly-back' | 'changed'>;

/** Writes a wave, lets it work, and judges it. */
async function applyWave(part: WavePart, work: WaveWork): Promise<WaveState> {
  const { means, done } = work;
  const written = await writeWave(part, work);
  const { state, health } =
    written.kind === 'judge' ? await judgeWave(part, written.wrote, work) : { state: written.state };
  const byEarlierRun = isWaveOpen(means.recorded.get(part.wave.number)) && state !== 'unchanged';
  done.waves.push({ ...resultOf(part, state, health), ...(byEarlierRun ? { byEarlierRun } : {}) });
  means.report({ kind: 'wave-ended', wave: part.wave.number, state });
  return state;
}

type WrittenWave =
  | { readonly kind: 'judge'; readonly wrote: WriteTime }
  | { readonly kind: 'ended'; readonly state: 'unchanged' | 'not-done' };

const UNCHANGED: WrittenWave = { kind: 'ended', state: 'unchanged' };

async function writeWave(part: WavePart, work: WaveWork): Promise<WrittenWave> {
  const { wave, scopes } = part;
  const { run, means, done } = work;
  const { number, wanted } = wave;
  const { clock, report } = means;
  // A run of other scopes says nothing of this wave.
  if (wave.scopes.length === 0) {
    return UNCHANGED;
  }
  const recorded = means.recorded.get(number);
  const open = isWaveOpen(recorded) ? recorded : undefined;
  const isWhole = !wave.scopes.some((label) => run.failed.has(label));
  if (scopes.length > 0) {
    const from = open?.wrote?.from ?? clock.now();
    report({ kind: 'wave-begun', wave: number, title: wave.title, scopes: scopes.length });
    await means.record({ wave: number, wanted, state: 'begun', wrote: { from, to: clock.now() } });
    const result = await means.write(scopes);
    done.outcomes.push(...result.outcomes);
    done.preflights.push(result.preflight);
    // What went out last is not looked at again.
    if (result.written !== null && (run.rollout.onFailure === 'rollback' || !isLast(wave, run))) {
      done.written.push({ plan: result.written, wave, isWhole: open === undefined || run.resumes, lost: [] });
    }
    if (!isWhole || !result.outcomes.every(isAchieved)) {
      return { kind: 'ended', state: 'not-done' };
    }
    const wrote = { from, to: clock.now() };
    const hasWritten = result.outcomes.some((outcome) => 'writes' in outcome && outcome.writes > 0);
    if (open !== undefined || hasWritten || !isHeld(wave, means.recorded)) {
      await means.recordDone({ wave: number, wanted, state: 'written', wrote });
      return { kind: 'judge', wrote };
    }
    await means.recordDone({ wave: number, wanted, state: 'passed' });
    return UNCHANGED;
  }
  if (!isWhole) {
    return { kind: 'ended', state: 'not-done' };
  }
  if (open !== undefined) {
    report({ kind: 'wave-resumed', wave: number, at: open.at });
    return { kind: 'judge', wrote: timeOf(open, clock.now()) };
  }
  if (isLast(wave, run) || !isJudged(run.rollout) || isHeld(wave, means.recorded)) {
    return UNCHANGED;
  }
  report({ kind: 'wave-unjudged', wave: number });
  return { kind: 'judge', wrote: timeOfUnchanged(part, work) };
}

/** Whether the plan writes nothing after a wave. */
function isLast({ number }: PlanWave, { parts }: WaveRun): boolean {
  return parts.every(({ wave, scopes }) => wave.number <= number || scopes.length === 0);
}

/**
 * Returns when a wave was written that an earlier run left open. One that was judged is judged anew, by what comes after now; so is one whose last write
 * that run did not record.
 */
function timeOf({ state, wrote, at }: RecordedWave, now: number): WriteTime {
  return state === 'written' && wrote !== undefined ? wrote : { from: wrote?.from ?? at, to: now };
}

/**
 * Returns the time that a wave is judged by which has nothing to write: that of its last change, or if that is long ago, the latest by which it has had
 * its time by now, so that nothing is waited for.
 */
function timeOfUnchanged({ wave }: WavePart, { run, means }: WaveWork): WriteTime {
  const { soak, health: gate } = run.rollout;
  const now = means.clock.now();
  const due = gate === undefined ? 0 : healthDue(gate, { from: now, to: now }) - now;
  const to = Math.min(now, Math.max(means.lastChange(wave), now - Math.max(soak * 1000, due)));
  return { from: to, to };
}

interface JudgedWave {
  readonly state: 'passed' | 'unhealthy' | 'no-data' | 'interrupted';
  readonly health?: HealthResult;
}

async function judgeWave(part: WavePart, wrote: WriteTime, { run, means }: WaveWork): Promise<JudgedWave> {
  const { number, wanted } = part.wave;
  const { soak, health: gate } = run.rollout;
  const { clock, signal } = means;
  const record = (state: WaveRecord['state'], health?: HealthResult): Promise<void> =>
    means.recordDone({
      wave: number,
      wanted,
      state,
      wrote,
      ...(health === undefined ? {} : { health: plainJson(health) }),
    });
  try {
    const until = wrote.to + soak * 1000;
    // Nothing waits for a last wave of which nothing is asked.
    if (until > clock.now() && !(gate === undefined && isLast(part.wave, run))) {
      means.report({ kind: 'soaking', wave: number, ms: until - clock.now(), until });
      await clock.sleep(until - clock.now(), signal);
    }
    if (gate === undefined) {
      await record('passed');
      return { state: 'passed' };
    }
    const due = healthDue(gate, wrote);
    means.report({ kind: 'judging', wave: number, until: due > clock.now() ? due : null });
    const health = await means.judge(gate, part, wrote);
    const { state, recorded } = VERDICTS[health.verdict];
    await record(recorded, health);
    return { state, health };
  } catch (error) {
    if (signal?.aborted === true) {
      return { state: 'interrupted' };
    }
    throw error;
  }
}

const VERDICTS = {
  holds: { state: 'passed', recorded: 'passed' },
  fails: { state: 'unhealthy', recorded: 'failed' },
  no_data: { state: 'no-data', recorded: 'no-data' },
} as const;

/** Puts back what the run wrote, and what those wrote that it goes on from; null when nothing was written. */
async function putBack({ written }: Progress, means: WaveMeans): Promise<WavesBack | null> {
  const earlier = await means.earlier();
  const writes = [
    ...earlier.map(({ written: plan, wave, lost }) => ({ plan, wave, isWhole: true, lost })),
    ...written,
  ];
  if (writes.length === 0) {
    return null;
  }
  await means.mark('going-back');
  return putBackWaves(writes, means);
}

function resultOf(
  { wave: { number, title } }: WavePart,
  state: WaveResult['state'],
  health?: HealthResult,
): WaveResult {
  return { wave: number, title, state, ...(health === undefined ? {} : { health }) };
}

/** Ends a run that begins no wave. */
function ended(parts: readonly WavePart[], why: string): Omit<WavesOutcome, 'first'> {
  return {
    outcomes: notReached(parts, why),
    preflight: NO_PREFLIGHT,
    rollback: null,
    waves: parts.map((part) => resultOf(part, 'not-begun')),
  };
}

function notReached(parts: readonly WavePart[], reason: string): readonly Outcome[] {
  return parts.flatMap(({ scopes }) =>
    scopes.flatMap(stepIds).map((step): Outcome => ({ kind: 'not-reached', step, reason })),
  );
}

function joined(preflights: readonly Preflight[]): Preflight {
  const done = preflights.filter(({ kind }) => kind === 'done');
  return done.length === 0
    ? (preflights[0] ?? NO_PREFLIGHT)
    : { kind: 'done', steps: done.flatMap(({ steps }) => steps) };
}
