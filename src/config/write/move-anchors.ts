import { isAlias, isMap, isSeq } from 'yaml';
import type { Node, Pair } from 'yaml';
import { groupBy, jsonEqual } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { TextEdit } from '../source/source-text.ts';
import { allPlaced } from '../source/source-text.ts';
import { keyName, pathKey } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { contentEnd, lineStart } from './content-end.ts';
import type { DesiredFile } from './desired-file.ts';
import { fateOf } from './desired-file.ts';
import { freshItem, writeInFlow, writePair } from './write-anew.ts';

/** A node with an anchor, or an alias, and its place. */
interface AnchorNode {
  readonly node: Node;
  readonly path: ValuePath;
  readonly pair: Pair<Node, Node | null> | undefined;
  readonly inFlow: boolean;
  /** Its position in document order once the file is edited; absent where it is removed. */
  readonly order: readonly number[] | undefined;
  /** Its value once the file is edited. */
  readonly next: JsonValue | undefined;
}

/** A value that aliases repeat. */
interface AliasedValue {
  readonly name: string;
  readonly anchor: AnchorNode;
  readonly aliases: readonly AnchorNode[];
  readonly now: JsonValue;
}

/** Returns the aliases whose wanted value is what their anchored value becomes: they need no change. */
export function followersOf(document: YamlDocument, wish: DesiredFile): ReadonlySet<Node> {
  return new Set(
    sharedIn(document, wish).flatMap(({ anchor, aliases }) =>
      aliases.flatMap(({ node, next }) => (jsonEqual(anchor.next, next) ? [node] : [])),
    ),
  );
}

/**
 * Returns the edits of anchors and aliases that allow a file to be changed to what is wanted, without changing what it says yet. Where a value
 * that aliases repeat changes, moves or goes, the first of these aliases gets the value and the anchor. With `apart`, every value that the change
 * involves is written out. Undefined where the edits cannot be placed.
 */
export function moveAnchors(
  document: YamlDocument,
  wish: DesiredFile,
  mode: 'hand-over' | 'apart',
): readonly TextEdit[] | undefined {
  const edits = sharedIn(document, wish).flatMap((shared): readonly (TextEdit | undefined)[] => {
    const { text } = document.source;
    if (mode === 'apart' && isNear(shared, wish)) {
      return writeOut(text, shared, shared.aliases);
    }
    return isTouched(shared) ? handOver(text, shared) : [];
  });
  return allPlaced(edits);
}

function isTouched({ anchor, aliases, now }: AliasedValue): boolean {
  const all = [anchor, ...aliases];
  return all.some(({ next }) => !jsonEqual(next, now)) || !isInOrder(all);
}

/** Whether a list that changes holds the value or one of its aliases, or the value itself is touched. */
function isNear(shared: AliasedValue, { lists }: DesiredFile): boolean {
  const inLists = [shared.anchor, ...shared.aliases].some(({ path }) =>
    [...lists.keys()].some((list) => `${pathKey(path)}/`.startsWith(`${list}/`)),
  );
  return inLists || isTouched(shared);
}

function isInOrder(places: readonly AnchorNode[]): boolean {
  return places.every(({ order }, at) => at === 0 || before(places[at - 1]?.order, order) <= 0);
}

function before(a: readonly number[] | undefined, b: readonly number[] | undefined): number {
  const differs = a?.findIndex((number, at) => number !== b?.[at]) ?? -1;
  return differs === -1 ? 0 : (a?.[differs] ?? 0) - (b?.[differs] ?? 0);
}

function handOver(text: string, shared: AliasedValue): readonly (TextEdit | undefined)[] {
  const { name, anchor, aliases, now } = shared;
  const stay = aliases.filter(({ next }) => jsonEqual(next, now));
  const isAsIs = jsonEqual(anchor.next, now);
  const follow = isAsIs
    ? []
    : aliases.filter(({ next }) => next !== undefined && jsonEqual(next, anchor.next));
  if (
    !isInOrder([anchor, ...(isAsIs ? stay : follow)].filter(({ order }) => order !== undefined)) ||
    !isInOrder(stay)
  ) {
    return writeOut(text, shared, [...stay, ...follow]);
  }
  if (isAsIs) {
    return [];
  }
  if (follow.length > 0) {
    return stay.map((place) => write(text, place, now));
  }
  const [first, ...others] = stay;
  return [
    withoutAnchor(text, shared),
    ...(first === undefined ? [] : [write(text, first, now, others.length > 0 ? name : undefined)]),
    // Aliases that change or go would lack their anchor until they do.
    ...aliases.filter((place) => !stay.includes(place)).map((place) => write(text, place, now)),
  ];
}

