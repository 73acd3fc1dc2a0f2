import type { Condition } from './ast.ts';

/** The two words that the service registers like fields, and what they stand for (rules-language.md 3). */
export const CONSTANTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** What a condition is that no request changes, `true` or `false` as it is written; undefined for all others. */
export function constantOf(condition: Condition): boolean | undefined {
  const source = condition.kind === 'bare' ? condition.operand.source : undefined;
  return source?.kind === 'field' ? CONSTANTS.get(source.name) : undefined;
}
