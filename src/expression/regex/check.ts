import { decodeBytes } from '../values/bytes.ts';
import { readPattern } from './read.ts';
import { resolvePattern } from './resolve.ts';
import { compiledSize } from './size.ts';

/** Limits of the host; the defaults are those of the engine (rules-language.md 2.5). */
export interface RegexLimits {
  /** How many bytes a compiled pattern may take. */
  readonly compiledSize?: number;
}

/** Whether the service accepts a pattern, and if not, what it says. */
export type RegexCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly message: string;
      /** Whether the words are the service's; otherwise they are ours, because its own are not known. */
      readonly origin: 'service' | 'rulewright';
    };

/** The engine's default for the size of a compiled pattern: 10 MiB. */
export const DEFAULT_COMPILED_SIZE = 10_485_760;

/**
 * Whether the service's engine accepts a pattern given as a binary string, with its message where it does not
 * (rules-language.md 2.5). The compiled size is computed after the engine's way, but for its optimisations: within a factor of two
 * of the limit the answer may differ from the engine's.
 */
export function checkRegex(pattern: string, limits: RegexLimits = {}): RegexCheck {
  const text = decodeBytes(pattern);
  if (text === undefined) {
    return { ok: false, message: 'a regular expression must be valid UTF-8', origin: 'rulewright' };
  }
  const read = readPattern(text);
  if (!read.ok) {
    return { ok: false, message: read.message, origin: 'service' };
  }
  const resolved = resolvePattern(read);
  if (resolved.kind === 'refused') {
    return { ok: false, message: resolved.message, origin: 'service' };
  }
  const limit = limits.compiledSize ?? DEFAULT_COMPILED_SIZE;
  if (resolved.kind === 'meaning' && compiledSize(resolved.meaning) > limit) {
    return { ok: false, message: `Compiled regex exceeds size limit of ${limit} bytes.`, origin: 'service' };
  }
  return { ok: true };
}
