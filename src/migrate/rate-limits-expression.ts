import { quoteText } from '../expression/index.ts';
import type { OldRateLimit } from '../model/old-rate-limit.ts';

/** Returns the condition for the requests that an old rate limit applies to: URL, methods and schemes, without the URLs that do not count. */
export function requestExpression({ request, bypassUrls }: OldRateLimit): string {
  const { methods, schemes, url } = request;
  const terms = [
    ...urlTerms(url),
    ...(methods.length === 0 || methods.includes('_ALL_') ? [] : [methodTerm(methods)]),
    ...(schemes.length !== 1 || schemes[0] === '_ALL_' ? [] : [schemes[0] === 'HTTPS' ? 'ssl' : 'not ssl']),
    ...bypassUrls.map((bypass) => `not (${urlTerms(bypass).join(' and ') || 'true'})`),
  ];
  return terms.length === 0 ? 'true' : terms.join(' and ');
}

/** Returns the condition for the responses that count; null when all do. */
export function responseExpression({ response: { statuses, headers } }: OldRateLimit): string | null {
  const terms = [
    ...(statuses.length === 0 ? [] : [`http.response.code in {${statuses.join(' ')}}`]),
    ...headers.map(({ name, op, value }) => {
      const term = `any(http.response.headers[${quoteText(name.toLowerCase())}][*] eq ${quoteText(value)})`;
      return op === 'ne' ? `not ${term}` : term;
    }),
  ];
  return terms.length === 0 ? null : terms.join(' and ');
}

function methodTerm(methods: readonly string[]): string {
  const [only, ...others] = methods;
  return only !== undefined && others.length === 0
    ? `http.request.method eq ${quoteText(only)}`
    : `http.request.method in {${methods.map(quoteText).join(' ')}}`;
}

/** Returns the conditions for a URL with `*`, perhaps with a scheme; none where every URL matches. */
function urlTerms(url: string): readonly string[] {
  const [, scheme, rest = ''] = /^(?:(https?|\*):\/\/)?(.*)$/isu.exec(url) ?? [];
  const slash = rest.indexOf('/');
  const host = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  return [
    ...(scheme === undefined || scheme === '*' ? [] : [scheme.toLowerCase() === 'https' ? 'ssl' : 'not ssl']),
    ...hostTerm(host.toLowerCase()),
    ...pathTerm(path),
  ];
}

/** Returns the condition for a host, which reaches the rules as the visitor wrote it, in any case. */
function hostTerm(pattern: string): readonly string[] {
  if (/^\**$/u.test(pattern)) {
    return [];
  }
  return pattern.includes('*')
    ? [`http.host wildcard ${wildcard(pattern)}`]
    : [`lower(http.host) eq ${quoteText(pattern)}`];
}

function pathTerm(pattern: string): readonly string[] {
  if (/^(?:\**|\/\*+)$/u.test(pattern)) {
    return [];
  }
  return pattern.includes('*')
    ? [`http.request.uri.path strict wildcard ${wildcard(pattern)}`]
    : [`http.request.uri.path eq ${quoteText(pattern)}`];
}

function wildcard(pattern: string): string {
  return quoteText(pattern.replaceAll('\\', '\\\\').replaceAll(/\*+/gu, '*'));
}