/** Writes out the value at all these places, and removes its anchor. */
function writeOut(
  text: string,
  shared: AliasedValue,
  places: readonly AnchorNode[],
): readonly (TextEdit | undefined)[] {
  return [withoutAnchor(text, shared), ...places.map((place) => write(text, place, shared.now))];
}

function write(
  text: string,
  { node, pair, inFlow }: AnchorNode,
  value: JsonValue,
  anchor?: string,
): TextEdit | undefined {
  const fresh = { value, notes: [], anchor };
  if (inFlow) {
    return writeInFlow(text, node, fresh);
  }
  if (pair !== undefined) {
    return writePair(text, pair, keyName(pair.key) ?? '', fresh);
  }
  const start = text.lastIndexOf('-', node.range?.[0] ?? 0);
  const column = start - lineStart(text, start);
  return { start, end: contentEnd(text, node), text: freshItem(fresh, column, 'block') };
}

/** Removes an anchor with the blank behind it; an item keeps its column. */
function withoutAnchor(text: string, { name, anchor: { node, pair } }: AliasedValue): TextEdit | undefined {
  const end = node.range?.[0] ?? 0;
  const start = text.lastIndexOf(`&${name}`, end);
  const behind = start + name.length + 1;
  const between = text.slice(behind, end);
  if (start === -1 || !/^(?:\s|#[^\n]*\n)*$/u.test(between)) {
    return undefined;
  }
  if (!between.includes('\n')) {
    return { start, end, text: '' };
  }
  if (pair !== undefined || between.includes('#')) {
    return { start: text[start - 1] === ' ' ? start - 1 : start, end: behind, text: '' };
  }
  const from = text.lastIndexOf('-', start) + 1;
  const column = end - lineStart(text, end);
  return { start: from, end, text: ' '.repeat(column - (from - lineStart(text, from))) };
}

/** Returns all values of a document that aliases repeat. */
function sharedIn(document: YamlDocument, wish: DesiredFile): readonly AliasedValue[] {
  const aliases = groupBy(document.aliases, ([, target]) => target);
  const places = aliases.size === 0 ? new Map<Node, AnchorNode>() : placesIn(document, wish, aliases);
  return [...aliases].flatMap(([target, all]): readonly AliasedValue[] => {
    const anchor = places.get(target);
    const name = isAlias(target) ? undefined : target.anchor;
    return anchor === undefined || name === undefined
      ? []
      : [
          {
            name,
            anchor,
            aliases: all.flatMap(([alias]) => places.get(alias) ?? []),
            now: fateOf({ ...wish, next: wish.now }, anchor.path)?.value ?? null,
          },
        ];
  });
}

function placesIn(
  { root, aliases }: YamlDocument,
  wish: DesiredFile,
  anchored: ReadonlyMap<Node, unknown>,
): ReadonlyMap<Node, AnchorNode> {
  const places = new Map<Node, AnchorNode>();
  const visit = (
    node: Node | null,
    at: Pick<AnchorNode, 'path' | 'pair' | 'inFlow'> & { readonly indexes: readonly number[] },
  ): void => {
    if (node === null) {
      return;
    }
    const { indexes, ...place } = at;
    if (anchored.has(node) || (isAlias(node) && aliases.has(node))) {
      const fate = fateOf(wish, place.path);
      const order = indexes.map((index, depth) => {
        const part = fate?.path[depth];
        return typeof part === 'number' ? part : index;
      });
      places.set(node, { ...place, node, order: fate === undefined ? undefined : order, next: fate?.value });
    }
    if (isMap<Node, Node | null>(node)) {
      for (const [index, pair] of node.items.entries()) {
        const path = [...place.path, keyName(pair.key) ?? ''];
        visit(pair.value, {
          path,
          pair,
          inFlow: place.inFlow || node.flow === true,
          indexes: [...indexes, index],
        });
      }
    } else if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries()) {
        const path = [...place.path, index];
        const inFlow = place.inFlow || node.flow === true;
        visit(item, { path, pair: undefined, inFlow, indexes: [...indexes, index] });
      }
    }
  };
  visit(root, { path: [], pair: undefined, inFlow: false, indexes: [] });
  return places;
}
