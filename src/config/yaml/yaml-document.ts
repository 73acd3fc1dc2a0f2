import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Alias, Node, Scalar, Pair, YAMLMap } from 'yaml';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { SourceSpan } from '../../model/index.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { memoiseWeakly, isJsonArray, isJsonObject } from '../../data/index.ts';

/** Returns a key as JSON has it; undefined when it cannot be one. A number counts by its text, so that an id made of digits stays what it is. */
export function keyName(key: Node | null): string | undefined {
  if (!isScalar(key) || key.value === null) {
    return undefined;
  }
  return typeof key.value === 'string' ? key.value : key.source;
}

type Mapping = YAMLMap<Node, Node | null>;

/** Mappings with more pairs than this are indexed by key, since many findings may lie in one. */
const MANY_PAIRS = 32;

/** For large mappings only: what is attached to a map of the whole run outlives all young-generation collections. */
const indexOf = memoiseWeakly(
  (map: Mapping): ReadonlyMap<string | undefined, Pair<Node, Node | null>> =>
    new Map(map.items.map((pair) => [keyName(pair.key), pair])),
);

/** Returns the pair of a mapping that has a key. */
export function pairOf(map: Mapping, key: string): Pair<Node, Node | null> | undefined {
  return map.items.length <= MANY_PAIRS
    ? map.items.find((pair) => keyName(pair.key) === key)
    : indexOf(map).get(key);
}

/** Keys and indexes from the top of a document down to a value. */
export type ValuePath = readonly (string | number)[];

/** A parsed file: its plain value, and the way back from any place in the value to the text. */
export interface YamlDocument {
  readonly source: SourceText;
  readonly value: JsonValue;
  readonly root: Node;
  /** The node that each alias stands for. */
  readonly aliases: ReadonlyMap<Alias, Node>;
  /** For lists with items from elsewhere, by the path of the list (`pathKey`): where each item is written. */
  readonly grafts?: ReadonlyMap<string, readonly Graft[]>;
  /** Texts that variables were put into, by path (`pathKey`); `broken` where a variable could not be put in. */
  readonly filled?: ReadonlyMap<string, FilledText | 'broken'>;
}

/** Where an item of a composed list is written, and where each pack that it came through was used, outermost last. */
export interface Graft {
  readonly document: YamlDocument;
  readonly path: ValuePath;
  readonly via: readonly SourceSpan[];
  /** The windows of the uses of packs that it came through, outermost first; absent where none has one. */
  readonly windows?: readonly WrittenWindow[];
}

/** An `active` with variables put in, and where it is written. */
export interface WrittenWindow {
  readonly place: Graft;
  readonly value: JsonObject;
}

/** A text that variables were put into: which stretch of it comes from which stretch of the file's text. */
export type FilledText = readonly FilledPiece[];

/** A stretch of a filled text and its origin; offsets count UTF-16 units. */
export interface FilledPiece {
  /** Offsets in the filled text. */
  readonly start: number;
  readonly end: number;
  /** Offsets in the file's text. */
  readonly from: number;
  readonly to: number;
  /** Whether both stretches are equal, unit by unit. */
  readonly same: boolean;
  /** The variable that was put in; absent for text of the file. */
  readonly variable?: FilledVariable | undefined;
}

/** A variable, with what is needed to tell where its text came from. */
export interface FilledVariable {
  readonly name: string;
  /** Where it is declared. */
  readonly where: SourceSpan;
  /** Where its value is written, followed through variables that are nothing but another variable; absent when no file has the value. */
  readonly value?: Graft;
}

/** Returns a path as a key for maps. */
export function pathKey(path: ValuePath): string {
  return path.join('/');
}

/** Resolves a path to the file that its value comes from: a document without grafts, and the path there. */
export function settle(document: YamlDocument, path: ValuePath): Graft {
  if (document.grafts !== undefined) {
    for (const [at, part] of path.entries()) {
      const index = Number(part);
      const graft = Number.isInteger(index)
        ? document.grafts.get(pathKey(path.slice(0, at)))?.[index]
        : undefined;
      if (graft !== undefined) {
        return { ...graft, path: [...graft.path, ...path.slice(at + 1)] };
      }
    }
  }
  return { document, path, via: [] };
}

/**
 * Returns where a finding about a value points: at a scalar itself; for a collection, at the key that holds it or, in a list, at its first key. A
 * path that leads nowhere points at the nearest value above.
 */
