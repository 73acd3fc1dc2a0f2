import { decodeBytes } from '../values/bytes.ts';
import { readPattern } from './read.ts';
import { resolvePattern } from './resolve.ts';
import { compiledSize } from './size.ts';

/** The engine's default limit on the size of a compiled pattern in bytes: 10 MiB (rules-language.md 2.5). */
export const DEFAULT_COMPILED_SIZE = 10_485_760;

/**
 * Returns the message with which the service's engine refuses a pattern given as a binary string; undefined when it accepts the pattern
 * (rules-language.md 2.5). The compiled size is computed as in the engine, but without its optimisations: within a factor of two of the
 * limit the answer may differ from the engine's.
 */
export function regexProblem(pattern: string, largestSize = DEFAULT_COMPILED_SIZE): string | undefined {
  const text = decodeBytes(pattern);
  if (text === undefined) {
    // A message of our own: the service's is not known.
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
