import { isMap, isScalar } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';

import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonObject, jsonEqual } from '../../model/json.ts';
import type { TextEdit } from '../fix/edit-scalar.ts';
import { keyName } from '../yaml/key-name.ts';
import { contentEnd, lineEnd, lineStart } from './content-end.ts';
import { withKeptComments } from './kept-comments.ts';
import { isAboutParameter } from './rule-document.ts';
import type { FileNote } from './scope-text.ts';
import { pairText } from './snippet.ts';

/** What a mapping is to become. */
export interface MapEdit {
  readonly text: string;
  readonly map: YAMLMap<Node, Node | null>;
  /** Its value now. */
  readonly value: JsonObject;
  readonly wanted: JsonObject;
  /** The keys that may change; all unless given. */
  readonly keys?: ReadonlySet<string>;
  /** Comments of what is written anew, with paths from the mapping. */
  readonly notes: readonly FileNote[];
}

/** The edits that make a mapping say what is wanted, and touch nothing else of it; undefined where they cannot be placed. */
export function editMap(edit: MapEdit): readonly TextEdit[] | undefined {
  const { map, value, wanted, keys } = edit;
  const pairs = pairsOf(map);
  if (map.flow === true || pairs === undefined) {
    return undefined;
  }
  const names = new Set(
    [...Object.keys(value), ...Object.keys(wanted)].filter((name) => keys?.has(name) ?? true),
  );
  const edits: TextEdit[] = [];
  for (const name of names) {
    const made = editKey(edit, pairs, name);
    if (made === undefined) {
      return undefined;
    }
    edits.push(...made);
  }
  return edits;
}

type Pairs = ReadonlyMap<string, Pair<Node, Node | null>>;

function pairsOf(map: YAMLMap<Node, Node | null>): Pairs | undefined {
  const named = map.items.map((pair) => [keyName(pair.key), pair] as const);
  return named.every((one): one is readonly [string, Pair<Node, Node | null>] => one[0] !== undefined)
    ? new Map(named)
    : undefined;
}

function editKey(edit: MapEdit, pairs: Pairs, name: string): readonly TextEdit[] | undefined {
  const { value, wanted } = edit;
  const [now, next] = [value[name], wanted[name]];
  const pair = pairs.get(name);
  if (jsonEqual(now, next)) {
    return [];
  }
  if (next === undefined) {
    return pair === undefined ? [] : removePair(edit, pairs, pair);
  }
  return pair === undefined ? addPair(edit, pairs, name, next) : replacePair(edit, { pair, name, now, next });
}

function removePair(
  { text }: MapEdit,
  pairs: Pairs,
  pair: Pair<Node, Node | null>,
): readonly TextEdit[] | undefined {
  const start = pair.key.range?.[0];
  // What stands behind the first key's dash cannot go alone.
  if (start === undefined || pair === [...pairs.values()][0]) {
    return undefined;
  }
  const end = lineEnd(text, contentEnd(text, pair.value ?? pair.key));
  const line = lineStart(text, start);
  const before = text.lastIndexOf('\n', line - 2) + 1;
  const from = isAboutParameter(text.slice(before, line)) ? before : line;
  return text.slice(line, start).trim() === ''
    ? [{ start: from, end: Math.min(end + 1, text.length), text: '' }]
    : undefined;
}

/** A new key goes behind the nearest one before it. */
function addPair(
  { text, wanted, notes }: MapEdit,
  pairs: Pairs,
  name: string,
  next: JsonValue,
): readonly TextEdit[] | undefined {
  const order = Object.keys(wanted);
  const before = order
    .slice(0, order.indexOf(name))
    .reverse()
    .find((key) => pairs.has(key));
  const stays = [...pairs].reverse().find(([key]) => Object.hasOwn(wanted, key))?.[1];
  const pair = pairs.get(before ?? '') ?? stays;
  const start = [...pairs.values()][0]?.key.range?.[0];
  if (pair === undefined || start === undefined) {
    return undefined;
  }
  const column = start - lineStart(text, start);
  const end = lineEnd(text, contentEnd(text, pair.value ?? pair.key));
  return [{ start: end, end, text: `\n${' '.repeat(column)}${pairText(name, next, notes, column)}` }];
}

function replacePair(
  edit: MapEdit,
  about: {
    readonly pair: Pair<Node, Node | null>;
    readonly name: string;
    readonly now: JsonValue | undefined;
    readonly next: JsonValue;
  },
): readonly TextEdit[] | undefined {
  const { text, notes } = edit;
  const { pair, name, now, next } = about;
  const { key, value: node } = pair;
  const start = key.range?.[0];
  if (start === undefined || node === null || node.range === null || node.range === undefined) {
    return undefined;
  }
  if (isMap<Node, Node | null>(node) && isJsonObject(now) && isJsonObject(next)) {
    const inner = notes.flatMap((one) => (one.path[0] === name ? [{ ...one, path: one.path.slice(1) }] : []));
    const deeper = editMap({ text, map: node, value: now, wanted: next, notes: inner });
    if (deeper !== undefined) {
      return deeper;
    }
  }
  const column = start - lineStart(text, start);
  const fresh = pairText(name, next, notes, column);
  const end = contentEnd(text, node);
  const rest = text.slice(end, lineEnd(text, end));
  if (!fresh.includes('\n') && isScalar(node) && !text.slice(start, end).includes('\n')) {
    const colon = fresh.indexOf(': ');
    return [{ start: node.range[0], end, text: fresh.slice(colon + 2) }];
  }
  const kept = withKeptComments(fresh, text.slice(start, end), column);
  if (!fresh.includes('\n')) {
    return [{ start, end, text: kept }];
  }
  // Comments behind the old value, on its line and on deeper ones below, would become part of a new one of several lines.
  const below =
    new RegExp(`^(?:\\r?\\n {${column + 1},}#.*)*`, 'u').exec(text.slice(end + rest.length))?.[0] ?? '';
  const behind = `${rest}${below}`.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return behind.length === 0
    ? [{ start, end, text: kept }]
    : [
        {
          start,
          end: end + rest.length + below.length,
          text: [...behind, kept].join(`\n${' '.repeat(column)}`),
        },
      ];
}
