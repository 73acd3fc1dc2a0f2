import { FIELDS, FUNCTIONS } from '../../expression/catalogue.ts';
import { findErrors } from '../../expression/parse.ts';
import type { ScopeKind } from '../../model/scope.ts';
import type { Severity } from '../../model/diagnostic.ts';
import { didYouMean } from '../schema/suggest.ts';
import type { RulesetLevel } from './phase-actions.ts';

/** What an expression is for: a condition, or a value that a rewrite, redirect or header computes. */
export type ExpressionRole = 'filter' | 'value';

/** Where an expression stands. */
export interface ExpressionContext {
  readonly role: ExpressionRole;
  readonly phase: string;
  readonly level: RulesetLevel;
  readonly scope: ScopeKind;
}

/** What is wrong with an expression. Offsets count UTF-16 units of its text; `end` is the first behind it. */
export interface ExpressionFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

/** Checks the text of an expression. Never throws. */
export type ExpressionChecker = (text: string, context: ExpressionContext) => readonly ExpressionFinding[];

/** Checks with the rules language itself; codes are `expression/` and the engine's kind of error. */
export const checkWithLanguage: ExpressionChecker = (text, { role }) =>
  findErrors(text, { mode: role }).map(({ kind, message, span }) => {
    const start = unitsBefore(text, span.start);
    const end = unitsBefore(text, span.end);
    return {
      code: `expression/${kebab(kind)}`,
      severity: 'error',
      message,
      ...hintFor(kind, text.slice(start, end)),
      start,
      end,
    };
  });

/** What helps most often: another name. */
function hintFor(kind: string, word: string): { readonly hint?: string } {
  const hint =
    kind === 'UnknownIdentifier' ? didYouMean(word, [...FIELDS.keys(), ...FUNCTIONS.keys()]) : undefined;
  return hint === undefined ? {} : { hint };
}

/** `UnknownIdentifier` to `unknown-identifier`, `EOF` to `eof`. */
function kebab(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** How many UTF-16 units stand before a byte of the UTF-8 form. */
function unitsBefore(text: string, byte: number): number {
  let bytes = 0;
  let units = 0;
  for (const character of text) {
    if (bytes >= byte) {
      break;
    }
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += character.length;
  }
  return units;
}
