import type { Meaning } from './meaning.ts';
import { describeProblem } from './problem.ts';
import type { FlagChanges, FlagName, PatternSpan } from './syntax.ts';

/** The state of the flags at a place of a pattern; `x` is the reader's alone. */
export type Flags = Readonly<Record<Exclude<FlagName, 'x'>, boolean>>;

/** What is known while a pattern is given its meaning. */
export interface Resolver {
  /** The pattern, one code point an element. */
  readonly text: readonly string[];
  flags: Flags;
  /** Classes of code points by their text and flags: a pattern may write a large one a thousand times. */
  readonly encoded: Map<string, Meaning>;
  /** The message of the regex crate, once it refuses. */
  refused: string | undefined;
  /** What of the pattern we cannot give the meaning that it has to the service. */
  unknown: string | undefined;
}

/** The flags that the service starts with: Unicode is off (rules-language.md 2.5). */
export const INITIAL_FLAGS: Flags = { i: false, m: false, s: false, U: false, u: false, R: false };

/** The flags after a change. */
export function changeFlags(flags: Flags, changes: FlagChanges): Flags {
  return changes.size === 0 ? flags : { ...flags, ...Object.fromEntries(changes) };
}

/** Records that the regex crate wants Unicode on at a place; the first refusal counts. */
export function refuseUnicode(resolver: Resolver, span: PatternSpan): void {
  resolver.refused ??= describeProblem(resolver.text, { message: 'Unicode not allowed here', span });
}

/** Records that we do not know the meaning of a part, and hands on what stands in for it. */
export function unknown<T>(resolver: Resolver, part: string, instead: T): T {
  resolver.unknown ??= part;
  return instead;
}
