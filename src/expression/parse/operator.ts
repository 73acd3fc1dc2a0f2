import type { Operator } from '../language/ast.ts';
import { afterSpace, goesOn } from './reader.ts';

/** Words by the code of their first character, so that only a few have to be tried at a position. */
type ByFirst<Word> = readonly (readonly Word[] | undefined)[];

function byFirst<Word extends { readonly text: string }>(words: readonly Word[]): ByFirst<Word> {
  return Array.from({ length: 128 }, (_, code) => {
    const found = words.filter(({ text }) => text.charCodeAt(0) === code);
    return found.length === 0 ? undefined : found;
  });
}

function wordAt<Word extends { readonly text: string }>(
  words: ByFirst<Word>,
  bytes: string,
  position: number,
): Word | undefined {
  const candidates = position < bytes.length ? words[bytes.charCodeAt(position)] : undefined;
  return candidates?.find(({ text }) => goesOn(bytes, position, text));
}

/** A comparison operator with its spelling. */
export interface ComparisonAt {
  readonly operator: Operator;
  readonly text: string;
}

/** Keywords and signs, in the order in which the engine tries them (1.2): keywords need no word boundary. */
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

/** Every comparison operator, once. */
export const OPERATORS: readonly Operator[] = [...new Set(COMPARISONS.map(([, operator]) => operator))];

const COMPARISON_WORDS = byFirst<ComparisonAt>(COMPARISONS.map(([text, operator]) => ({ text, operator })));

/** Returns the comparison operator at a position. */
export function comparisonAt(bytes: string, position: number): ComparisonAt | undefined {
  return wordAt(COMPARISON_WORDS, bytes, position);
}

/** The operators that join conditions, loosest first. */
export const COMBINERS = ['or', 'xor', 'and'] as const;
/** A joining operator. */
export type Combiner = (typeof COMBINERS)[number];

const COMBINER_TEXTS: readonly (readonly [string, Combiner])[] = [
  ['or', 'or'],
  ['||', 'or'],
  ['xor', 'xor'],
  ['^^', 'xor'],
  ['and', 'and'],
  ['&&', 'and'],
];

/** A joining operator with its spelling. */
interface CombinerAt {
  readonly combiner: Combiner;
  readonly text: string;
}

const COMBINER_WORDS = byFirst<CombinerAt>(COMBINER_TEXTS.map(([text, combiner]) => ({ text, combiner })));

/** Returns the joining operator at a position. */
export function combinerAt(bytes: string, position: number): CombinerAt | undefined {
  return wordAt(COMBINER_WORDS, bytes, position);
}

/** Returns the start of the operand after the joining operator that follows a position; undefined when none follows. */
export function afterCombiner(bytes: string, position: number): number | undefined {
  const start = afterSpace(bytes, position);
  const found = combinerAt(bytes, start);
  return found && afterSpace(bytes, start + found.text.length);
}
