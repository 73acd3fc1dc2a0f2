import type { ListItem, ListItemChange, ListStep, ListSummary } from '../model/index.ts';
import { counted, grouped } from '../text/index.ts';
import type { Detail } from './layout.ts';
import type { Perspective } from './perspective.ts';

/** Up to this many items of a list are shown one by one. */
const FEW = 10;

/** A change of an item in words; its kind decides its sign. */
export interface ToldItem {
  readonly kind: 'add' | 'patch' | 'delete';
  readonly text: string;
}

/** What is shown of the items of a list that changes. */
export interface ToldItems {
  readonly items: readonly ToldItem[];
  /** What is not shown, as `and 90 more to add`; null when everything is. */
  readonly more: string | null;
}

/** Returns the changes of items that are shown: what goes and what changes before what comes, and of many the first ones. */
export function toldItems({ items }: ListStep, perspective: Perspective['kind'], detail?: Detail): ToldItems {
  const most = detail === 'each' ? Infinity : FEW;
  const groups: readonly (readonly ToldItem[])[] = [
    items.remove.slice(0, most).map(({ item }) => ({ kind: 'delete', text: itemText(item) })),
    items.change.slice(0, most).map((change) => ({ kind: 'patch', text: changeText(change, perspective) })),
    items.add.slice(0, most).map((item) => ({ kind: 'add', text: itemText(item) })),
  ];
  const [removed, changed, added] = WORDS[perspective];
  const more = [
    [items.remove.length, removed],
    [items.change.length, changed],
    [items.add.length, added],
  ] as const;
  const left = more.flatMap(([count, words]) =>
    count > most ? [`${grouped(count - most)} more ${words}`] : [],
  );
  return { items: groups.flat(), more: left.length === 0 ? null : `and ${left.join(', ')}` };
}

const WORDS: Readonly<Record<Perspective['kind'], readonly [remove: string, change: string, add: string]>> = {
  plan: ['to remove', 'to change', 'to add'],
  drift: ['only live', 'different', 'missing live'],
};

/** The change of a rule whose words and sign a step on a list shares. */
export const LIST_FACETS: Readonly<Record<ListStep['operation'], ToldItem['kind']>> = {
  create: 'add',
  update: 'patch',
  delete: 'delete',
};

/** Returns the name of a list's kind, for its heading. */
export function listKindText({ target: { holds } }: ListStep): string {
  return KINDS[holds];
}

const KINDS: Readonly<Record<ListStep['target']['holds'], string>> = {
  ip: 'list of addresses',
  asn: 'list of AS numbers',
  hostname: 'list of host names',
  redirect: 'list of redirects',
};

/** Returns what happens to a list as a whole, to be put behind its name; empty for one that stays. */
export function listStateText({ operation, items }: ListStep, perspective: Perspective['kind']): string {
  switch (operation) {
    case 'create':
      return perspective === 'plan' ? 'new list' : 'missing live';
    case 'delete':
      return `${perspective === 'plan' ? 'list deleted' : 'only live'}, with ${counted(items.remove.length, 'item')}`;
    default:
      return '';
  }
}

/** Returns the last part of a summary: `1 list to update, 3 items to add`; empty when no list changes. */
export function listCounts(summary: ListSummary | undefined, perspective: Perspective['kind']): string {
  if (summary === undefined) {
    return '';
  }
  const { items } = summary;
  const [removed, changed, added] = WORDS[perspective];
  const words =
    perspective === 'plan'
      ? ['to create', 'to update', 'to delete']
      : ['missing live', 'different', 'only live'];
  return [
    counts('list', [
      [summary.create, words[0]],
      [summary.update, words[1]],
      [summary.delete, words[2]],
    ]),
    counts('item', [
      [items.add, added],
      [items.change, changed],
      [items.remove, removed],
    ]),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** Returns the counts of the items that change in one list. */
export function listStepCounts({ items }: ListStep, perspective: Perspective['kind']): string {
  const [removed, changed, added] = WORDS[perspective];
  const text = counts('item', [
    [items.add.length, added],
    [items.change.length, changed],
    [items.remove.length, removed],
  ]);
  return text === '' ? 'no item changes' : text;
}

function counts(noun: string, all: readonly (readonly [count: number, words: string | undefined])[]): string {
  return all
    .filter(([count]) => count > 0)
    .map(([count, words], index) => `${index === 0 ? counted(count, noun) : grouped(count)} ${words}`)
    .join(', ');
}

/** Returns an item in one line: what identifies it, what it does, and its comment. */
export function itemText(item: ListItem): string {
  const { comment = '' } = item;
  return `${valueText(item)}${comment === '' ? '' : `  (${comment})`}`;
}

function valueText(item: ListItem): string {
  if ('ip' in item) {
    return item.ip;
  }
  if ('asn' in item) {
    return `AS${item.asn}`;
  }
  if ('hostname' in item) {
    return `${item.hostname}${item.exclude_exact_hostname === true ? ', not the name itself' : ''}`;
  }
  const { source_url, target_url, status_code } = item;
  const flags = [
    ...(item.include_subdomains === true ? ['with subdomains'] : []),
    ...(item.subpath_matching === true ? ['with subpaths'] : []),
    ...(item.preserve_query_string === true ? ['keeps the query'] : []),
    ...(item.preserve_path_suffix === undefined
      ? []
      : [item.preserve_path_suffix ? 'keeps the path behind' : 'drops the path behind']),
  ];
  return `${source_url} → ${target_url} ${[status_code, ...flags].join(', ')}`;
}

function changeText({ before, after }: ListItemChange, perspective: Perspective['kind']): string {
  return perspective === 'plan'
    ? `${itemText(before)} becomes ${itemText(after)}`
    : `live ${itemText(before)}, files ${itemText(after)}`;
}
