import type { Condition } from './ast.ts';

/** The two words that the service registers like fields, and their values (rules-language.md 3). */
export const CONSTANTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Returns the value of a condition that is the word `true` or `false`; undefined for any other condition. */
export function constantOf(condition: Condition): boolean | undefined {
  const source = condition.kind === 'bare' ? condition.operand.source : undefined;
  return source?.kind === 'field' ? CONSTANTS.get(source.name) : undefined;
}
