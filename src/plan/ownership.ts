import type { RuleOwnership } from '../model/ruleset.ts';

/**
 * Whether a live rule is ours to change. With `patterns`, a rule whose `ref` equals its `id` was named
 * by nobody and never matches.
 */
export function owns(ownership: RuleOwnership, rule: { readonly id: string; readonly ref: string }): boolean {
  return ownership.kind === 'all' || (rule.ref !== rule.id && matchesAny(ownership.patterns, rule.ref));
}

/** Whether a `ref` matches one of the patterns, in which `*` stands for any text. */
export function matchesAny(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, ref));
}

/** Greedy left to right, so linear in the length of the text for each star: no backtracking to exploit. */
function matchesPattern(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) {
    return text === pattern;
  }
  const tail = rest.pop() ?? '';
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) {
    return false;
  }
  const end = text.length - tail.length;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) {
      return false;
    }
    at = found + part.length;
  }
  return true;
}
