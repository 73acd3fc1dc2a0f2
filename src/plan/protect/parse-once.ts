import type { Tree } from '../../expression/ast.ts';
import { parseExpression } from '../../expression/parse.ts';

/** A list of a thousand rules that is turned round asks for each of its conditions a thousand times. */
const MOST = 4096;
const known = new Map<string, Tree | 'no condition'>();

/** The tree of a condition, or nothing when it does not parse; the last some thousand are kept. */
export function parseOnce(text: string): Tree | undefined {
  const before = known.get(text);
  if (before !== undefined) {
    return before === 'no condition' ? undefined : before;
  }
  const result = parseExpression(text);
  if (known.size >= MOST) {
    known.clear();
  }
  known.set(text, result.ok ? result.tree : 'no condition');
  return result.ok ? result.tree : undefined;
}
