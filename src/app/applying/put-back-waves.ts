import type { EarlierPlan, WaveRecord, WrittenPlan } from '../../apply/index.ts';
import { joinRollbacks } from '../../apply/index.ts';
import type { PlanWave, Rollback } from '../../model/index.ts';

/** What was written in a wave, by this run or one that it goes on from. */
export interface WaveWrite {
  readonly plan: WrittenPlan;
  readonly wave: Pick<PlanWave, 'number' | 'wanted'>;
  /** Whether nobody else wrote anything of the wave that would stay. */
  readonly isWhole: boolean;
  /** What cannot be put back, since it is not known any more what was there. */
  readonly lost: EarlierPlan['lost'];
}

/** What putting back waves takes. */
export interface PuttingBack {
  /** Puts back what was written, the newest first; returns what came of each. */
  readonly putBack: (written: readonly WrittenPlan[]) => Promise<readonly Rollback[]>;
  /** Records what has happened already; a failure to do so is reported. */
  readonly recordDone: (record: WaveRecord) => Promise<void>;
}

/** What came of putting back: which waves went back as a whole, and which did not. */
export interface WavesBack {
  readonly rollback: Rollback;
  readonly whole: ReadonlySet<number>;
  readonly partly: ReadonlySet<number>;
}

/** Puts back what was written in waves, and records of each wave what it is then. */
export async function putBackWaves(
  writes: readonly WaveWrite[],
  { putBack, recordDone }: PuttingBack,
): Promise<WavesBack> {
  const ended = await putBack(writes.map(({ plan }) => plan));
  const each = writes.map(({ wave, isWhole, lost }, index) => {
    const { result = 'partial', outcomes = [], notes = [] } = ended[index] ?? {};
    const rollback: Rollback = {
      result: lost.length > 0 ? 'partial' : result,
      outcomes: [...outcomes, ...lost],
      notes,
    };
    return { wave, isWhole, rollback };
  });
  const partly = new Set(
    each.flatMap(({ rollback, wave }) => (rollback.result === 'partial' ? [wave.number] : [])),
  );
  const waves = new Map(each.map((one) => [one.wave.number, one]));
  for (const { wave, isWhole } of waves.values()) {
    const isBack = !partly.has(wave.number);
    if (isWhole || !isBack) {
      await recordDone({ wave: wave.number, wanted: wave.wanted, state: isBack ? 'undone' : 'failed' });
    }
  }
  const whole = new Set([...waves.keys()].filter((number) => !partly.has(number)));
  return { rollback: joinRollbacks(each.map(({ rollback }) => rollback)), whole, partly };
}
