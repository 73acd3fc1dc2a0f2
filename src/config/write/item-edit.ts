import type { JsonValue } from '../../model/json.ts';
import { canonicalJson, isJsonObject } from '../../model/json.ts';
import type { FileNote } from './scope-text.ts';

/** An item of a list as it is to be: one that is there and stays or changes, or a new one. */
export type ItemEdit =
  | { readonly kind: 'keep'; readonly index: number }
  | {
      readonly kind: 'edit';
      readonly index: number;
      readonly wanted: JsonValue;
      /** Comments of what is written anew, with paths from the item. */
      readonly notes: readonly FileNote[];
    }
  | { readonly kind: 'insert'; readonly wanted: JsonValue; readonly notes: readonly FileNote[] };

/** What a list says once its items are as they are to be. */
export function wantedItems(now: readonly JsonValue[], items: readonly ItemEdit[]): readonly JsonValue[] {
  return items.map((item) => (item.kind === 'keep' ? (now[item.index] ?? null) : item.wanted));
}

/** What the items of lists in rules are known by. */
const IDENTITY = ['id', 'category', 'name'] as const;

/**
 * How one list becomes another: items with the same identity, or else the same content, are the same item. Undefined where that does
 * not tell them apart.
 */
export function pairItems(
  now: readonly JsonValue[],
  next: readonly JsonValue[],
  notes: readonly FileNote[] = [],
): readonly ItemEdit[] | undefined {
  const places = new Map(now.map((value, index) => [identity(value), { value, index }]));
  if (places.size < now.length || new Set(next.map(identity)).size < next.length) {
    return undefined;
  }
  return next.map((wanted, at): ItemEdit => {
    const place = places.get(identity(wanted));
    const about = notes.flatMap((one) => (one.path[0] === at ? [{ ...one, path: one.path.slice(1) }] : []));
    if (place === undefined) {
      return { kind: 'insert', wanted, notes: about };
    }
    return canonicalJson(place.value) === canonicalJson(wanted)
      ? { kind: 'keep', index: place.index }
      : { kind: 'edit', index: place.index, wanted, notes: about };
  });
}

function identity(value: JsonValue): string {
  const key = isJsonObject(value) ? IDENTITY.find((name) => typeof value[name] === 'string') : undefined;
  return canonicalJson(key !== undefined && isJsonObject(value) ? { [key]: value[key] } : value);
}
