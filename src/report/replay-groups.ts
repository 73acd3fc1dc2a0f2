import type { ReplayGroup, ReplayGroups, ReplayOutcome, ValueShare } from '../model/index.ts';
import type { EntryBlock, Inline, Style } from './tree.ts';
import { entry, span } from './tree.ts';
import { grouped } from '../text/index.ts';

/** What people call each outcome, and how it looks. */
export const OUTCOMES: Readonly<Record<ReplayOutcome, { readonly words: string; readonly style: Style }>> = {
  newly_blocked: { words: 'newly blocked', style: 'removed' },
  newly_challenged: { words: 'newly challenged', style: 'changed' },
  newly_passed: { words: 'newly let through', style: 'warning' },
  otherwise_changed: { words: 'changed otherwise', style: 'moved' },
  unknown: { words: 'not known', style: 'info' },
  unchanged: { words: 'unchanged', style: 'dim' },
};

export const ORDER = [
  'newly_blocked',
  'newly_challenged',
  'newly_passed',
  'otherwise_changed',
  'unknown',
] as const;

/** The most names of zones and columns stand in a line. */
export const MOST_NAMES = 5;

/** Returns the groups of records that there are, the most severe first. */
export function ownGroups(
  groups: ReplayGroups,
): readonly (readonly [outcome: (typeof ORDER)[number], group: ReplayGroup])[] {
  return ORDER.flatMap((outcome) => {
    const group = groups[outcome];
    return group === undefined ? [] : [[outcome, group] as const];
  });
}

/** Tells whose the requests of a group are. */
export function whoseEntries(group: ReplayGroup): readonly EntryBlock[] {
  const { records, verified_bots: bots, bots_known: known, networks } = group;
  const shares = [
    ...(known === 0
      ? []
      : [
          `${bots === 0 ? 'no verified bots' : `${share(bots, known)} verified bots`}${known === records ? '' : ` (known of ${grouped(known)})`}`,
        ]),
    ...networks.map(({ name, records: own }) => `${share(own, records)} ${name}`),
  ];
  return [
    ...(shares.length === 0 ? [] : [entry(undefined, [span('label', 'of these: '), shares.join(', ')])]),
    ...valueEntries('paths', group.paths),
    ...valueEntries('countries', group.countries),
    ...valueEntries('user agents', group.user_agents),
  ];
}

export function valueEntries(what: string, values: readonly ValueShare[]): readonly EntryBlock[] {
  const told = values.flatMap(({ value, records }, index): Inline => [
    ...(index === 0 ? [] : [', ']),
    span('code', value),
    ` (${grouped(records)})`,
  ]);
  return values.length === 0 ? [] : [entry(undefined, [span('label', `${what}: `), ...told])];
}

/** Returns a share in percent; what is more than nothing never looks like nothing, and less than all never like all. */
export function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (percent > 0 && percent < 0.01) {
    return '< 0.01%';
  }
  const text = percent.toFixed(percent < 1 ? 2 : 1);
  return part < whole && text.startsWith('100') ? '> 99.9%' : `${text}%`;
}
