import type { Node } from 'web-tree-sitter';
import { bodyOf, childrenOf, DEEPEST, onlyIn, unquoted } from './configuration-nodes.ts';

/** Something that a resource block does not spell out: a name, or an expression that Terraform computes. */
export interface ConfigurationUse {
  /** The attribute that it stands in: `expression`, `requests_per_period`. */
  readonly attribute: string;
  /** As it stands there, on one line: `local.limit`, `join(" ", local.office)`. */
  readonly text: string;
  readonly line: number;
  /** The locals and variables in it, with their members: `local.office`, `var.limits.login`. */
  readonly names: readonly string[];
}

/** Attributes that say which instances there are and where, instead of what they have. */
const ABOUT_INSTANCES: ReadonlySet<string> = new Set([
  'account_id',
  'count',
  'depends_on',
  'for_each',
  'provider',
  'zone_id',
]);

/** Returns what a block does not spell out, attribute by attribute. What each instance has of its own (`each`, `count`), and loops have, counts as spelled out. */
export function usesIn(block: Node): readonly ConfigurationUse[] {
  return usesInBody(bodyOf(block), 0);
}

function usesInBody(body: Node | undefined, depth: number): readonly ConfigurationUse[] {
  return depth > DEEPEST ? [] : childrenOf(body).flatMap((child) => usesInPart(child, depth));
}

function usesInPart(part: Node, depth: number): readonly ConfigurationUse[] {
  const [first, second] = childrenOf(part);
  if (part.type === 'block') {
    if (first?.text === 'lifecycle') {
      return [];
    }
    const isDynamic = first?.text === 'dynamic';
    const loop = isDynamic
      ? childrenOf(bodyOf(part)).find((child) => childrenOf(child)[0]?.text === 'for_each')
      : undefined;
    const [, over] = childrenOf(loop);
    return [
      ...(over === undefined ? [] : usesInValue(over, unquoted(second?.text), depth + 1)),
      ...usesInBody(bodyOf(part), depth + 1),
    ];
  }
  const key = unquoted(first?.text);
  return (part.type !== 'attribute' && part.type !== 'object_elem') ||
    (part.type === 'attribute' && ABOUT_INSTANCES.has(key)) ||
    second === undefined
    ? []
    : usesInValue(second, key, depth + 1);
}

function usesInValue(value: Node, attribute: string, depth: number): readonly ConfigurationUse[] {
  const [node, second] = childrenOf(value);
  if (node === undefined || depth > DEEPEST) {
    return [];
  }
  const inside = (some: readonly Node[]): readonly ConfigurationUse[] =>
    some.flatMap((one) =>
      one.type === 'object_elem' ? usesInPart(one, depth + 1) : usesInValue(one, attribute, depth + 1),
    );
  switch (node.type) {
    case 'literal_value':
      return [];
    case 'collection_value':
      return inside(
        childrenOf(childrenOf(node)[0]).filter(({ type }) => type === 'expression' || type === 'object_elem'),
      );
    case 'template_expr':
      return childrenOf(childrenOf(node)[0]).flatMap((part) => {
        const [, filled] = childrenOf(part);
        return part.type === 'template_interpolation' && filled !== undefined
          ? usesInValue(filled, attribute, depth + 1)
          : part.type === 'template_directive'
            ? computed(part, attribute, depth)
            : [];
      });
    case 'expression':
      return second === undefined ? inside([node]) : computed(value, attribute, depth);
    case 'variable_expr':
      return NAMED.has(node.text) ? computed(value, attribute, depth) : [];
    default:
      return computed(value, attribute, depth);
  }
}

/** What names that stand for themselves begin with; others are those of resources, instances and loops. */
const NAMED: ReadonlySet<string> = new Set(['data', 'local', 'module', 'path', 'terraform', 'var']);

/** Longer expressions say no more to a reader. */
const LONGEST = 80;

/** Returns an expression that something computes, and what stands in objects within it. */
function computed(node: Node, attribute: string, depth: number): readonly ConfigurationUse[] {
  const { names, elements } = partsOf(node, depth);
  const loop = node.type === 'expression' ? onlyIn(node, 'for_expr') : undefined;
  const intro = loop === undefined ? undefined : onlyIn(childrenOf(loop)[0], 'for_intro');
  const text =
    intro === undefined ? node.text : `${node.text.slice(0, 1)}${intro.text} …${node.text.slice(-1)}`;
  // What objects in it have is told by itself.
  const short = text
    .replaceAll(/^\s*(?:#|\/\/).*$/gmu, '')
    .replace(elements.length === 0 ? /$^/u : /\{.*\}/su, '{…}');
  const line = short.replaceAll(/\s+/gu, ' ').trim();
  return [
    {
      attribute,
      text: line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line,
      line: node.startPosition.row + 1,
      names,
    },
    ...elements.flatMap((element) => usesInPart(element, depth + 1)),
  ];
}

/** Returns the names of locals and variables in an expression, without those in objects within it, and what these objects have. */
function partsOf(
  node: Node,
  depth: number,
): { readonly names: readonly string[]; readonly elements: readonly Node[] } {
  const names = new Set<string>();
  const elements: Node[] = [];
  const walk = (one: Node, level: number): void => {
    if (one.type === 'object_elem') {
      elements.push(one);
      return;
    }
    const name = nameOf(one);
    if (name !== undefined) {
      names.add(name);
    }
    if (level <= DEEPEST) {
      for (const child of childrenOf(one)) {
        walk(child, level + 1);
      }
    }
  };
  walk(node, depth);
  return { names: [...names], elements };
}

/** Returns the local or the variable that an expression names, with the members behind it: `local.limits.login`; undefined where it is none. */
export function nameOf(expression: Node | undefined): string | undefined {
  const [root, ...rest] = childrenOf(expression);
  if (root?.type !== 'variable_expr' || (root.text !== 'local' && root.text !== 'var')) {
    return undefined;
  }
  const others = rest.findIndex(({ type }) => type !== 'get_attr');
  const members = others === -1 ? rest : rest.slice(0, others);
  const [first] = members;
  return first === undefined
    ? undefined
    : `${root.text}.${members.map((member) => childrenOf(member)[0]?.text ?? '').join('.')}`;
}
