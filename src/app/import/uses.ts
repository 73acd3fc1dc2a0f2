import type { DeclaredRuleset } from '../../config/project/scope-file.ts';
import { locateKey, locateValue } from '../../config/yaml/yaml-document.ts';
import type { DesiredRule } from '../../model/rule.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import type { Follow } from '../../plan/difference/follow-live.ts';

/** Where the declared rules of a ruleset stand in the list of its file. Items count in that list. */
interface Origins {
  /** The items that are uses of packs. */
  readonly uses: ReadonlySet<number>;
  /** The item that each declared rule comes from: the rule itself, or the use of a pack; nothing where that is elsewhere. */
  readonly items: readonly (number | undefined)[];
  /** Whether each item has a place of its own. */
  readonly isWhole: boolean;
}

/** Finds the items of a file's list that rules come from, by the places that both name. */
export function originsOf({ rules }: DesiredRuleset, { document, rules: items }: DeclaredRuleset): Origins {
  const uses = new Set(items.flatMap(({ value }, index) => (Object.hasOwn(value, 'use') ? [index] : [])));
  const places = new Map(
    items.map(({ path }, index) => {
      const { start } = uses.has(index) ? locateValue(document, [...path, 'use']) : locateKey(document, path);
      return [placeOf(start), index];
    }),
  );
  const itemOf = ({ cause }: DesiredRule): number | undefined => {
    if ('version' in cause) {
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

/**
 * The list of a file in the order of live. Every use of a pack stays, where its first rule is live, or else behind the item before it:
 * what a pack says is not one file's to change. `astray` are the rules of packs that live does not have as the pack has them, by
 * their index among the declared.
 */
export function placeUses({
  uses,
  items,
  follows,
}: Pick<Origins, 'uses' | 'items'> & { readonly follows: readonly Follow[] }): {
  readonly order: readonly PlacedItem[];
  readonly astray: readonly number[];
} {
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
