import { compileSearch } from '../regex/compile.ts';
import { compileCapture, parseWildcard } from '../values/wildcard.ts';
import type { BuiltFunction, FunctionBuilder } from './function.ts';

/**
 * Replaces the first match of a regular expression; without a match the source is returned unchanged. `${1}` to `${8}` stand for the
 * groups, `$$` for a dollar sign (functions.json).
 */
export const regexReplace: FunctionBuilder = ({ literals: [, pattern, replacement] }) => {
  if (typeof pattern !== 'string' || typeof replacement !== 'string') {
    return NOT_LITERAL;
  }
  const search = compileSearch(pattern);
  if (!search.ok) {
    return { ok: false, reason: `regular expression: ${search.reason}` };
  }
  return onBytes((source) => {
    const match = search.find(source);
    return match === undefined
      ? source
      : source.slice(0, match.start) + fillIn(replacement, match.groups) + source.slice(match.end);
  });
};

/**
 * Replaces a value that a wildcard pattern covers; any other value is returned unchanged. `${1}` to `${8}` stand for what the stars cover,
 * `$$` for a dollar sign; with the flag `s` letters are compared exactly (functions.json).
 */
export const wildcardReplace: FunctionBuilder = ({ literals: [, pattern, replacement, flags] }) => {
  if (typeof pattern !== 'string' || typeof replacement !== 'string') {
    return NOT_LITERAL;
  }
  const wildcard = parseWildcard(pattern);
  if (!wildcard.ok) {
    return { ok: false, reason: wildcard.message };
  }
  const capture = compileCapture(wildcard.pattern, flags === 's' ? 'exact' : 'fold');
  return onBytes((source) => {
    const captures = capture(source);
    return captures === undefined ? source : fillIn(replacement, captures);
  });
};

const NOT_LITERAL: BuiltFunction = { ok: false, reason: 'the pattern and the replacement must be literals' };

function onBytes(apply: (source: string) => string): BuiltFunction {
  return { ok: true, apply: ([source]) => (typeof source === 'string' ? apply(source) : undefined) };
}

/** Fills in the references of a replacement; a group that took no part in the match is empty. */
function fillIn(replacement: string, groups: readonly (string | undefined)[]): string {
  return replacement.replaceAll(/\$(?:\$|\{([1-8])\})/gu, (written, number: string | undefined) =>
    number === undefined ? written.slice(1) : (groups[Number(number) - 1] ?? ''),
  );
}
