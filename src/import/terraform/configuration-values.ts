import type { Node } from 'web-tree-sitter';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject } from '../../data/index.ts';
import { bodyOf, childrenOf, commentedAmong, DEEPEST, onlyIn, unquoted } from './configuration-nodes.ts';
import { nameOf } from './configuration-uses.ts';

/** A local whose value the configuration spells out, or a variable whose default it does, with the comments above it. */
export interface LiteralLocal {
  readonly value: JsonValue;
  readonly above: readonly string[];
}

/** A value that a configuration spells out, or the name that it goes by. */
export type ConfiguredValue =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'named'; readonly name: string }
  /** What each instance has of its own: `each.value.limit`. */
  | { readonly kind: 'own' };

/** Returns the locals that a block spells out, or the default of a variable, by the names that expressions have for them: `local.office`. */
export function literalsIn(
  block: Node,
  comments: readonly string[],
): readonly (readonly [string, LiteralLocal])[] {
  const [keyword, label] = childrenOf(block);
  if (keyword?.text === 'locals') {
    return commentedAmong(block, (attribute, above) => {
      const [name, expression] = childrenOf(attribute);
      const value = literalOf(expression);
      return name === undefined || value === undefined
        ? []
        : [[`local.${name.text}`, { value, above }] as const];
    });
  }
  if (keyword?.text !== 'variable') {
    return [];
  }
  const value = literalOf(attributeOf(block, 'default'));
  return value === undefined ? [] : [[`var.${unquoted(label?.text)}`, { value, above: comments }]];
}

/** Whether a block of a variable says that its value is a secret. */
export function isSensitive(block: Node): boolean {
  return (attributeOf(block, 'sensitive')?.text ?? 'false') !== 'false';
}

/** Returns what the `for_each` of a block goes through: an object that is spelled out, or a name; null where it is computed, or where there is none. */
export function itemsOf(block: Node): ConfiguredValue | null {
  const items = valueOf(attributeOf(block, 'for_each'));
  return items === undefined ||
    items.kind === 'own' ||
    (items.kind === 'literal' && !isJsonObject(items.value))
    ? null
    : items;
}

/** Returns the expression of an attribute of a block. */
function attributeOf(block: Node, name: string): Node | undefined {
  const found = childrenOf(bodyOf(block)).find(
    (child) => child.type === 'attribute' && childrenOf(child)[0]?.text === name,
  );
  return childrenOf(found)[1];
}

/** Returns what the attributes of a block spell out or name, without what is computed. */
export function valuesIn(block: Node): ReadonlyMap<string, ConfiguredValue> {
  return new Map(
    childrenOf(bodyOf(block)).flatMap((child): readonly (readonly [string, ConfiguredValue])[] => {
      const [name, expression] = childrenOf(child);
      const value = child.type === 'attribute' ? valueOf(expression) : undefined;
      return name === undefined || value === undefined ? [] : [[name.text, value]];
    }),
  );
}

function valueOf(expression: Node | undefined): ConfiguredValue | undefined {
  const value = literalOf(expression);
  const name = nameOf(expression);
  if (['each', 'count'].includes(childrenOf(expression)[0]?.text ?? '')) {
    return { kind: 'own' };
  }
  return value !== undefined
    ? { kind: 'literal', value }
    : name === undefined || name !== expression?.text
      ? undefined
      : { kind: 'named', name };
}

/** Returns what an expression spells out; undefined where something computes it. Of an object, it has the members that are spelled out. */
function literalOf(expression: Node | undefined, depth = 0): JsonValue | undefined {
  const [node, second] = childrenOf(expression);
  if (node === undefined || second !== undefined || depth > DEEPEST) {
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
      .map((item) => literalOf(item, depth + 1));
    return items.includes(undefined) ? undefined : items.filter((item) => item !== undefined);
  }
  return inside?.type === 'object' ? membersOf(inside, depth) : undefined;
}

function membersOf(object: Node, depth: number): JsonObject {
  return Object.fromEntries(
    childrenOf(object)
      .filter(({ type }) => type === 'object_elem')
      .flatMap((element): readonly (readonly [string, JsonValue])[] => {
        const [key, value] = childrenOf(element);
        const name = keyOf(key);
        const said = literalOf(value, depth + 1);
        return name === undefined || said === undefined ? [] : [[name, said]];
      }),
  );
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
