import type { JsonValue } from '../../data/index.ts';
import { canonicalJson, isJsonArray, isJsonObject, jsonEqual, objectOf } from '../../data/index.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { pathKey, withValueAt } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import type { FileNote } from './scope-text.ts';

/** What becomes of a declared ruleset: it is removed, or gets other rules. */
export type RulesetEdit =
  | { readonly kind: 'remove'; readonly ruleset: DeclaredRuleset }
  | {
      readonly kind: 'edit';
      readonly ruleset: DeclaredRuleset;
      readonly items: readonly ItemEdit[];
      /** The wanted description as a file writes it; absent where the description stays. */
      readonly description?: string;
    };

/** What a file says, what it has to say, and how its lists change, by path. */
export interface DesiredFile {
  readonly now: JsonValue;
  readonly next: JsonValue;
  readonly lists: ReadonlyMap<string, readonly ItemEdit[]>;
}

/** Returns what a file has to say once its rulesets are edited. */
export function desiredFile({ value }: YamlDocument, edits: readonly RulesetEdit[]): DesiredFile {
  const lists = new Map<string, readonly ItemEdit[]>();
  let next = value;
  for (const edit of edits) {
    if (edit.kind === 'edit') {
      const { path, rules } = edit.ruleset;
      lists.set(pathKey([...path, 'rules']), edit.items);
      const wanted = wantedItems(
        rules.map((rule) => rule.value),
        edit.items,
      );
      next = withValueAt(next, [...path, 'rules'], wanted);
      next =
        edit.description === undefined ? next : withValueAt(next, [...path, 'description'], edit.description);
    }
  }
  const gone = new Set(edits.flatMap((edit) => (edit.kind === 'remove' ? [edit.ruleset.path[1]] : [])));
  const rulesets = objectOf(next)['rulesets'];
  if (gone.size === 0 || !isJsonObject(next) || !isJsonArray(rulesets)) {
    return { now: value, next, lists };
  }
  const items = [...rulesets.keys()].flatMap((index) =>
    gone.has(index) ? [] : [{ kind: 'keep', index } as const],
  );
  lists.set('rulesets', items);
  const { rulesets: _all, ...rest } = next;
  return {
    now: value,
    next: items.length === 0 ? rest : { ...rest, rulesets: wantedItems(rulesets, items) },
    lists,
  };
}

/** Returns where the value at a path ends up, and what it is then; undefined where it is removed or written anew. */
export function fateOf(
  { now, next, lists }: DesiredFile,
  path: ValuePath,
): { readonly path: ValuePath; readonly value: JsonValue } | undefined {
  const to: (string | number)[] = [];
  let before: JsonValue | undefined = now;
  let after: JsonValue | undefined = next;
  for (const [at, part] of path.entries()) {
    let moved = part;
    if (isJsonArray(before) && isJsonArray(after) && !jsonEqual(before, after)) {
      const items: readonly ItemEdit[] | undefined =
        lists.get(pathKey(path.slice(0, at))) ?? pairItems(before, after);
      moved = items?.findIndex((item) => item.kind !== 'insert' && item.index === part) ?? -1;
    }
    [before, after] = [memberOf(before, part), memberOf(after, moved)];
    to.push(moved);
  }
  return after === undefined ? undefined : { path: to, value: after };
}

function memberOf(value: JsonValue | undefined, part: string | number): JsonValue | undefined {
  if (isJsonArray(value)) {
    return value[Number(part)];
  }
  return isJsonObject(value) ? value[part] : undefined;
}

/** An item of the wanted list: an existing item that stays or changes, or a new one. */
export type ItemEdit =
  | { readonly kind: 'keep'; readonly index: number }
  | {
      readonly kind: 'edit';
      readonly index: number;
      readonly wanted: JsonValue;
      /** Comments for what is written anew, with paths from the item. */
      readonly notes: readonly FileNote[];
    }
  | { readonly kind: 'insert'; readonly wanted: JsonValue; readonly notes: readonly FileNote[] };

/** Returns what a list says once its items are edited. */
export function wantedItems(now: readonly JsonValue[], items: readonly ItemEdit[]): readonly JsonValue[] {
  return items.map((item) => (item.kind === 'keep' ? (now[item.index] ?? null) : item.wanted));
}

/** Keys that identify the items of lists, in rules and beside them. */
const IDENTITY = ['id', 'category', 'name', 'ip', 'hostname', 'source_url'] as const;

/**
 * Returns how one list becomes another: items with the same identity, or else with the same content, are the same item. Undefined where that does
 * not tell the items apart.
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
