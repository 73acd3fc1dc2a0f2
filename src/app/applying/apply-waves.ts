import type { PlanOutcome, RecordedWave, WaveRecord, WrittenPlan } from '../../apply/index.ts';
import { isWaveOpen } from '../../apply/index.ts';
import { plainJson } from '../../data/index.ts';
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
import { isChosen, waveRefusal } from './choose-waves.ts';

/** What waves are carried out with. */
export interface WaveMeans extends EarlierWaves {
  /** Has the service check all writes of the run; returns how the run ends if one would be refused, else null. */
  readonly check: (parts: readonly WavePart[]) => Promise<PlanOutcome | null>;
  /** Writes the scopes of one wave, and leaves what is written. */
  readonly write: (scopes: readonly PlannedScope[]) => Promise<PlanOutcome>;
  /** Judges the health of a wave. Throws when the run is interrupted. */
  readonly judge: (gate: HealthGate, part: WavePart, wrote: WriteTime) => Promise<HealthResult>;
  /** Puts back what was written, the newest first. */
  readonly putBack: (written: readonly WrittenPlan[]) => Promise<Rollback>;
  /** Records how far a wave has come. Rejects when that cannot be recorded. */
  readonly record: (record: WaveRecord) => Promise<void>;
  /** Records what has happened already; a failure to do so is reported. */
  readonly recordDone: (record: WaveRecord) => Promise<void>;
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
  /** Whether the run was about a wave whose turn it is not; nothing was written then. */
  readonly refused: boolean;
}

/** What has happened so far in a run. */
interface Progress {
  readonly outcomes: Outcome[];
  readonly preflights: Preflight[];
  /** `isWhole`: no earlier run wrote anything of the wave. */
  readonly written: { readonly plan: WrittenPlan; readonly wave: PlanWave; readonly isWhole: boolean }[];
  readonly waves: WaveResult[];
}

/**
 * Carries out a plan wave by wave. A wave begins when all waves before it are written, have had their time, and are well; what an earlier run left open
 * is judged first. If a write fails, or the health of a wave does not hold, no other wave begins, and the run puts back what it wrote if the files say so.
 */
export async function applyWaves(run: WaveRun, means: WaveMeans): Promise<WavesOutcome> {
  const { rollout, parts } = run;
  const chosen = parts.filter(({ wave }) => isChosen(wave, run.choice));
  const refusal = await waveRefusal(run, means);
  if (refusal !== null) {
    return { ...ended(chosen, { refusal }), refused: true };
  }
  const many = chosen.filter(({ scopes }) => scopes.length > 0).length > 1;
  const stopped = many ? await means.check(chosen) : null;
  if (stopped !== null) {
    return { ...stopped, waves: chosen.map((part) => resultOf(part, 'not-begun')), refused: false };
  }
  const done: Progress = { outcomes: [], preflights: [], written: [], waves: [] };
  let rollback: Rollback | null = null;
  for (const [index, part] of chosen.entries()) {
    const state = await applyWave(part, { run, means, done });
    if (state === 'passed' || state === 'unchanged') {
      continue;
    }
    const isToGoBack = (state === 'not-done' || state === 'unhealthy') && rollout.onFailure === 'rollback';
    if (isToGoBack && means.signal?.aborted !== true && done.written.length > 0) {
      rollback = await putBack(done, means);
    }
    const rest = chosen.slice(index + 1);
    done.outcomes.push(...notReached(rest, `wave ${part.wave.number} ${AFTER[state]}`));
    done.waves.push(...rest.map((one) => resultOf(one, 'not-begun')));
    break;
  }
  return {
    outcomes: done.outcomes,
    preflight: joined(done.preflights),
    rollback,
    waves: done.waves.map((wave) => afterwards(wave, rollback)),
    refused: false,
  };
}

