import type { Node, Parser } from 'web-tree-sitter';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject } from '../../data/index.ts';
import { bodyOf, childrenOf, commentedAmong, onlyIn, unquoted } from './configuration-nodes.ts';

/** A local whose value the configuration spells out, with the comments above it. */
export interface LiteralLocal {
  readonly value: JsonValue;
  readonly above: readonly string[];
}

/** What `for_each` goes through: an object that is spelled out, or a local. */
export type ItemsOf =
  | { readonly kind: 'literal'; readonly items: JsonObject }
  | { readonly kind: 'local'; readonly name: string };

/** Returns the locals of a file that are spelled out, by their names. */
export function literalLocals(parser: Parser, text: string): ReadonlyMap<string, LiteralLocal> {
  const tree = parser.parse(text);
  if (tree === null) {
    return new Map();
  }
  try {
    const found = commentedAmong(tree.rootNode, (block): readonly (readonly [string, LiteralLocal])[] =>
      block.type === 'block' && childrenOf(block)[0]?.text === 'locals' && !block.hasError
        ? commentedAmong(block, (attribute, above) => {
            const [name, expression] = childrenOf(attribute);
            const value = literalOf(expression);
            return name === undefined || value === undefined ? [] : [[name.text, { value, above }] as const];
          })
        : [],
    );
    return new Map(found);
  } finally {
    tree.delete();
  }
}

/** Returns the names of the locals that a block uses. */
export function localsNamedIn(block: Node): readonly string[] {
  const names = block.text.matchAll(/\blocal\.([\p{L}_][\p{L}\p{N}_-]*)/gu);
  return [...new Set([...names].map(([, name = '']) => name))];
}

/** Returns what the `for_each` of a block goes through; null where it is computed, or where there is none. */
export function itemsOf(block: Node): ItemsOf | null {
  const each = childrenOf(bodyOf(block)).find(
    (child) => child.type === 'attribute' && childrenOf(child)[0]?.text === 'for_each',
  );
  const [, expression] = childrenOf(each);
  const [, local] = /^local\.([\p{L}_][\p{L}\p{N}_-]*)$/u.exec(expression?.text ?? '') ?? [];
  if (local !== undefined) {
    return { kind: 'local', name: local };
  }
  const items = literalOf(expression);
  return isJsonObject(items) ? { kind: 'literal', items } : null;
}

/** Returns what an expression spells out; undefined where something computes it. Of an object, it has the members that are spelled out. */
function literalOf(expression: Node | undefined): JsonValue | undefined {
  const [node, second] = childrenOf(expression);
  if (node === undefined || second !== undefined) {
    return undefined;
  }
  const [inside] = childrenOf(node);
  if (node.type === 'literal_value') {
    return scalarOf(inside);
  }
  if (node.type !== 'collection_value') {
    return undefined;
  }
  if (inside?.type === 'tuple') {
    const items = childrenOf(inside)
      .filter(({ type }) => type === 'expression')
      .map(literalOf);
    return items.includes(undefined) ? undefined : items.filter((item) => item !== undefined);
  }
  return inside?.type === 'object'
    ? Object.fromEntries(
        childrenOf(inside)
          .filter(({ type }) => type === 'object_elem')
          .flatMap((element): readonly (readonly [string, JsonValue])[] => {
            const [key, value] = childrenOf(element);
            const name = keyOf(key);
            const said = literalOf(value);
            return name === undefined || said === undefined ? [] : [[name, said]];
          }),
      )
    : undefined;
}

/** A key is a bare word or a text; anything else, such as one in brackets, is computed. */
function keyOf(key: Node | undefined): string | undefined {
  const text = key?.text ?? '';
  return onlyIn(key, 'variable_expr')?.text === text ? text : plainText(text);
}

/** Returns the value of a literal. */
function scalarOf(literal: Node | undefined): JsonValue | undefined {
  const text = literal?.text ?? '';
  switch (literal?.type) {
    case 'string_lit':
      return plainText(text);
    case 'numeric_lit':
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'bool_lit':
      return text === 'true';
    default:
      return undefined;
  }
}

/** Returns a text in quotes without them; undefined for one with escapes or templates. */
function plainText(text: string): string | undefined {
  return /^"[^"\\$%]*"$/u.test(text) ? unquoted(text) : undefined;
}
