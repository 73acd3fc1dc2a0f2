import { assertNever } from '../data/index.ts';
import type {
  HealthMeasure,
  HealthResult,
  HealthVerdict,
  ProbeMeasure,
  ShareMeasure,
  WindowCounts,
  WindowPair,
} from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { Block, EntryBlock, EntryMark } from './tree.ts';
import { entry, paragraph, span } from './tree.ts';

const MARKS: Readonly<Record<HealthVerdict, EntryMark>> = {
  holds: { sign: '✓', word: 'holds', style: 'good' },
  fails: { sign: '✗', word: 'fails', style: 'error' },
  no_data: { sign: '?', word: 'no data', style: 'warning' },
};

/** How many zones of a wave are told of each by itself; of more, those that fail or are not known. */
const MOST_ZONES = 10;

/** Tells what was measured after a wave, with all numbers. */
export function healthBlocks({ measures }: HealthResult): readonly Block[] {
  return measures.map((measure) => (measure.measure === 'probe' ? probeEntry(measure) : shareEntry(measure)));
}

function nameOf(measure: HealthMeasure): string {
  switch (measure.measure) {
    case 'probe':
      return measure.url;
    case 'errors':
      return 'share of 5xx answers';
    case 'blocked':
      return 'share of blocked and challenged requests';
    default:
      return assertNever(measure);
  }
}

function probeEntry(measure: ProbeMeasure): EntryBlock {
  const { attempts, expect, verdict } = measure;
  return entry(MARKS[verdict], [span('name', nameOf(measure))], {
    facts: [[`expected ${expect.join(' or ')}`]],
    body: attempts.map(({ at, status, problem }) =>
      paragraph(problem ?? `status ${status ?? ''}`, span('dim', `, ${at}`)),
    ),
  });
}

function shareEntry(measure: ShareMeasure): EntryBlock {
  const { limit, verdict, why, wave, others, others_note: note, zones } = measure;
  return entry(MARKS[verdict], [span('name', nameOf(measure))], {
    facts: [
      [
        limitText({
          max: limit.max ?? undefined,
          aboveBefore: limit.above_before ?? undefined,
          aboveOthers: limit.above_others ?? undefined,
        }),
      ],
    ],
    body: [
      ...(why === null ? [] : [paragraph(why)]),
      ...(wave === null ? [] : [paragraph('the wave: ', pairText(wave)), windowBlock(wave)]),
      ...(note === null ? [] : [paragraph(others === null ? note : `${note}: ${countsText(others)}`)]),
      ...(zones.length > 1 || wave === null ? zoneBlocks(zones) : []),
    ],
  });
}

/** Says what a share must not exceed. */
export function limitText({
  max,
  aboveBefore,
  aboveOthers,
}: {
  readonly max?: number | undefined;
  readonly aboveBefore?: number | undefined;
  readonly aboveOthers?: number | undefined;
}): string {
  const limits = [
    ...(max === undefined ? [] : [`${max}%`]),
    ...(aboveBefore === undefined ? [] : [`${counted(aboveBefore, 'point')} above before`]),
    ...(aboveOthers === undefined ? [] : [`${counted(aboveOthers, 'point')} above zones without the change`]),
  ];
  return `at most ${limits.join(', and ')}`;
}

function windowBlock({ before, after }: WindowPair): Block {
  const times = ({ from, to }: WindowCounts): string => `${from} to ${to}`;
  return paragraph(
    span('dim', `from ${times(after)}${before === null ? '' : `, and before from ${times(before)}`}`),
  );
}

function zoneBlocks(zones: ShareMeasure['zones']): readonly Block[] {
  const shown = zones.length > MOST_ZONES ? zones.filter(({ verdict }) => verdict !== 'holds') : zones;
  const rest = zones.length - Math.min(shown.length, MOST_ZONES);
  return [
    ...shown.slice(0, MOST_ZONES).map(({ zone, verdict, why, windows }) =>
      entry(MARKS[verdict], [span('name', zone)], {
        facts: windows === null ? [] : [[pairText(windows)]],
        body: why === null ? [] : [paragraph(why)],
        parts: true,
      }),
    ),
    ...(rest === 0 ? [] : [paragraph(`and ${counted(rest, 'more zone')}: --format json has all numbers`)]),
  ];
}

function pairText({ before, after }: WindowPair): string {
  return `${countsText(after)}${before === null ? '' : `, before ${countsText(before)}`}`;
}

function countsText({ requests, counted: some, percent }: WindowCounts): string {
  return percent === null
    ? 'no request'
    : `${Math.round(percent * 100) / 100}% (${some} of ${counted(requests, 'request')})`;
}
