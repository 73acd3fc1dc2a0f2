import type { LeftInSource, StatedList, StatedAddress } from '../../import/index.ts';
import type { DesiredScope, ListItem, LiveList } from '../../model/index.ts';
import { isItemAsWanted, listItemKey, scopeLabel } from '../../model/index.ts';
import type { Scope } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import type { DeclarableList } from '../import/declare-lists.ts';
import type { CommentsAbove } from './configured-names.ts';
import { commentsAbove } from './stated-comments.ts';
import type { StatedDifference } from './stated-scope.ts';

/** The lists of an account as the state has them. */
interface StatedLists {
  readonly lists: readonly DeclarableList[];
  readonly imported: readonly StatedAddress[];
  readonly left: readonly LeftInSource[];
  readonly differences: readonly StatedDifference[];
}

/** Returns the lists of a state for the file of their account, which has none of them yet unless it `declares` some. */
export function statedLists(
  stated: readonly StatedList[],
  live: readonly LiveList[],
  {
    scope,
    declared,
    above,
  }: {
    readonly scope: Scope;
    readonly declared: DesiredScope | undefined;
    readonly above: CommentsAbove;
  },
): StatedLists {
  const lists: DeclarableList[] = [];
  const imported: StatedAddress[] = [];
  const left: LeftInSource[] = [];
  const differences: StatedDifference[] = [];
  for (const one of stated) {
    const addresses = [one.address, ...one.itemAddresses];
    // By its name where it was made anew, or where the source has no id.
    const found = live.find(({ id }) => id === one.id) ?? live.find(({ name }) => name === one.name);
    if (declared !== undefined) {
      if (declared.lists?.some(({ name }) => name === one.name) === true) {
        imported.push(...addresses);
      } else {
        const why = 'the files declare the account already: add the list to them, under `lists`';
        left.push(...addresses.map((address) => ({ address, why })));
      }
      continue;
    }
    if (found === undefined || found.kind !== one.kind) {
      const why =
        'there is no such list live, or the token may not read it (permission "Account Filter Lists" Read)';
      left.push(...addresses.map((address) => ({ address, why })));
      continue;
    }
    // Items that nobody declares are somebody else's, such as a job that fills the list.
    const isExternal = one.items.length === 0 && found.items.length > 0;
    lists.push({
      name: found.name,
      kind: found.kind,
      description: one.description,
      items: isExternal ? 'external' : one.items.map((item) => ({ item: spelledLive(item, found) })),
      above: [
        ...(one.address.note === '' ? [] : [provenanceOf(addresses)]),
        ...commentsAbove(one.address, above),
      ],
    });
    imported.push(...addresses);
    const texts = [
      ...(one.description === found.description ? [] : ['the description of the list differs']),
      ...(isExternal ? [] : itemDifferences(one.items, found)),
    ];
    differences.push(
      ...texts.map((text) => ({ scope: scopeLabel(scope), address: one.address.instance, text })),
    );
  }
  return { lists, imported, left, differences };
}

/** The most addresses of single items that a comment has; of a list of thousands, nobody reads more. */
const MOST_ADDRESSES = 3;

function provenanceOf(addresses: readonly StatedAddress[]): string {
  return someNames(
    addresses.map(({ instance }) => instance),
    MOST_ADDRESSES,
  );
}

/** Where the state says nothing that the service has filled in, the file says what is live. */
function spelledLive(item: ListItem, { items }: LiveList): ListItem {
  const live = items.find((one) => listItemKey(one.item) === listItemKey(item))?.item;
  return live !== undefined && isItemAsWanted(item, live) ? live : item;
}

/** The most items that a message names. */
const MOST_ITEMS = 3;

function itemDifferences(stated: readonly ListItem[], { items }: LiveList): readonly string[] {
  const wanted = new Map(stated.map((item) => [listItemKey(item), item]));
  const live = new Map(items.map(({ item }) => [listItemKey(item), item]));
  const kinds = [
    ['only in the files', [...wanted.keys()].filter((key) => !live.has(key))],
    ['only live', [...live.keys()].filter((key) => !wanted.has(key))],
    [
      'different',
      [...wanted].flatMap(([key, item]) => {
        const there = live.get(key);
        return there === undefined || isItemAsWanted(item, there) ? [] : [key];
      }),
    ],
  ] as const;
  return kinds.flatMap(([what, keys]) =>
    keys.length === 0
      ? []
      : [`${keys.length === 1 ? 'item' : 'items'} ${what}: ${someNames(keys, MOST_ITEMS)}`],
  );
}
