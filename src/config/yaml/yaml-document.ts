import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Alias, Node, Scalar } from 'yaml';

import type { JsonValue } from '../../model/json.ts';
import type { SourceSpan } from '../../model/source.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { pairOf } from './pair-of.ts';

/** Keys and indexes from the top of a document down to a value. */
export type ValuePath = readonly (string | number)[];

/** A parsed file: its plain value, and the way back from any place in the value to the text. */
export interface YamlDocument {
  readonly source: SourceText;
  readonly value: JsonValue;
  readonly root: Node;
  /** What each alias stands for. */
  readonly aliases: ReadonlyMap<Alias, Node>;
  /** Lists with items that come from elsewhere, by their path (`pathKey`): where each item stands. */
  readonly grafts?: ReadonlyMap<string, readonly Graft[]>;
  /** Texts that variables were put into, by their path; `broken` where that went wrong. */
  readonly filled?: ReadonlyMap<string, FilledText | 'broken'>;
}

/** Where an item of a composed list stands, and where what it came through was used, outermost last. */
export interface Graft {
  readonly document: YamlDocument;
  readonly path: ValuePath;
  readonly via: readonly SourceSpan[];
}

/** A text that variables were put into: which stretch of it comes from which stretch of the text in the file. */
export type FilledText = readonly FilledPiece[];

/** Offsets count UTF-16 units. */
export interface FilledPiece {
  /** In the text as it is. */
  readonly start: number;
  readonly end: number;
  /** In the text of the file. */
  readonly from: number;
  readonly to: number;
  /** Whether both stretches are the same, unit by unit. */
  readonly same: boolean;
  /** What was put in; absent for text of the file. */
  readonly variable?: FilledVariable | undefined;
}

/** A variable as far as it matters where it came from. */
export interface FilledVariable {
  readonly name: string;
  /** Where it is declared. */
  readonly where: SourceSpan;
  /** Where its value stands, through variables that are nothing but another one; absent when no file has it. */
  readonly value?: Graft;
}

/** A path as a key of maps. */
export function pathKey(path: ValuePath): string {
  return path.join('/');
}

/** A place of a document as the file has it that it comes from: a document without grafts, and the path there. */
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
 * Where a finding about a value points: a scalar itself, for a collection the key that holds it or, in a
 * list, its first key. A path that leads nowhere points at the nearest value above.
 */
export function locateValue(document: YamlDocument, path: ValuePath): SourceSpan {
  const place = settle(document, path);
  const found = descend(place.document, place.path);
  const value = found.value === undefined ? undefined : resolve(place.document, found.value);
  return spanOf(place, isScalar(value) ? value : (found.key ?? firstKey(value) ?? value));
}

/** Where the key at the end of a path stands; for an item of a list the item. */
export function locateKey(document: YamlDocument, path: ValuePath): SourceSpan {
  const place = settle(document, path);
  const found = descend(place.document, place.path);
  const value = found.value === undefined ? undefined : resolve(place.document, found.value);
  return spanOf(place, found.key ?? firstKey(value) ?? value);
}

/** The scalar at a path, aliases followed; absent when there is none. */
export function scalarAt(document: YamlDocument, path: ValuePath): Scalar | undefined {
  const place = settle(document, path);
  const { value, reached } = descend(place.document, place.path);
  const node = value === undefined ? undefined : resolve(place.document, value);
  return reached && isScalar(node) ? node : undefined;
}

/** The node at a path, an alias as it stands there; absent when there is none. */
export function nodeAt(document: YamlDocument, path: ValuePath): Node | undefined {
  const { value, reached } = descend(document, path);
  return reached ? value : undefined;
}

/** The alias that stands at the end of a path, its name and place; absent when the value itself does. */
export function aliasAt(
  document: YamlDocument,
  path: ValuePath,
): { readonly name: string; readonly where: SourceSpan } | undefined {
  const place = settle(document, path);
  const { value, reached } = descend(place.document, place.path);
  return reached && isAlias(value) ? { name: value.source, where: spanOf(place, value) } : undefined;
}

/** Whether aliases stand for a node as well: a change of it would reach every place where they do. */
export function isShared({ aliases }: YamlDocument, node: Node | undefined): boolean {
  return node?.anchor !== undefined && [...aliases.values()].includes(node);
}

interface Descent {
  readonly key: Node | undefined;
  readonly value: Node | undefined;
  /** Whether the whole path was there. */
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

/** A span, and the uses that it came through. */
export function throughUses(where: SourceSpan, via: readonly SourceSpan[]): SourceSpan {
  return via.length === 0 ? where : { ...where, via };
}
