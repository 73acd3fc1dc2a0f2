import type { HealthGate, Plan, PlannedScope, PlanRollout, PlanWave, WaveResult } from '../model/index.ts';
import { changesAnything, readStepId, stepIds } from '../model/index.ts';
import { partsOf } from '../rollout/index.ts';
import type { WavePart } from '../rollout/index.ts';
import { counted, duration } from '../text/index.ts';
import type { Detail } from './layout.ts';
import { healthBlocks, limitText } from './health-blocks.ts';
import type { Block, EntryMark, Inline } from './tree.ts';
import { commandLine, entry, section, span } from './tree.ts';

/** Returns which scopes of a plan are written in which wave, and what has to hold in between; nothing for a plan without waves. */
export function waveBlocks(plan: Plan, detail: Detail | undefined): readonly Block[] {
  const { rollout } = plan;
  return rollout === undefined || !changesAnything(plan)
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
  'put-back': 'done, and put back',
  'partly-back': 'done, and only partly put back',
  changed: 'done, and changed by somebody since',
  unchanged: 'nothing to write',
  'not-done': 'not done',
  unhealthy: 'not well',
  'no-data': 'not known to be well',
  interrupted: 'not judged yet',
  'not-begun': 'not begun',
};

const WAVE_MARKS: Readonly<Record<WaveResult['state'], EntryMark | undefined>> = {
  passed: { sign: '✓', style: 'good' },
  'put-back': { sign: '✓', style: 'dim' },
  'partly-back': { sign: '✗', style: 'error' },
  changed: { sign: '!', style: 'warning' },
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
            entry(WAVE_MARKS[wave.state], waveTitle(wave.wave, wave.title), {
              facts: [
                [
                  WAVE_WORDS[wave.state],
                  ...(wave.byEarlierRun === true ? [', written by an earlier run'] : []),
                ],
              ],
              ...(wave.health === undefined ? {} : { body: healthBlocks(wave.health) }),
            }),
          ),
        ),
      ];
}

/**
 * Says in a sentence that a run ended with a wave that is written and not well, not known to be, or no longer as it was written; nothing of other runs.
 */
export function waveSentences(waves: readonly WaveResult[]): readonly Inline[] {
  return waves.flatMap(({ wave, state, stays }) =>
    state === 'unhealthy' || state === 'no-data' || state === 'interrupted' || state === 'changed'
      ? [
          [span('error', `Wave ${wave} is ${WAVE_WORDS[state]}.`)],
          ...(stays === true
            ? [
                [
                  'What an earlier run wrote stays: to undo a plan that was saved: ',
                  commandLine('rulewright plan --reverse PLAN.json'),
                  '; to go back to a version of a ruleset: ',
                  commandLine('rulewright rollback'),
                ],
              ]
            : []),
        ]
      : [],
  );
}

/** The number of names that a terminal shows of a wave. */
const NAMED = 10;

function waveEntry({ wave, scopes }: WavePart, detail: Detail | undefined): Block {
  const names = scopes.flatMap((plan) => changingNames(wave, plan)).map((name) => span('code', name));
  return entry(undefined, waveTitle(wave.number, wave.title), {
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

/** Returns what a wave is called, and what it has. */
function waveTitle(number: number, title: string): Inline {
  return [span('strong', `Wave ${number}`), `: ${title}`];
}

function waveCount({ kind, scopes, reaches = 0 }: PlanWave, changing: number): Inline {
  const of = isOfAccounts(kind) ? 'account' : 'zone';
  if (scopes.length === 0) {
    return [`no ${of}`];
  }
  if (changing === 0) {
    return [`nothing to change in ${counted(scopes.length, of)}`];
  }
  const count = `${changing} of ${counted(scopes.length, of)} ${changing === 1 ? 'changes' : 'change'}`;
  return isOfAccounts(kind)
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
    : `${health === undefined ? 'Between two waves' : 'After each wave'}: ${between}. If anything fails, ${otherwise}.`;
}

function gateText({ errors, blocked, probes }: HealthGate): string {
  return [
    ...(errors === undefined ? [] : [`5xx ${limitText(errors)} in ${duration(errors.window)}`]),
    ...(blocked === undefined
      ? []
      : [`blocked or challenged ${limitText(blocked)} in ${duration(blocked.window)}`]),
    ...(probes.length === 0 ? [] : [counted(probes.length, 'probe')]),
  ].join('; ');
}
