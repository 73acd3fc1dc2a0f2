import type {
  HealthGate,
  HealthLimit,
  Plan,
  PlannedScope,
  PlanRollout,
  PlanWave,
  WaveResult,
} from '../model/index.ts';
import { readStepId, stepIds } from '../model/index.ts';
import { partsOf } from '../rollout/index.ts';
import type { WavePart } from '../rollout/index.ts';
import { counted, duration } from '../text/index.ts';
import type { Detail } from './layout.ts';
import { healthBlocks } from './health-blocks.ts';
import type { Block, EntryMark, Inline } from './tree.ts';
import { entry, section, span } from './tree.ts';

/** Returns which scopes of a plan are written in which wave, and what has to hold in between; nothing for a plan without waves. */
export function waveBlocks(
  plan: Pick<Plan, 'rollout' | 'scopes'>,
  detail: Detail | undefined,
): readonly Block[] {
  const { rollout } = plan;
  return rollout === undefined
    ? []
    : [
        section(
          2,
          [span('strong', 'Waves')],
          [
            ...partsOf(plan).map((part) => waveEntry(part, detail)),
            entry(undefined, [conditionText(rollout)], { parts: true }),
          ],
        ),
      ];
}

/** What became of a wave, in words. */
export const WAVE_WORDS: Readonly<Record<WaveResult['state'], string>> = {
  passed: 'done',
  unchanged: 'nothing to write',
  'not-done': 'not done',
  unhealthy: 'written, and not well',
  'no-data': 'written, and not known to be well',
  interrupted: 'written, and not judged yet',
  'not-begun': 'not begun',
};

const WAVE_MARKS: Readonly<Record<WaveResult['state'], EntryMark | undefined>> = {
  passed: { sign: '✓', style: 'good' },
  unchanged: undefined,
  'not-done': { sign: '✗', style: 'error' },
  unhealthy: { sign: '✗', style: 'error' },
  'no-data': { sign: '!', style: 'warning' },
  interrupted: { sign: '!', style: 'warning' },
  'not-begun': undefined,
};

/** Returns what became of the waves of a run, with what was seen of their health; nothing for a run without waves. */
export function waveResultBlocks(waves: readonly WaveResult[]): readonly Block[] {
  return waves.length === 0
    ? []
    : [
        section(
          2,
          [span('strong', 'Waves')],
          waves.map((wave) =>
            entry(WAVE_MARKS[wave.state], [span('strong', `Wave ${wave.wave}`), `: ${wave.title}`], {
              facts: [[WAVE_WORDS[wave.state]]],
              ...(wave.health === undefined ? {} : { body: healthBlocks(wave.health) }),
            }),
          ),
        ),
      ];
}

/** The number of names that a terminal shows of a wave. */
const NAMED = 10;

function waveEntry({ wave, scopes }: WavePart, detail: Detail | undefined): Block {
  const names = scopes.flatMap((plan) => changingNames(wave, plan)).map((name) => span('code', name));
  return entry(undefined, [span('strong', waveName(wave)), `: ${wave.title}`], {
    facts: [waveCount(wave, scopes.length)],
    ...(names.length === 0
      ? {}
      : { body: [{ kind: 'names', names, ...(detail === 'each' ? {} : { most: NAMED }) }] }),
  });
}

/** Returns the name of a zone; of an account, the names of what changes, since another wave may have the rest. */
function changingNames({ kind }: PlanWave, plan: PlannedScope): readonly string[] {
  const { name } = plan.scope;
  return isOfAccounts(kind) ? stepIds(plan).map((id) => `${name}/${readStepId(id).ruleset}`) : [name];
}

function isOfAccounts(kind: PlanWave['kind']): boolean {
  return kind === 'accounts-before' || kind === 'accounts-after';
}

/** Returns what a wave is called. */
function waveName({ number }: Pick<PlanWave, 'number'>): string {
  return `Wave ${number}`;
}

function waveCount({ kind, scopes, reaches = 0 }: PlanWave, changing: number): Inline {
  const of = isOfAccounts(kind) ? 'account' : 'zone';
  if (scopes.length === 0) {
    return [`no ${of}`];
  }
  const count = `${changing === 0 ? 'none' : changing} of ${counted(scopes.length, of)} ${changing === 1 ? 'changes' : 'change'}`;
  return isOfAccounts(kind) && changing > 0
    ? [`${count}, which reaches `, span('warning', `${counted(reaches, 'zone')} at once`)]
    : [count];
}

function conditionText({ soak, health, onFailure }: PlanRollout): string {
  const wait = soak === 0 ? '' : `${duration(soak)} to work`;
  const asked = health === undefined ? '' : `its health: ${gateText(health)}`;
  const between = [wait, asked].filter((text) => text !== '').join(', then ');
  const otherwise = onFailure === 'rollback' ? 'all that the run wrote goes back' : 'the run stops';
  return between === ''
    ? `After a failure ${otherwise}.`
    : `After each wave: ${between}. If anything fails, ${otherwise}.`;
}

function gateText({ errors, blocked, probes }: HealthGate): string {
  return [
    ...(errors === undefined ? [] : [`5xx ${limitText(errors)}`]),
    ...(blocked === undefined ? [] : [`blocked or challenged ${limitText(blocked)}`]),
    ...(probes.length === 0 ? [] : [counted(probes.length, 'probe')]),
  ].join('; ');
}

function limitText({ max, aboveBefore, aboveOthers, window }: HealthLimit): string {
  const limits = [
    ...(max === undefined ? [] : [`at most ${max}%`]),
    ...(aboveBefore === undefined ? [] : [`${aboveBefore} points above before`]),
    ...(aboveOthers === undefined ? [] : [`${aboveOthers} points above other zones`]),
  ];
  return `${limits.join(', ')} in ${duration(window)}`;
}
