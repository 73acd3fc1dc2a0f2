import type { Tree } from './language/ast.ts';
import { meaningOfTree, newNumbering } from './equal/normal-meaning.ts';

/**
 * Whether two expressions provably mean the same, whatever their spelling, order and parentheses (`rules-language.md` 6.3). False only says
 * that there is no proof. Takes O(n log n) time in the size of both.
 */
export function sameMeaning(one: Tree, other: Tree): boolean {
  const numbering = newNumbering();
  return meaningOfTree(numbering, one) === meaningOfTree(numbering, other);
}
