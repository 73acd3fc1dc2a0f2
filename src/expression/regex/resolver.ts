import type { Meaning } from './meaning.ts';
import { describeProblem } from './problem.ts';
import type { FlagChanges, FlagName, PatternSpan } from './syntax.ts';

/** The flags at a place of a pattern, without `x`, which concerns only the reader. */
export type Flags = Readonly<Record<Exclude<FlagName, 'x'>, boolean>>;

/** The state while a pattern is given its meaning. */
export interface Resolver {
  /** The pattern, one code point per element. */
  readonly text: readonly string[];
  flags: Flags;
  /** The encoded classes of code points by text and flags: a pattern may repeat a large class a thousand times. */
  readonly encoded: Map<string, Meaning>;
  /** The message of the regex crate, once it refuses. */
  refused: string | undefined;
  /** The first part of the pattern whose meaning to the service we cannot give. */
  unknown: string | undefined;
}

/** The service's initial flags: Unicode is off (rules-language.md 2.5). */
export const INITIAL_FLAGS: Flags = { i: false, m: false, s: false, U: false, u: false, R: false };

/** Returns the flags after a change. */
export function changeFlags(flags: Flags, changes: FlagChanges): Flags {
  return changes.size === 0 ? flags : { ...flags, ...Object.fromEntries(changes) };
}

/** Records that the regex crate requires Unicode at a place; the first refusal counts. */
export function refuseUnicode(resolver: Resolver, span: PatternSpan): void {
  resolver.refused ??= describeProblem(resolver.text, { message: 'Unicode not allowed here', span });
}

/** Records a part whose meaning we do not know, and returns the substitute. */
export function unknown<T>(resolver: Resolver, part: string, instead: T): T {
  resolver.unknown ??= part;
  return instead;
}