/** Returns what became of a wave once all of the run went back. */
function afterwards(wave: WaveResult, rollback: Rollback | null): WaveResult {
  const isBack = rollback !== null && rollback.result !== 'partial';
  return isBack && wave.state === 'passed' ? { ...wave, state: 'put-back' } : wave;
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

type WaveState = Exclude<WaveResult['state'], 'not-begun' | 'put-back'>;

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

async function writeWave({ wave, scopes }: WavePart, { run, means, done }: WaveWork): Promise<WrittenWave> {
  const { number, wanted } = wave;
  const { clock, report } = means;
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
    if (result.written !== null && run.rollout.onFailure === 'rollback') {
      done.written.push({ plan: result.written, wave, isWhole: open === undefined });
    }
    if (!isWhole || !result.outcomes.every(isAchieved)) {
      return { kind: 'ended', state: 'not-done' };
    }
    if (open !== undefined || result.outcomes.some((outcome) => 'writes' in outcome && outcome.writes > 0)) {
      const wrote = { from, to: clock.now() };
      await means.recordDone({ wave: number, wanted, state: 'written', wrote });
      return { kind: 'judge', wrote };
    }
  } else if (!isWhole) {
    return { kind: 'ended', state: 'not-done' };
  } else if (open !== undefined) {
    report({ kind: 'wave-resumed', wave: number, at: open.at });
    return { kind: 'judge', wrote: timeOf(open, clock.now()) };
  }
  await means.recordDone({ wave: number, wanted, state: 'passed' });
  return { kind: 'ended', state: 'unchanged' };
}

/**
 * Returns when a wave was written that an earlier run left open. One that was judged is judged anew, by what comes after now; so is one whose last write
 * that run did not record.
 */
function timeOf({ state, wrote, at }: RecordedWave, now: number): WriteTime {
  return state === 'written' && wrote !== undefined ? wrote : { from: wrote?.from ?? at, to: now };
}

interface JudgedWave {
  readonly state: 'passed' | 'unhealthy' | 'no-data' | 'interrupted';
  readonly health?: HealthResult;
}

async function judgeWave(part: WavePart, wrote: WriteTime, { run, means }: WaveWork): Promise<JudgedWave> {
  const { number, wanted } = part.wave;
  const { soak, health: gate } = run.rollout;
  const { clock, signal } = means;
  const isLast = run.parts.every(({ wave, scopes }) => wave.number <= number || scopes.length === 0);
  const record = (state: WaveRecord['state'], health?: HealthResult): Promise<void> =>
    means.recordDone({
      wave: number,
      wanted,
      state,
      wrote,
      ...(health === undefined ? {} : { health: plainJson(health) }),
    });
  try {
    const left = wrote.to + soak * 1000 - clock.now();
    // Nothing waits for a last wave of which nothing is asked.
    if (left > 0 && !(isLast && gate === undefined)) {
      means.report({ kind: 'soaking', wave: number, ms: left });
      await clock.sleep(left, signal);
    }
    if (gate === undefined) {
      await record('passed');
      return { state: 'passed' };
    }
    means.report({ kind: 'judging', wave: number });
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

async function putBack({ written }: Progress, means: WaveMeans): Promise<Rollback> {
  const rollback = await means.putBack(written.map(({ plan }) => plan));
  if (rollback.result !== 'partial') {
    for (const { wave } of written.filter(({ isWhole }) => isWhole)) {
      await means.recordDone({ wave: wave.number, wanted: wave.wanted, state: 'undone' });
    }
  }
  return rollback;
}

function resultOf(
  { wave: { number, title } }: WavePart,
  state: WaveResult['state'],
  health?: HealthResult,
): WaveResult {
  return { wave: number, title, state, ...(health === undefined ? {} : { health }) };
}

/** Ends a run that begins no wave. */
function ended(
  parts: readonly WavePart[],
  { refusal }: { readonly refusal: string },
): Omit<WavesOutcome, 'refused'> {
  return {
    outcomes: notReached(parts, refusal),
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
