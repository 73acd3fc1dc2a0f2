import { decodeBytes } from '../values/bytes.ts';
import { readPattern } from './read.ts';
import { resolvePattern } from './resolve.ts';
import { compiledSize } from './size.ts';

/** The engine's default for the bytes of a compiled pattern: 10 MiB (rules-language.md 2.5). */
export const DEFAULT_COMPILED_SIZE = 10_485_760;

/**
 * What the service's engine says against a pattern given as a binary string; undefined when it accepts it (rules-language.md 2.5).
 * The compiled size is computed after the engine's way, but for its optimisations: within a factor of two of the limit the answer may
 * differ from the engine's.
 */
export function regexProblem(pattern: string, largestSize = DEFAULT_COMPILED_SIZE): string | undefined {
  const text = decodeBytes(pattern);
  if (text === undefined) {
    // Words of our own: those of the service are not known.
    return 'a regular expression must be valid UTF-8';
  }
  const read = readPattern(text);
  if (!read.ok) {
    return read.message;
  }
  const resolved = resolvePattern(read);
  if (resolved.kind === 'refused') {
    return resolved.message;
  }
  return resolved.kind === 'meaning' && compiledSize(resolved.meaning) > largestSize
    ? `Compiled regex exceeds size limit of ${largestSize} bytes.`
    : undefined;
}
