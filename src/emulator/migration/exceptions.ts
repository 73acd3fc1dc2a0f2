import type { WafPageRule } from './carried.ts';

/** Where the managed rules run: everywhere, nowhere, or for requests that an expression describes. */
export interface Coverage {
  readonly enabled: boolean;
  readonly expression: string;
}

/**
 * Returns the expressions of the skip rules that replace page rules which switch the old WAF off: the URLs of the page
 * rule, except where a page rule with precedence switches it on (api.md 10.3; the form is assumed).
 */
export function pageRuleExceptions(pageRules: readonly WafPageRule[]): readonly string[] {
  return pageRules.flatMap((rule, index) =>
    rule.waf === 'off' ? [without(matching(rule.urls), winners(pageRules, index, 'on'))] : [],
  );
}

/**
 * Returns where the managed rules run after the migration: everywhere, unless the old WAF as a whole is off; then only
 * where page rules switch it on, or nowhere if none does (api.md 10.3; the form is assumed).
 */
export function coverage(
  { enabled }: Pick<Coverage, 'enabled'>,
  pageRules: readonly WafPageRule[],
): Coverage {
  const exceptions = pageRules.flatMap((rule, index) =>
    rule.waf === 'on' ? [without(matching(rule.urls), winners(pageRules, index, 'off'))] : [],
  );
  return enabled || exceptions.length === 0
    ? { enabled, expression: 'true' }
    : { enabled: true, expression: anyOf(exceptions) };
}

function winners(pageRules: readonly WafPageRule[], index: number, waf: 'on' | 'off'): readonly string[] {
  return pageRules
    .slice(0, index)
    .filter((rule) => rule.waf === waf)
    .map((rule) => matching(rule.urls));
}

function without(expression: string, others: readonly string[]): string {
  return others.length === 0 ? expression : `${expression} and not ${anyOf(others)}`;
}

function matching(urls: readonly string[]): string {
  return anyOf(urls.map((url) => `(http.request.full_uri wildcard ${quoted(fullPattern(url))})`));
}

function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' or ')})`;
}

/** Completes the URL pattern of a page rule, which may leave out the scheme and the path. */
function fullPattern(url: string): string {
  const withScheme = /^[a-z*]+:\/\//iu.test(url) ? url : `http*://${url}`;
  return /^[^/]*\/\/[^/]*$/u.test(withScheme) && !withScheme.endsWith('*') ? `${withScheme}/` : withScheme;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
