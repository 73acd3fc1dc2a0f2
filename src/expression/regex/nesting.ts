import { refuse } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { Syntax, SyntaxClass } from './syntax.ts';

/** How deep a pattern may nest; the default of the regex crate. */
const NEST_LIMIT = 250;

type Node = Syntax | SyntaxClass;

/**
 * Refuses a pattern that nests too deeply, at the first node beyond the limit, as the regex crate does: groups, repetitions, sequences,
 * alternatives and every level of a class count as one. Code that runs after this check may recurse.
 */
export function checkNesting(cursor: Cursor, syntax: Syntax): void {
  const waiting: { readonly node: Node; readonly depth: number }[] = [{ node: syntax, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inner = innerNodes(next.node);
    const counts = inner.length > 0 && next.node.kind !== 'class';
    const depth = next.depth + (counts ? 1 : 0);
    if (depth > NEST_LIMIT) {
      const message = `exceed the maximum number of nested parentheses/brackets (${NEST_LIMIT})`;
      refuse(cursor, message, { span: next.node.span });
      return;
    }
    for (const node of inner.toReversed()) {
      waiting.push({ node, depth });
    }
  }
}

function innerNodes(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'concat':
    case 'alternate':
      return node.parts;
    case 'group':
    case 'repeat':
      return [node.body];
    case 'class':
      return [node.class];
    case 'bracketed':
      return [node.set];
    case 'union':
      return node.items;
    case 'operation':
      return [node.left, node.right];
    case 'empty':
    case 'flags':
    case 'literal':
    case 'dot':
    case 'assertion':
    case 'nothing':
    case 'range':
    case 'perl':
    case 'posix':
    case 'property':
      return [];
    default:
      return node satisfies never;
  }
}
