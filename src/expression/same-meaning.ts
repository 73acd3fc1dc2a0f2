import type { Tree } from './language/ast.ts';
import { meaningOfTree } from './equal/meaning.ts';
import { newNumbering } from './equal/numbering.ts';

/**
 * Whether two expressions provably mean the same, whatever their spelling, their order and their parentheses
 * (`rules-language.md` 6.3). False says only that there is no proof. The work grows with the size of both, times a logarithm.
 */
export function sameMeaning(one: Tree, other: Tree): boolean {
  const numbering = newNumbering();
  return meaningOfTree(numbering, one) === meaningOfTree(numbering, other);
}
