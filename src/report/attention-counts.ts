import type { AttentionItem, Found } from './attention.ts';
import { attentionGroups, isFound, isFoundGroup } from './attention-groups.ts';
import type { FoundGroup } from './attention-groups.ts';
import { counted } from '../model/count.ts';
import { MAY_END, MAY_OPEN } from './lowering.ts';
import type { Detail } from './theme.ts';

/** Where the line is shown: above what it counts, or at the end of a long text. */
interface Counting {
  readonly where: 'top' | 'end';
  readonly detail?: Detail | undefined;
}

/** Returns a sentence with the number of things that need attention, the same in every rendering; null when there are none. */
export function attentionCounts(items: readonly AttentionItem[], { where, detail }: Counting): string | null {
  const found = items.filter(isFound);
  const noted = found.filter(({ level }) => level === 'noted').length;
  const groups = attentionGroups(
    found.filter(({ level }) => level !== 'noted'),
    { detail },
  ).filter(isFoundGroup);
  const above = where === 'end' ? ' above' : '';
  const rules = (level: Found['level'], does: string): readonly string[] => {
    const count = groups.find((group) => group.level === level)?.count ?? 0;
    return count === 0 ? [] : [`${counted(count, 'rule')}${above} ${does}`];
  };
  const parts = [
    ...rules('ending', MAY_END),
    ...rules('open', MAY_OPEN),
    ...rules('weaker', 'may protect less'),
    ...KINDS.flatMap(({ levels, verb, what }) =>
      findings(
        groups.filter(({ level }) => levels.includes(level)),
        { above, does: (count) => `${count === 1 ? verb[0] : verb[1]} ${what}` },
      ),
    ),
    ...(noted === 0 ? [] : [`${counted(noted, 'warning')}${where === 'end' ? ' in the notes' : ''}`]),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}.`;
}

const KINDS: readonly {
  readonly levels: readonly Found['level'][];
  /** In singular and plural. */
  readonly verb: readonly [one: string, many: string];
  readonly what: string;
}[] = [
  { levels: ['never'], verb: ['stops', 'stop'], what: 'apply' },
  { levels: ['refused'], verb: ['stops', 'stop'], what: 'apply unless allowed' },
  { levels: ['everybody', 'reviewed', 'allowed', 'warns'], verb: ['needs', 'need'], what: 'attention' },
  { levels: ['unproven'], verb: ['is', 'are'], what: 'not proven harmless' },
];

/** Counts findings, and in parentheses the groups in which alike ones are shown, if there are fewer. */
function findings(
  groups: readonly FoundGroup[],
  { above, does }: { readonly above: string; readonly does: (count: number) => string },
): readonly string[] {
  const seen = groups.reduce((sum, { members }) => sum + members.length, 0);
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  return seen === 0
    ? []
    : [
        `${counted(all, 'finding')}${above}${seen === all ? '' : ` (in ${counted(seen, 'group')})`} ${does(all)}`,
      ];
}
