import type { Node } from 'web-tree-sitter';

/** Nothing that a person writes is nested deeper; what is, is passed over. */
export const DEEPEST = 100;

/** Returns a text without the quotes around it. */
export function unquoted(text = ''): string {
  return text.replaceAll(/^"|"$/gu, '');
}

/** Returns what stands between the braces of a block. */
export function bodyOf(block: Node): Node | undefined {
  return childrenOf(block).find(({ type }) => type === 'body');
}

/** Returns the parts of a node that the grammar names. */
export function childrenOf(node: Node | undefined): readonly Node[] {
  return (node?.namedChildren ?? []).filter((child) => child !== null);
}

/** Comments that stand above what comes next, and the row in which the last thing ended. */
interface Above {
  readonly lines: readonly string[];
  readonly end: number;
}

/** Walks what stands in a node, each with the comments above it, without a line between them; comments before a body are above its first part. */
export function commentedAmong<Found>(
  node: Node | undefined,
  visit: (node: Node, above: readonly string[]) => readonly Found[],
  before: Above = { lines: [], end: -1 },
): readonly Found[] {
  const found: Found[] = [];
  let { lines, end } = before;
  for (const child of childrenOf(node)) {
    const { startPosition, endPosition, type, text } = child;
    if (type === 'comment') {
      const isBeside = startPosition.row === end;
      const isApart = startPosition.row > end + 1;
      lines = [...(isApart ? [] : lines), ...(isBeside ? [] : linesOf(text))];
    } else if (type === 'body') {
      found.push(...commentedAmong(child, visit, { lines, end }));
      lines = [];
    } else {
      found.push(...visit(child, startPosition.row <= end + 1 ? lines : []));
      lines = [];
    }
    end = endPosition.row;
  }
  return found;
}

function linesOf(comment: string): readonly string[] {
  return comment
    .replaceAll(/^(?:#+|\/\/+|\/\*+)|\*+\/$/gu, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*(?!\*)/u, '').trim())
    .filter((line) => line !== '');
}

/** Returns the first part of a node that has a type. */
export function onlyIn(node: Node | undefined, type: string): Node | undefined {
  return childrenOf(node).find((child) => child.type === type);
}
