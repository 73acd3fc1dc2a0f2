import type { Follow } from '../../plan/difference/follow-live.ts';

/** What stands in the list of a file: a rule that follows live, or a use of a pack. Items count in the file's list. */
export type PlacedItem =
  | { readonly kind: 'rule'; readonly item: number; readonly follow: Follow }
  | { readonly kind: 'use'; readonly item: number };

/**
 * The list of a file in the order of live. Every use of a pack stays, where its first rule is live, or else behind the item before it:
 * what a pack says is not one file's to change. `astray` are the rules of packs that live does not have as the pack has them, by
 * their index among the declared.
 */
export function placeUses({
  uses,
  items,
  follows,
}: {
  /** The items that are uses of packs. */
  readonly uses: ReadonlySet<number>;
  /** The item that each declared rule comes from; -1 and absent for none. */
  readonly items: readonly (number | undefined)[];
  readonly follows: readonly Follow[];
}): { readonly order: readonly PlacedItem[]; readonly astray: readonly number[] } {
  const order: PlacedItem[] = [];
  const right = new Set<number>();
  let before: number | undefined;
  for (const follow of follows) {
    const item = follow.kind === 'insert' ? -1 : (items[follow.desired] ?? -1);
    if (follow.kind === 'insert' || !uses.has(item)) {
      order.push({ kind: 'rule', item, follow });
      before = undefined;
      continue;
    }
    const at = follow.desired;
    const begins = !order.some((one) => one.kind === 'use' && one.item === item);
    if (begins) {
      order.push({ kind: 'use', item });
    }
    const isFirst = items.indexOf(item) === at;
    if (follow.kind === 'keep' && (begins ? isFirst : before === at - 1)) {
      right.add(at);
    }
    before = at;
  }
  for (const item of uses) {
    if (!order.some((one) => one.kind === 'use' && one.item === item)) {
      const previous = order.findLastIndex((one) => one.item >= 0 && one.item < item);
      order.splice(previous + 1, 0, { kind: 'use', item });
    }
  }
  const astray = items.flatMap((item, at) =>
    item !== undefined && uses.has(item) && !right.has(at) ? [at] : [],
  );
  return { order, astray };
}