export function locateValue(document: YamlDocument, path: ValuePath): SourceSpan {
  const place = settle(document, path);
  const found = descend(place.document, place.path);
  const value = found.value === undefined ? undefined : resolve(place.document, found.value);
  return spanOf(place, isScalar(value) ? value : (found.key ?? firstKey(value) ?? value));
}

/** Returns where the key at the end of a path stands; for an item of a list, where the item does. */
export function locateKey(document: YamlDocument, path: ValuePath): SourceSpan {
  const place = settle(document, path);
  const found = descend(place.document, place.path);
  const value = found.value === undefined ? undefined : resolve(place.document, found.value);
  return spanOf(place, found.key ?? firstKey(value) ?? value);
}

/** Returns the scalar at a path, with aliases followed; undefined when there is none. */
export function scalarAt(document: YamlDocument, path: ValuePath): Scalar | undefined {
  const place = settle(document, path);
  const { value, reached } = descend(place.document, place.path);
  const node = value === undefined ? undefined : resolve(place.document, value);
  return reached && isScalar(node) ? node : undefined;
}

/** Returns the node at a path, an alias as it stands there; undefined when there is none. */
export function nodeAt(document: YamlDocument, path: ValuePath): Node | undefined {
  const { value, reached } = descend(document, path);
  return reached ? value : undefined;
}

/** Returns the name and place of the alias at the end of a path; undefined when the value itself stands there. */
export function aliasAt(
  document: YamlDocument,
  path: ValuePath,
): { readonly name: string; readonly where: SourceSpan } | undefined {
  const place = settle(document, path);
  const { value, reached } = descend(place.document, place.path);
  return reached && isAlias(value) ? { name: value.source, where: spanOf(place, value) } : undefined;
}

/** Whether aliases stand for a node too: changing the node would change all their places. */
export function isShared({ aliases }: YamlDocument, node: Node | undefined): boolean {
  return node?.anchor !== undefined && [...aliases.values()].includes(node);
}

interface Descent {
  readonly key: Node | undefined;
  readonly value: Node | undefined;
  /** Whether the whole path exists. */
  readonly reached: boolean;
}

function descend(document: YamlDocument, path: ValuePath): Descent {
  let key: Node | undefined;
  let value: Node | undefined = document.root;
  for (const part of path) {
    const node: Node = resolve(document, value);
    const item = isSeq<Node>(node) ? node.items[Number(part)] : undefined;
    const pair = isMap<Node, Node | null>(node) ? pairOf(node, String(part)) : undefined;
    if (item === undefined && pair === undefined) {
      return { key, value, reached: false };
    }
    key = pair?.key;
    value = item ?? pair?.value ?? undefined;
    if (value === undefined) {
      break;
    }
  }
  return { key, value, reached: true };
}

function resolve(document: YamlDocument, node: Node): Node {
  let current = node;
  for (let hops = 0; isAlias(current) && hops < document.aliases.size; hops += 1) {
    current = document.aliases.get(current) ?? current;
    if (hops > 0 && current === node) {
      break;
    }
  }
  return current;
}

function firstKey(node: Node | undefined): Node | undefined {
  const first = isMap<Node, Node>(node) ? node.items[0] : undefined;
  return isPair<Node>(first) ? first.key : undefined;
}

function spanOf({ document, via }: Graft, node: Node | undefined): SourceSpan {
  const [start, end] = node?.range ?? [0, 0];
  return throughUses(spanAt(document.source, start, end), via);
}

/** Returns a span with the uses that it came through. */
export function throughUses(where: SourceSpan, via: readonly SourceSpan[]): SourceSpan {
  return via.length === 0 ? where : { ...where, via };
}

/** Returns a value with another one at a path in it. Everything on the way has to exist; the last key of a mapping may be new. */
export function withValueAt(value: JsonValue, [part, ...rest]: ValuePath, wanted: JsonValue): JsonValue {
  if (part === undefined) {
    return wanted;
  }
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === Number(part) ? withValueAt(item, rest, wanted) : item));
  }
  return isJsonObject(value) ? { ...value, [part]: withValueAt(value[part] ?? null, rest, wanted) } : value;
}

/** Returns the value at a path; undefined where the path leads nowhere. */
export function valueAt(value: JsonValue, path: ValuePath): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const part of path) {
    current = isJsonArray(current)
      ? current[Number(part)]
      : isJsonObject(current)
        ? current[part]
        : undefined;
  }
  return current;
}
