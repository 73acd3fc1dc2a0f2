import { isVersion } from '../../model/index.ts';
import type { DeclaredRuleset } from '../../config/index.ts';
import { locateKey, locateValue } from '../../config/index.ts';
import type { DesiredRule, DesiredRuleset } from '../../model/index.ts';
import type { Follow } from '../../plan/index.ts';

/** The items of a file's rule list that the declared rules of a ruleset come from. Items are indexes in that list. */
interface Origins {
  /** The items that use packs. */
  readonly uses: ReadonlySet<number>;
  /** The item of each declared rule: the rule itself, or the use of its pack; undefined if the rule comes from elsewhere. */
  readonly items: readonly (number | undefined)[];
  /** Whether each item has a place of its own. */
  readonly isWhole: boolean;
}

/** Finds the items of a file's list that rules come from, by their places in the file. */
export function originsOf({ rules }: DesiredRuleset, { document, rules: items }: DeclaredRuleset): Origins {
  const uses = new Set(items.flatMap(({ value }, index) => (Object.hasOwn(value, 'use') ? [index] : [])));
  const places = new Map(
    items.map(({ path }, index) => {
      const { start } = uses.has(index) ? locateValue(document, [...path, 'use']) : locateKey(document, path);
      return [placeOf(start), index];
    }),
  );
  const itemOf = ({ cause }: DesiredRule): number | undefined => {
    if (isVersion(cause)) {
      return undefined;
    }
    const { file, ...place } = cause.via?.at(-1) ?? cause;
    return file === document.source.path ? places.get(placeOf(place)) : undefined;
  };
  return { uses, items: rules.map(itemOf), isWhole: places.size === items.length };
}

function placeOf({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

/** An item of a rule list in a file: a rule that follows live, or a use of a pack. Indexes are those of the list in the file. */
export type PlacedItem =
  | { readonly kind: 'rule'; readonly item: number; readonly follow: Follow }
  | { readonly kind: 'use'; readonly item: number };

/** A use of a pack with other live rules between the rules of the pack. */
interface PartedUse {
  readonly item: number;
  readonly between: readonly Follow[];
}

/** The list of a file in live order, and what of live no file can say. */
export interface PlacedList {
  readonly order: readonly PlacedItem[];
  /** The rules of packs that live has changed, moved or lacks, by their index among the declared rules. */
  readonly astray: readonly number[];
  readonly parted: readonly PartedUse[];
}

/**
 * Puts the list of a file in live order. Every use of a pack stays, at its first live rule or else behind the item before it, since
 * one file must not change what a pack says.
 */
export function placeUses({
  uses,
  items,
  follows,
}: Pick<Origins, 'uses' | 'items'> & { readonly follows: readonly Follow[] }): PlacedList {
  const order: PlacedItem[] = [];
  const right = new Set<number>();
  const parted: PartedUse[] = [];
  /** The last rule seen of each use, and its index among the live rules. */
  const last = new Map<number, { readonly desired: number; readonly at: number }>();
  for (const [at, follow] of follows.entries()) {
    const item = itemOf(follow, items);
    if (follow.kind === 'insert' || item === undefined || !uses.has(item)) {
      order.push({ kind: 'rule', item: item ?? -1, follow });
      continue;
    }
    const before = last.get(item);
    if (before === undefined) {
      order.push({ kind: 'use', item });
    }
    const { desired } = follow;
    const isNext = before === undefined ? items.indexOf(item) === desired : before.desired === desired - 1;
    if (follow.kind === 'keep' && isNext) {
      right.add(desired);
    }
    const between = before === undefined ? [] : follows.slice(before.at + 1, at);
    if (between.length > 0) {
      parted.push({ item, between });
    }
    last.set(item, { desired, at });
  }
  for (const item of uses) {
    if (!last.has(item)) {
      const previous = order.findLastIndex((one) => one.item >= 0 && one.item < item);
      order.splice(previous + 1, 0, { kind: 'use', item });
    }
  }
  const astray = items.flatMap((item, at) =>
    item !== undefined && uses.has(item) && !right.has(at) ? [at] : [],
  );
  return { order, astray, parted };
}

function itemOf(follow: Follow, items: Origins['items']): number | undefined {
  return follow.kind === 'insert' ? undefined : items[follow.desired];
}
