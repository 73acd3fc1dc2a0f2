import { groupBy } from '../model/group-by.ts';
import { NEVER, untilAllowed, untilReviewed } from './allowing.ts';
import type { Alike } from './alike-scopes.ts';
import { groupFindings } from './alike-scopes.ts';
import type { AttentionItem, Found, Level, Unplanned } from './attention.ts';
import { counted } from '../model/count.ts';
import type { FailedGroup } from './failed-scopes.ts';
import { groupFailed } from './failed-scopes.ts';
import type { Detail } from './theme.ts';

/** Findings that need attention under one title; those that are alike are grouped. */
export interface FoundGroup {
  readonly level: Found['level'];
  readonly title: string;
  readonly members: readonly Alike<Found>[];
  /** The number of findings before grouping. */
  readonly count: number;
}

/** Scopes that could not be planned, by reason. */
export interface UnplannedGroup {
  readonly level: 'failed';
  readonly title: string;
  readonly members: readonly FailedGroup[];
  readonly count: number;
}

/** A group under one title. */
export type AttentionGroup = FoundGroup | UnplannedGroup;

/** When a report is made: for a plan to review, for a plan that a run applies, or after a run, whatever its result. */
export type Moment = 'review' | 'run' | 'over';

/** The number of grave drift findings shown at the top: when a project was never applied, every rule is missing live. */
export const MOST_DRIFT_SHOWN = 10;

/** What the titles depend on, and whether each finding is shown by itself. */
export interface Titling {
  readonly moment?: Moment | undefined;
  /** The total number of scopes, if known. */
  readonly of?: number;
  readonly detail?: Detail | undefined;
}

const UNTIL: Readonly<Record<Moment, string>> = {
  review: untilReviewed(),
  run: untilAllowed(),
  over: 'Stops apply unless allowed by --allow KIND, or the reviewed plan showed it',
};

const TITLES: Readonly<Record<Exclude<Level, 'failed' | 'refused'>, string>> = {
  everybody: 'Concerns every request (or every one tried)',
  never: NEVER,
  ending: 'Live stops or redirects every request (or every one tried); the files do not',
  open: 'Live lets every request (or every one tried) bypass protection; the files do not',
  weaker: 'Live protects less than the files, or may',
  reviewed: 'Allowed: the reviewed plan showed it',
  allowed: 'Allowed for this run',
  warns: 'Attention',
  unproven: 'Not proven harmless',
  noted: 'Attention',
};

/** Groups attention items by title, the gravest first. */
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

/** Whether an item is a finding, not a scope that could not be planned. */
export function isFound(item: AttentionItem): item is Found {
  return item.level !== 'failed';
}

function isUnplanned(item: AttentionItem): item is Unplanned {
  return item.level === 'failed';
}

/** Whether a group contains findings, not scopes. */
export function isFoundGroup(group: AttentionGroup): group is FoundGroup {
  return group.level !== 'failed';
}
