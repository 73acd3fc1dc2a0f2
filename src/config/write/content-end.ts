import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Node } from 'yaml';

/** Returns the offset behind the last character of a value itself, without a comment or line break behind it. */
export function contentEnd(text: string, node: Node): number {
  if (isMap<Node, Node | null>(node) && node.flow !== true) {
    const last = node.items.at(-1);
    const end = last === undefined ? undefined : (last.value ?? last.key);
    return end === undefined ? endOf(node) : contentEnd(text, end);
  }
  if (isSeq<Node>(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return last === undefined ? endOf(node) : contentEnd(text, last);
  }
  let end = endOf(node);
  if (isScalar(node) || isAlias(node)) {
    // Only what YAML takes for white space: a text may end in a no-break space.
    while (end > 0 && /[ \t\r\n]/u.test(text[end - 1] ?? '')) {
      end -= 1;
    }
  }
  return end;
}

function endOf(node: Node): number {
  return node.range?.[1] ?? 0;
}

/** Returns the offset of the first character of the line that an offset lies in. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset of the line break at the end of the line that an offset lies in, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** Returns the end of the line that an offset lies in, or of the last comment below it that is indented deeper than `column`. */
export function endWithComments(text: string, offset: number, column: number): number {
  const end = lineEnd(text, offset);
  const below = new RegExp(`^(?:(?:\\r?\\n[ \\t]*)*\\r?\\n {${column + 1},}#.*)*`, 'u').exec(text.slice(end));
  return end + (below?.[0].length ?? 0);
}

/**
 * Returns the start of the comment lines directly above the line that begins at `line`; none of them lies before `floor` or is indented deeper
 * than `column`.
 */
export function commentsBefore(text: string, line: number, floor: number, column = Infinity): number {
  let start = line;
  while (start > floor) {
    const before = lineStart(text, start - 1);
    const indent = /^ *(?=#)/u.exec(text.slice(before, start))?.[0].length;
    if (before < floor || indent === undefined || indent > column) {
      break;
    }
    start = before;
  }
  return start;
}
