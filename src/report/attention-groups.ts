import { groupBy } from '../model/group-by.ts';
import { NEVER, untilAllowed, untilReviewed } from './allowing.ts';
import type { Alike } from './alike-scopes.ts';
import { groupFindings } from './alike-scopes.ts';
import type { AttentionItem, Found, Level, Unplanned } from './attention.ts';
import { counted } from '../model/count.ts';
import type { FailedGroup } from './failed-scopes.ts';
import { groupFailed } from './failed-scopes.ts';
import type { Detail } from './theme.ts';

/** Things that need attention under one title, what is alike once. */
export interface FoundGroup {
  readonly level: Found['level'];
  readonly title: string;
  readonly members: readonly Alike<Found>[];
  /** How many they are one by one. */
  readonly count: number;
}

/** Scopes of which nothing is known, by their reasons. */
export interface UnplannedGroup {
  readonly level: 'failed';
  readonly title: string;
  readonly members: readonly FailedGroup[];
  readonly count: number;
}

/** What stands together in a rendering. */
export type AttentionGroup = FoundGroup | UnplannedGroup;

/** When it is told: of a plan to review, of one that a run carries out, or of one that a run was about, whatever came of it. */
export type Moment = 'review' | 'run' | 'over';

/** So many of what drift shows stand on top: of a project that was never applied, every rule is missing live. */
export const MOST_DRIFT_SHOWN = 10;

/** What the titles depend on, and whether each thing is told by itself. */
export interface Titling {
  readonly moment?: Moment | undefined;
  /** Of so many scopes; where it is known. */
  readonly of?: number;
  readonly detail?: Detail | undefined;
}

const UNTIL: Readonly<Record<Moment, string>> = {
  review: untilReviewed(),
  run: untilAllowed(),
  over: 'Stops apply unless allowed by --allow KIND, or the reviewed plan showed it',
};

const TITLES: Readonly<Record<Exclude<Level, 'failed' | 'refused'>, string>> = {
  everybody: 'Concerns every request (or every test request)',
  never: NEVER,
  ending: 'Live ends every request (or every test request); the files do not',
  open: 'Live lets every request (or every test request) bypass protection; the files do not',
  weaker: 'Live protects less than the files, or may',
  reviewed: 'Allowed: the reviewed plan showed it',
  allowed: 'Allowed for this run',
  warns: 'Attention',
  noted: 'Attention',
};

/** Attention items under their titles, the gravest first. */
export function attentionGroups(
  items: readonly AttentionItem[],
  { moment = 'review', of, detail }: Titling = {},
): readonly AttentionGroup[] {
  const total = of === undefined ? '' : ` of ${of}`;
  const titleOf = ({ level }: AttentionItem): string =>
    level === 'refused' ? UNTIL[moment] : level === 'failed' ? level : TITLES[level];
  return [...groupBy(items, titleOf)].flatMap(([title, members]): readonly AttentionGroup[] => {
    const unplanned = members.filter(isUnplanned);
    const found = members.filter(isFound);
    const [first] = found;
    return first === undefined
      ? [
          {
            level: 'failed',
            title: `${counted(unplanned.length, 'scope')}${total} could not be planned`,
            members: groupFailed(unplanned),
            count: unplanned.length,
          },
        ]
      : [{ level: first.level, title, members: groupFindings(found, detail), count: found.length }];
  });
}

/** Whether it was found in a scope that is known. */
export function isFound(item: AttentionItem): item is Found {
  return item.level !== 'failed';
}

function isUnplanned(item: AttentionItem): item is Unplanned {
  return item.level === 'failed';
}

/** Whether a group holds what was found, and not scopes. */
export function isFoundGroup(group: AttentionGroup): group is FoundGroup {
  return group.level !== 'failed';
}
