import { Lexer, Parser } from 'yaml';
import type { CST } from 'yaml';

import { YAML_LIMITS } from './yaml-limits.ts';

/** The syntax tree of a text, or where the text exceeds the limits. */
export type ReadTokens =
  | { readonly kind: 'read'; readonly tokens: readonly CST.Token[] }
  | { readonly kind: 'too-deep' | 'too-many'; readonly offset: number };

/**
 * Splits a text into syntax step by step, and stops as soon as it is nested too deep or has too many parts: later steps recurse over the depth
 * and keep all parts in memory.
 */
export function readTokens(text: string): ReadTokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
    }
    count += 1;
    if (count > YAML_LIMITS.lexemes) {
      return { kind: 'too-many', offset: parser.offset };
    }
    if (parser.stack.length > YAML_LIMITS.depth && openCollections(parser.stack) > YAML_LIMITS.depth) {
      return { kind: 'too-deep', offset: parser.offset - lexeme.length };
    }
  }
  for (const token of parser.end()) {
    tokens.push(token);
  }
  return { kind: 'read', tokens };
}

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

function openCollections(stack: readonly CST.Token[]): number {
  return stack.filter((token) => COLLECTIONS.has(token.type)).length;
}
