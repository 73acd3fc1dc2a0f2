import { meaningOfTree } from '../../expression/equal/meaning.ts';
import { newNumbering } from '../../expression/equal/numbering.ts';
import { parseExpression } from '../../expression/parse/parse.ts';

/** Returns a function that gives expressions with provably the same meaning the same number; a text that does not parse is its own meaning. */
export function createMeaning(): (expression: string) => number | string {
  const numbering = newNumbering();
  return (expression) => {
    const parsed = parseExpression(expression);
    return parsed.ok ? meaningOfTree(numbering, parsed.tree) : expression.trim();
  };
}
