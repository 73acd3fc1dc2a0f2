import type { Operator } from '../ast.ts';
import { afterSpace } from './reader.ts';

/** A keyword or sign, in the order in which the engine tries them (1.2): keywords need no word boundary. */
const COMPARISONS: readonly (readonly [string, Operator])[] = [
  ['in', 'in'],
  ['eq', 'eq'],
  ['==', 'eq'],
  ['ne', 'ne'],
  ['!=', 'ne'],
  ['ge', 'ge'],
  ['>=', 'ge'],
  ['le', 'le'],
  ['<=', 'le'],
  ['gt', 'gt'],
  ['>', 'gt'],
  ['lt', 'lt'],
  ['<', 'lt'],
  ['&', 'bitwise_and'],
  ['bitwise_and', 'bitwise_and'],
  ['contains', 'contains'],
  ['~', 'matches'],
  ['matches', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict wildcard', 'strict wildcard'],
];

/** The comparison operator at a position. */
export function comparisonAt(
  bytes: string,
  position: number,
): { readonly operator: Operator; readonly text: string } | undefined {
  for (const [text, operator] of COMPARISONS) {
    if (bytes.startsWith(text, position)) {
      return { operator, text };
    }
  }
  return undefined;
}

/** The operators that join conditions, loosest first. */
export const COMBINERS = ['or', 'xor', 'and'] as const;
/** One of them. */
export type Combiner = (typeof COMBINERS)[number];

const COMBINER_TEXTS: readonly (readonly [string, Combiner])[] = [
  ['or', 'or'],
  ['||', 'or'],
  ['xor', 'xor'],
  ['^^', 'xor'],
  ['and', 'and'],
  ['&&', 'and'],
];

/** A joining operator after white space, and where the next operand starts. */
export interface CombinerAt {
  readonly combiner: Combiner;
  readonly text: string;
  readonly start: number;
  readonly next: number;
}

/** The joining operator that follows a position. */
export function combinerAfter(bytes: string, position: number): CombinerAt | undefined {
  const start = afterSpace(bytes, position);
  for (const [text, combiner] of COMBINER_TEXTS) {
    if (bytes.startsWith(text, start)) {
      return { combiner, text, start, next: afterSpace(bytes, start + text.length) };
    }
  }
  return undefined;
}
