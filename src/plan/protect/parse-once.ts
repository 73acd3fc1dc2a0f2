import type { Tree } from '../../expression/ast.ts';
import { parseExpression } from '../../expression/parse.ts';

/** A list of a thousand rules that is turned round asks for each of its conditions a thousand times. */
const MOST = 4096;
const known = new Map<string, Tree | undefined>();

/** The tree of a condition, or nothing when it does not parse; the last some thousand are kept. */
export function parseOnce(text: string): Tree | undefined {
  if (known.has(text)) {
    return known.get(text);
  }
  const result = parseExpression(text);
  const tree = result.ok ? result.tree : undefined;
  if (known.size >= MOST) {
    known.clear();
  }
  known.set(text, tree);
  return tree;
}
