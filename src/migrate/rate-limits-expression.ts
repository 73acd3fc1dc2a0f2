import type { OldRateLimit } from '../model/old-rate-limit.ts';

/** The requests that an old rate limit is about: URL, methods, schemes, less the URLs that do not count. */
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

/** The responses that count; null when all do. */
export function responseExpression({ response: { statuses, headers } }: OldRateLimit): string | null {
  const terms = [
    ...(statuses.length === 0 ? [] : [`http.response.code in {${statuses.join(' ')}}`]),
    ...headers.map(({ name, op, value }) => {
      const term = `any(http.response.headers[${quoted(name.toLowerCase())}][*] eq ${quoted(value)})`;
      return op === 'ne' ? `not ${term}` : term;
    }),
  ];
  return terms.length === 0 ? null : terms.join(' and ');
}

function methodTerm(methods: readonly string[]): string {
  const [only, ...others] = methods;
  return only !== undefined && others.length === 0
    ? `http.request.method eq ${quoted(only)}`
    : `http.request.method in {${methods.map(quoted).join(' ')}}`;
}

/** Conditions for a URL with `*`, perhaps with a scheme; nothing where every URL matches. */
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

/** A host reaches the rules as the visitor wrote it, in any case. */
function hostTerm(pattern: string): readonly string[] {
  if (/^\**$/u.test(pattern)) {
    return [];
  }
  return pattern.includes('*')
    ? [`http.host wildcard ${wildcard(pattern)}`]
    : [`lower(http.host) eq ${quoted(pattern)}`];
}

function pathTerm(pattern: string): readonly string[] {
  if (/^(?:\**|\/\*+)$/u.test(pattern)) {
    return [];
  }
  return pattern.includes('*')
    ? [`http.request.uri.path strict wildcard ${wildcard(pattern)}`]
    : [`http.request.uri.path eq ${quoted(pattern)}`];
}

function wildcard(pattern: string): string {
  return quoted(pattern.replaceAll('\\', '\\\\').replaceAll(/\*+/gu, '*'));
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
