import type { Node } from 'web-tree-sitter';
import { bodyOf, childrenOf, commentedAmong, onlyIn, unquoted } from './configuration-nodes.ts';

/** The comments of a resource block, as lines without their signs. */
export interface CommentedResource {
  readonly above: readonly string[];
  /** The rules that are written out, in their order. */
  readonly rules: readonly CommentedRule[];
  /** Whether something computes rules: a `dynamic` block, a loop or another expression in their place. */
  readonly isComputed: boolean;
}

/** A rule that is written out, with the comments above it and its literal texts by attribute. */
export interface CommentedRule {
  readonly comments: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns the rules of a block: blocks in version 4 of the provider, and a list of objects in version 5. */
export function rulesOf(resource: Node): Pick<CommentedResource, 'rules' | 'isComputed'> {
  let isComputed = false;
  const rules = commentedAmong(resource, (node, above): readonly CommentedRule[] => {
    const [first, second] = childrenOf(node);
    if (node.type === 'block' && first?.text === 'rules') {
      return [{ comments: above, texts: textsOf(bodyOf(node), 'attribute') }];
    }
    if (node.type === 'block' && first?.text === 'dynamic' && unquoted(second?.text) === 'rules') {
      isComputed = true;
    }
    if (node.type !== 'attribute' || first?.text !== 'rules') {
      return [];
    }
    const list = listIn(second);
    isComputed ||= list === undefined;
    return commentedAmong(list, (element, own): readonly CommentedRule[] => {
      if (element.type !== 'expression') {
        // A bracket.
        return [];
      }
      const object = objectIn(element);
      isComputed ||= object === undefined;
      return object === undefined ? [] : [{ comments: own, texts: textsOf(object, 'object_elem') }];
    });
  });
  return { rules, isComputed };
}

function listIn(expression: Node | undefined): Node | undefined {
  return onlyIn(onlyIn(expression, 'collection_value'), 'tuple');
}

function objectIn(expression: Node): Node | undefined {
  return onlyIn(onlyIn(expression, 'collection_value'), 'object');
}

/** Attributes by which a rule is known again. */
const KNOWN_BY = ['ref', 'expression', 'description'];

/** Returns the literal texts among the attributes; a text with escapes or templates is none. */
function textsOf(body: Node | undefined, type: string): ReadonlyMap<string, string> {
  return new Map(
    childrenOf(body).flatMap((child): readonly (readonly [string, string])[] => {
      const [key, value] = childrenOf(child);
      const [, text] = /^"([^"\\$%]*)"$/u.exec(value?.text ?? '') ?? [];
      const name = unquoted(key?.text);
      return child.type === type && text !== undefined && KNOWN_BY.includes(name) ? [[name, text]] : [];
    }),
  );
}

/**
 * Returns the comments of a resource for rules of a state, by index: in their order where every rule is written out, else for those that a literal
 * name, description or expression tells apart. `lost`: commented rules that are not found again.
 */
export function commentsOfRules(
  { rules, isComputed }: Pick<CommentedResource, 'rules' | 'isComputed'>,
  stated: readonly Readonly<Record<string, unknown>>[],
): { readonly comments: ReadonlyMap<number, readonly string[]>; readonly lost: number } {
  const comments = new Map<number, readonly string[]>();
  let lost = 0;
  for (const [at, rule] of rules.entries()) {
    if (rule.comments.length === 0) {
      continue;
    }
    const inOrder = !isComputed && rules.length === stated.length && fits(rule, stated[at]) ? at : undefined;
    const index = inOrder ?? indexOf(rule, stated);
    if (index === undefined || comments.has(index)) {
      lost += 1;
    } else {
      comments.set(index, rule.comments);
    }
  }
  return { comments, lost };
}

function fits({ texts }: CommentedRule, stated: Readonly<Record<string, unknown>> | undefined): boolean {
  return [...texts].every(([name, text]) => stated?.[name] === text);
}

function indexOf(
  { texts }: CommentedRule,
  stated: readonly Readonly<Record<string, unknown>>[],
): number | undefined {
  for (const name of KNOWN_BY) {
    const text = texts.get(name);
    const found = stated.flatMap((rule, index) => (text !== undefined && rule[name] === text ? [index] : []));
    if (found.length === 1) {
      return found[0];
    }
  }
  return undefined;
}
