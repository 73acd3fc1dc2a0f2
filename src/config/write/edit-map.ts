import type { Node, Pair, YAMLMap } from 'yaml';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { jsonEqual } from '../../data/index.ts';
import type { TextEdit } from '../source/source-text.ts';
import { allPlaced } from '../source/source-text.ts';
import { commentsOf } from '../format/yaml-style.ts';
import { keyName } from '../yaml/yaml-document.ts';
import { commentsBefore, contentEnd, endWithComments, lineEnd, lineStart } from './content-end.ts';
import { editEntries, flowEntries, flowText } from './edit-flow.ts';
import { keptComments, writeInFlow, writePair } from './write-anew.ts';
import { isAboutParameter, isSuppression } from './ruleset-yaml.ts';
import { commentLine } from './scope-text.ts';
import type { FileNote } from './scope-text.ts';
import { pairText } from './snippet.ts';
import type { EditValue, ValueEdit } from './value-edit.ts';

type MapEdit = ValueEdit<JsonObject>;

interface NamedPair {
  readonly name: string;
  readonly pair: Pair<Node, Node | null>;
  readonly value: Node;
}

/** Returns the edits that make a mapping say what is wanted, and touch nothing else in it; undefined where they cannot be placed. */
export function editMap(
  map: YAMLMap<Node, Node | null>,
  edit: MapEdit,
  editValue: EditValue,
): readonly TextEdit[] | undefined {
  const { now, next } = edit;
  const pairs = pairsOf(edit.text, map);
  const stays = pairs?.filter(({ name }) => Object.hasOwn(next, name)) ?? [];
  if (pairs === undefined || stays.length === 0) {
    return undefined;
  }
  const edits: (readonly TextEdit[] | undefined)[] = [];
  for (const { name, pair, value } of stays) {
    const [old, wanted] = [now[name], next[name]];
    if (old !== undefined && wanted !== undefined && !jsonEqual(old, wanted)) {
      const inside = { ...edit, now: old, next: wanted, notes: notesIn(edit.notes, name) };
      const inPlace = editValue(value, inside);
      const fresh = { value: wanted, notes: edit.notes };
      const anew =
        map.flow === true ? writeInFlow(edit.text, value, fresh) : writePair(edit.text, pair, name, fresh);
      // A value that follows an anchor has no text of its own.
      edits.push(
        inPlace?.length === 0 ? [] : suppressions(edit, name, pair.key),
        inPlace ?? (anew === undefined ? undefined : [anew]),
      );
    }
  }
  // Last, so that new keys come behind what is inserted into the values before them.
  edits.push(
    ...(map.flow === true
      ? [entriesInBraces(edit, map, pairs)]
      : [added(edit, pairs, stays), removed(edit, pairs)]),
  );
  return allPlaced(edits);
}

function notesIn(notes: readonly FileNote[], name: string): readonly FileNote[] {
  return notes.flatMap((one) => (one.path[0] === name ? [{ ...one, path: one.path.slice(1) }] : []));
}

/**
 * Returns the edits that put above the line of a new value the comments without which it would be an error; a comment for the same code stays as
 * it is.
 */
function suppressions({ text, notes }: MapEdit, name: string, key: Node): readonly TextEdit[] {
  const line = lineStart(text, key.range?.[0] ?? 0);
  const above = text.slice(commentsBefore(text, line, 0), line);
  const indent = /^ */u.exec(text.slice(line))?.[0] ?? '';
  return notes.flatMap(({ path, text: said }) =>
    path.length === 1 && path[0] === name && isSuppression(said) && !above.includes(said.split(':', 1).join())
      ? [{ start: line, end: line, text: `${indent}${commentLine(said)}\n` }]
      : [],
  );
}

