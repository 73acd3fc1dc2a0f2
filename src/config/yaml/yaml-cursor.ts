import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Node, Scalar } from 'yaml';
import { isJsonObject, omit } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { sourceText } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { composeLeniently } from './parse-yaml.ts';
import { YAML_LIMITS, readValue } from './read-value.ts';
import type { ValuePath } from './yaml-document.ts';
import { keyName, valueAt, withValueAt } from './yaml-document.ts';

/** Where the cursor of an editor is in a text that may be unfinished. */
export interface YamlCursor {
  /** `key`: in a key of the mapping at the path. `value`: in the text at the path. */
  readonly part: 'key' | 'value';
  readonly path: ValuePath;
  /** The key or text as it is so far, and the offset of the cursor in it, in UTF-16 units. */
  readonly text: string;
  readonly at: number;
  /** Whether a word alone on its line, which so far is a text, may become a key. */
  readonly mayBeKey: boolean;
  /** The value of the whole document, as far as it can be made out; a key that holds the cursor is not in it. */
  readonly value: JsonValue;
}

/** Stands for the cursor while the text is read: the first character of private use that the text does not have. */
function markFor(text: string): string | undefined {
  for (let code = 0xe000; code < 0xe100; code += 1) {
    const mark = String.fromCharCode(code);
    if (!text.includes(mark)) {
      return mark;
    }
  }
  return undefined;
}

/**
 * Finds out where an offset is in a YAML text, finished or not: a mark is put there, and looked for in what a lenient parser makes of the text.
 * Undefined where the text says too little, or too much.
 */
export function cursorAt({ path, text }: SourceText, offset: number): YamlCursor | undefined {
  const mark = markFor(text);
  if (mark === undefined || text.length > YAML_LIMITS.fileBytes) {
    return undefined;
  }
  const line = lineAround(text, offset);
  const read = (behind: string): Reading | undefined =>
    readMarked(sourceText(path, text.slice(0, offset) + mark + behind + text.slice(offset)), mark);
  const plain = read('');
  if (!line.isLone) {
    return plain && cursorOf(plain, { mark, mayBeKey: false });
  }
  // A word alone on its line is the item of a list, a value below its key, the rest of a text, or a key without its colon.
  const stays = plain !== undefined && isSettled(plain.found, line);
  const asKey = stays ? undefined : read(/^["']?[\w.-]*["']?/u.test(line.rest) ? ':' : '');
  const reading = stays ? plain : (asKey ?? plain);
  const [start = 0] = reading?.found.node.range ?? [];
  return reading && cursorOf(reading, { mark, mayBeKey: reading === plain && start >= line.start });
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  readonly rest: string;
  /** Whether nothing but one word, and the dashes of items, stands on it. */
  readonly isLone: boolean;
}

function lineAround(text: string, offset: number): Line {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const feed = text.indexOf('\n', offset);
  const end = feed === -1 ? text.length : feed;
  const [before, rest] = [text.slice(start, offset), text.slice(offset, end)];
  return {
    start,
    // With the mark.
    end: end + 1,
    indent: /^[ ]*(?:- +)*/u.exec(before)?.[0].length ?? 0,
    rest,
    isLone: /^ *(?:- +)*["']?[\w.-]*$/u.test(before) && /^\r?$|^\s+(?:#.*)?$/u.test(rest),
  };
}

/** Whether a word alone on its line is no key: it stands there by itself, or goes on with a text that began above. */
function isSettled({ node, column, part }: Marked, line: Line): boolean {
  const [start = 0, end = 0] = node.range ?? [];
  return node.type !== 'PLAIN'
    ? true
    : start >= line.start
      ? end <= line.end
      : part === 'value' && line.indent > column;
}

interface Marked {
  readonly part: 'key' | 'value';
  readonly path: ValuePath;
  readonly node: Scalar;
  /** Column of the key or item that holds the text. */
  readonly column: number;
}

interface Reading {
  readonly found: Marked;
  readonly value: JsonValue;
}

function readMarked(source: SourceText, mark: string): Reading | undefined {
  const root = composeLeniently(source);
  const found = root === undefined ? undefined : findMark(root, { mark, source, path: [], column: 0 });
  return root === undefined || found === undefined
    ? undefined
    : { found, value: readValue(source, root).value };
}

interface Search {
  readonly mark: string;
  readonly source: SourceText;
  readonly path: ValuePath;
  readonly column: number;
}

function findMark(node: Node, search: Search): Marked | undefined {
  const { mark, path, column } = search;
  if (path.length > YAML_LIMITS.depth || isAlias(node)) {
    return undefined;
  }
  if (isScalar(node)) {
    return hasMark(node, mark) ? { part: 'value', path, node, column } : undefined;
  }
  if (isSeq<Node>(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = findMark(item, { ...search, path: [...path, index], column: columnOf(item, search) });
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }
  for (const { key, value } of isMap<Node, Node | null>(node) ? node.items : []) {
    if (isScalar(key) && hasMark(key, mark)) {
      return { part: 'key', path, node: key, column: columnOf(key, search) };
    }
    const name = keyName(key);
    const inner = { ...search, path: [...path, name ?? ''], column: columnOf(key, search) };
    const found = value === null || name === undefined ? undefined : findMark(value, inner);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function hasMark({ value, source = '' }: Scalar, mark: string): boolean {
  return (typeof value === 'string' ? value : source).includes(mark);
}

function columnOf({ range }: Node, { source: { text } }: Search): number {
  const start = range?.[0] ?? 0;
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}

function cursorOf(
  { found: { part, path, node }, value }: Reading,
  { mark, mayBeKey }: { readonly mark: string; readonly mayBeKey: boolean },
): YamlCursor {
  const marked = typeof node.value === 'string' ? node.value : (node.source ?? '');
  const text = marked.replace(mark, '');
  const parent = part === 'key' ? valueAt(value, path) : undefined;
  return {
    part,
    path,
    text,
    at: marked.indexOf(mark),
    mayBeKey,
    value: isJsonObject(parent)
      ? withValueAt(value, path, omit(parent, [marked]))
      : part === 'value' && valueAt(value, path) !== undefined
        ? withValueAt(value, path, text)
        : value,
  };
}
