import type { ChangedScope, RecordedWave, WrittenPlan } from '../../apply/index.ts';
import type { Plan, PlanRollout, PlanWave, WaveChoice } from '../../model/index.ts';
import { assertNever } from '../../data/index.ts';
import { probeTarget } from '../../health/index.ts';
import type { AllowedProbeHost } from '../../health/index.ts';
import { plannedScopes, RulewrightError, zoneName } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { WavePart } from '../../rollout/index.ts';

/** A plan in waves. */
export interface WaveRun {
  readonly rollout: PlanRollout;
  readonly parts: readonly WavePart[];
  readonly choice: WaveChoice;
  /** Labels of the scopes that could not be planned: a wave that has one is not done. */
  readonly failed: ReadonlySet<string>;
  /** Whether the run goes on from one that was killed or interrupted: what that one wrote counts as written by this one. */
  readonly resumes: boolean;
}

/** What is known of waves before a run. */
export interface EarlierWaves {
  /** Whether the plan was made in this run: then it says what is left to do, and live is not asked. */
  readonly isFresh: boolean;
  /** Looks whether live is what a wave was planned from, with its steps done; null: it is. Of what is written, the run itself says how it was left. */
  readonly changed: (part: WavePart, written: readonly WrittenPlan[]) => Promise<ChangedScope | null>;
  /** What earlier runs have recorded of each wave. */
  readonly recorded: ReadonlyMap<number, RecordedWave>;
}

/** Whether something is asked of a wave before the next one may begin. */
export function isJudged({ soak, health }: Pick<PlanRollout, 'soak' | 'health'>): boolean {
  return soak > 0 || health !== undefined;
}

/** Whether it is recorded that a wave was well with what the files want of it now. */
export function isHeld({ number, wanted }: PlanWave, recorded: EarlierWaves['recorded']): boolean {
  const last = recorded.get(number);
  return last?.wanted === wanted && last.state === 'passed';
}

/** Whether a run is about a wave. */
export function isChosen({ number }: Pick<PlanWave, 'number'>, choice: WaveChoice): boolean {
  switch (choice.kind) {
    case 'all':
      return true;
    case 'only':
      return number === choice.wave;
    case 'until':
      return number <= choice.wave;
    default:
      return assertNever(choice);
  }
}

/** Throws `usage/unknown-wave` when a run is about a wave that the plan does not have. */
export function requireWave(rollout: PlanRollout | undefined, choice: WaveChoice): void {
  if (choice.kind === 'all') {
    return;
  }
  const waves = rollout?.waves ?? [];
  if (!waves.some(({ number }) => number === choice.wave)) {
    throw new RulewrightError(
      waves.length === 0
        ? 'the plan has no waves'
        : `there is no wave ${choice.wave}: the waves are ${waves[0]?.number} to ${waves.at(-1)?.number}`,
      {
        code: 'usage/unknown-wave',
        fault: 'user',
        hint:
          waves.length === 0
            ? 'the project file declares them: rollout, waves'
            : 'rulewright plan shows which scope is in which wave',
      },
    );
  }
}

/** Throws when probes would ask a host that they may not: better before the first wave is written than after it. */
export function requireProbeHosts({ rollout, scopes }: Plan, allowed: readonly AllowedProbeHost[]): void {
  const zones = plannedScopes(scopes).flatMap(({ scope }) =>
    scope.kind === 'zone' ? [zoneName(scope).bare] : [],
  );
  for (const { url } of rollout?.health?.probes ?? []) {
    const target = probeTarget(url, { zones, allowed });
    if (target.kind === 'refused') {
      throw new RulewrightError(`the probe ${url} is not sent: ${target.why}`, {
        code: 'usage/invalid',
        fault: 'user',
      });
    }
  }
}

/** Throws when a shard would go from wave to wave by itself, before the other shards have done theirs. */
export function requireShardWave({ rollout, shard }: Plan, choice: WaveChoice): void {
  if (rollout !== undefined && shard !== undefined && choice.kind !== 'only') {
    throw new RulewrightError(
      `shard ${shard.index} of ${shard.count} does not know when the other shards are done with a wave`,
      {
        code: 'usage/invalid',
        fault: 'user',
        hint: 'name the wave with --wave, and begin the next one when all shards are done; or merge the plans of the shards, and apply that',
      },
    );
  }
}

/** Why a run of one wave may not begin it, and the wave that comes first. */
interface WaveRefusal {
  readonly why: string;
  readonly first: number;
}

/**
 * Returns why a run of one wave may not begin it: a wave before it is not as the files want it, or no run has recorded that it was well. Null: it may,
 * as may a run that carries out the waves before it too.
 */
export async function waveRefusal(
  { rollout, parts, choice, failed }: WaveRun,
  earlier: EarlierWaves,
): Promise<WaveRefusal | null> {
  if (choice.kind !== 'only') {
    return null;
  }
  for (const part of parts.filter(({ wave }) => wave.number < choice.wave && wave.scopes.length > 0)) {
    const why =
      (await whyNotDone(part, failed, earlier)) ??
      (isJudged(rollout) ? whyNotHeld(part.wave, earlier.recorded) : null);
    if (why !== null) {
      return { why, first: part.wave.number };
    }
  }
  return null;
}

async function whyNotDone(
  part: WavePart,
  failed: ReadonlySet<string>,
  { isFresh, changed }: EarlierWaves,
): Promise<string | null> {
  const { wave, scopes } = part;
  const unplanned = wave.scopes.find((label) => failed.has(label));
  if (unplanned !== undefined) {
    return `wave ${wave.number} has ${unplanned}, which could not be planned`;
  }
  if (isFresh) {
    return scopes.length === 0
      ? null
      : `wave ${wave.number} is not done: ${counted(scopes.length, 'scope')} of it would change`;
  }
  const why = await changed(part, []);
  return why === null ? null : `wave ${wave.number} is not done: ${why.message}`;
}

function whyNotHeld({ number, wanted }: PlanWave, recorded: EarlierWaves['recorded']): string | null {
  const last = recorded.get(number);
  if (last === undefined || last.wanted !== wanted) {
    return `the journal has no wave ${number} of these files that was found well`;
  }
  switch (last.state) {
    case 'passed':
      return null;
    case 'begun':
    case 'written':
      return `wave ${number} was written, and not found well yet`;
    case 'failed':
      return `the health of wave ${number} did not hold`;
    case 'no-data':
      return `of the health of wave ${number} nothing is known`;
    case 'undone':
      return `wave ${number} was put back`;
    default:
      return assertNever(last.state);
  }
}