/** Returns the pairs of a mapping; undefined where one has no value or stands behind a question mark. */
function pairsOf(text: string, map: YAMLMap<Node, Node | null>): readonly NamedPair[] | undefined {
  const pairs = map.items.flatMap((pair) => {
    const name = keyName(pair.key);
    const before = text.slice(0, pair.key.range?.[0] ?? 0).trimEnd();
    return name === undefined || pair.value === null || /(?:^|[\s,{])\?$/u.test(before.slice(-2))
      ? []
      : [{ name, pair, value: pair.value }];
  });
  return pairs.length === map.items.length ? pairs : undefined;
}

/** Returns the new keys, each with the last key before it that exists already; undefined for keys that come first. */
function newKeys({
  now,
  next,
}: MapEdit): readonly (readonly [name: string, value: JsonValue, before: string | undefined])[] {
  const order = Object.keys(next);
  return Object.entries(next).flatMap(([name, value]) => {
    const before = order.slice(0, order.indexOf(name)).findLast((key) => Object.hasOwn(now, key));
    return Object.hasOwn(now, name) ? [] : [[name, value, before] as const];
  });
}

function entriesInBraces(
  edit: MapEdit,
  map: YAMLMap<Node, Node | null>,
  pairs: readonly NamedPair[],
): readonly TextEdit[] | undefined {
  const { text, next } = edit;
  const ends = pairs.map(({ value }) => contentEnd(text, value));
  const fresh = newKeys(edit);
  const after = (name: string | undefined): readonly string[] =>
    fresh.flatMap(([key, value, before]) =>
      before === name ? [`${flowText(key)}: ${flowText(value)}`] : [],
    );
  const wanted = pairs.flatMap(({ name }, at) => [
    ...(Object.hasOwn(next, name) ? [at] : []),
    ...after(name),
  ]);
  return editEntries(text, flowEntries(text, map.range?.[0] ?? 0, ends), [...after(undefined), ...wanted]);
}

/** Returns the edits that add new keys, each behind the nearest existing key before it. */
function added(
  edit: MapEdit,
  pairs: readonly NamedPair[],
  stays: readonly NamedPair[],
): readonly TextEdit[] | undefined {
  const { text, notes } = edit;
  const [first] = pairs;
  const start = first?.pair.key.range?.[0];
  if (start === undefined) {
    return undefined;
  }
  const column = start - lineStart(text, start);
  return newKeys(edit).flatMap(([name, value, before]) => {
    const place = pairs.find((one) => one.name === before) ?? stays.at(-1);
    const end = place === undefined ? 0 : endWithComments(text, contentEnd(text, place.value), column);
    return place === undefined
      ? []
      : [{ start: end, end, text: `\n${' '.repeat(column)}${pairText(name, value, notes, column)}` }];
  });
}

function removed({ text, next }: MapEdit, pairs: readonly NamedPair[]): readonly TextEdit[] | undefined {
  const edits: (TextEdit | undefined)[] = [];
  const [first] = pairs;
  const isDashed = first !== undefined && !isAlone(text, first.pair.key);
  const head = isDashed ? pairs.findIndex(({ name }) => Object.hasOwn(next, name)) : 0;
  if (head > 0) {
    edits.push(removeHead(text, pairs.slice(0, head + 1)));
  }
  for (const { name, pair, value } of pairs.slice(head)) {
    if (!Object.hasOwn(next, name)) {
      edits.push(isAlone(text, pair.key) ? removeLines(text, pair.key, value) : undefined);
    }
  }
  return allPlaced(edits);
}

/** Whether nothing stands before a key on its line. */
function isAlone(text: string, key: Node): boolean {
  const start = key.range?.[0] ?? 0;
  return text.slice(lineStart(text, start), start).trim() === '';
}

/** Removes the first keys, which may stand behind a dash; the next key takes their place. Undefined where a comment would be lost. */
function removeHead(text: string, pairs: readonly NamedPair[]): TextEdit | undefined {
  const start = pairs[0]?.pair.key.range?.[0];
  const end = pairs.at(-1)?.pair.key.range?.[0];
  return start === undefined || end === undefined || commentsOf(text.slice(start, end)).length > 0
    ? undefined
    : { start, end, text: '' };
}

/** Removes the lines of a key and its value, with the comments behind them; comments on lines of their own stay. */
function removeLines(text: string, key: Node, value: Node): TextEdit {
  const end = lineEnd(text, contentEnd(text, value));
  const line = lineStart(text, key.range?.[0] ?? 0);
  const before = text.lastIndexOf('\n', line - 2) + 1;
  const from = isAboutParameter(text.slice(before, line)) ? before : line;
  const indent = text.slice(line, key.range?.[0]);
  const lines = text.slice(line, end);
  const own = new Set(lines.split('\n').map((one) => one.trim()));
  const kept = keptComments('', lines).flatMap((comment) =>
    own.has(comment) ? [`${indent}${comment}\n`] : [],
  );
  return { start: from, end: Math.min(end + 1, text.length), text: kept.join('') };
}
