/** A part of a pattern, counted in code points. */
export interface PatternSpan {
  readonly start: number;
  readonly end: number;
}

/** The flags of the regex crate: case, multi-line, dot-all, swap greed, Unicode, CRLF, verbose. */
export type FlagName = 'i' | 'm' | 's' | 'U' | 'u' | 'R' | 'x';

/** Which flags a group switches on (true) or off (false). */
export type FlagChanges = ReadonlyMap<FlagName, boolean>;

/** The assertions of the regex crate, by their spelling. */
export type AssertionName =
  | '^'
  | '$'
  | '\\A'
  | '\\z'
  | '\\b'
  | '\\B'
  | '\\b{start}'
  | '\\b{end}'
  | '\\b{start-half}'
  | '\\b{end-half}';

/** A pattern as written, before flags give it a meaning. */
export type Syntax = { readonly span: PatternSpan } & (
  | { readonly kind: 'empty' }
  | { readonly kind: 'flags'; readonly changes: FlagChanges }
  | SyntaxLiteral
  | { readonly kind: 'dot' }
  | { readonly kind: 'assertion'; readonly name: AssertionName }
  | { readonly kind: 'class'; readonly class: SyntaxClass }
  | SyntaxRepeat
  | SyntaxGroup
  | { readonly kind: 'concat'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'alternate'; readonly parts: readonly Syntax[] }
);

/** One character; `byte` when it was written `\xHH`, which means a byte where Unicode is off. */
export interface SyntaxLiteral {
  readonly kind: 'literal';
  readonly codePoint: number;
  readonly byte: boolean;
  readonly span: PatternSpan;
}

/** A repetition; `max` is undefined when there is no bound. */
interface SyntaxRepeat {
  readonly kind: 'repeat';
  readonly body: Syntax;
  readonly min: number;
  readonly max: number | undefined;
  readonly lazy: boolean;
  readonly span: PatternSpan;
}

/** A group: capturing, or with changed flags, or neither. */
interface SyntaxGroup {
  readonly kind: 'group';
  readonly capturing: boolean;
  readonly changes: FlagChanges;
  readonly body: Syntax;
  readonly span: PatternSpan;
}

/** A class of characters, in or out of brackets. */
export type SyntaxClass = { readonly span: PatternSpan } & (
  | { readonly kind: 'nothing' }
  | SyntaxLiteral
  | { readonly kind: 'range'; readonly first: SyntaxLiteral; readonly last: SyntaxLiteral }
  | { readonly kind: 'perl'; readonly name: 'd' | 's' | 'w'; readonly negated: boolean }
  | { readonly kind: 'posix'; readonly name: string; readonly negated: boolean }
  | { readonly kind: 'property'; readonly name: string; readonly negated: boolean }
  | { readonly kind: 'bracketed'; readonly negated: boolean; readonly set: SyntaxClass }
  | { readonly kind: 'union'; readonly items: readonly SyntaxClass[] }
  | SyntaxClassOperation
);

/** Intersection, difference and symmetric difference of two classes. */
export interface SyntaxClassOperation {
  readonly kind: 'operation';
  readonly operator: '&&' | '--' | '~~';
  readonly left: SyntaxClass;
  readonly right: SyntaxClass;
  readonly span: PatternSpan;
}
