import type { OldRateLimit } from '../model/old-rate-limit.ts';
import { matchesStars } from '../model/star-pattern.ts';

/** A request as an old rate limit sees it. */
export interface OldRequest {
  readonly host: string;
  /** The path without the query, which old rate limits ignore. */
  readonly path: string;
  readonly method: string;
  readonly scheme: string;
}

/**
 * Whether an old rate limit applies to a request (api.md 9.6): the request has one of its methods and schemes, its URL, and none of the URLs that
 * do not count. A URL is a host and a path; `*` stands for any text within either. Written from the specification of old rate limits alone,
 * without expressions, because the conversion is judged by it.
 */
export function isLimited({ request, bypassUrls }: OldRateLimit, asked: OldRequest): boolean {
  return (
    isAmong(request.methods, asked.method) &&
    isAmong(request.schemes, asked.scheme) &&
    isAt(request.url, asked) &&
    !bypassUrls.some((url) => isAt(url, asked))
  );
}

function isAmong(words: readonly string[], word: string): boolean {
  return words.length === 0 || words.includes('_ALL_') || words.includes(word.toUpperCase());
}

function isAt(url: string, { host, path, scheme }: OldRequest): boolean {
  const wanted = partsOf(url);
  return (
    (wanted.scheme === '*' || wanted.scheme === scheme) &&
    (wanted.host === '' || matchesStars(wanted.host.toLowerCase(), host.toLowerCase())) &&
    (wanted.path === '' || matchesStars(wanted.path, path))
  );
}

/** What `*` stands for in made-up requests. */
const FILLINGS = ['', 'x', 'x.y-z'];

/** Returns requests at and beside the URLs of an old rate limit, with its methods and with others. */
export function requestsAround({ request, bypassUrls }: OldRateLimit): readonly OldRequest[] {
  const methods = [
    ...new Set([...request.methods.filter((word) => word !== '_ALL_'), 'GET', 'POST', 'DELETE']),
  ];
  return [request.url, ...bypassUrls].flatMap((url) =>
    FILLINGS.flatMap((filling) => {
      const { host: hostPattern, path: pathPattern } = partsOf(url);
      const host = hostPattern.replaceAll('*', filling).toLowerCase();
      const path = pathPattern === '' ? '/' : pathPattern.replaceAll('*', filling);
      const plain = { host, path, method: methods[0] ?? 'GET', scheme: 'https' };
      return [
        plain,
        { ...plain, scheme: 'http' },
        ...methods.map((method) => ({ ...plain, method })),
        { ...plain, host: `x${host}` },
        { ...plain, host: `${host}.x` },
        { ...plain, path: `/x${path}` },
        { ...plain, path: `${path}x` },
      ];
    }),
  );
}

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  /** The path with its slash; empty where the URL is only a host. */
  readonly path: string;
}

function partsOf(url: string): UrlParts {
  const mark = url.indexOf('://');
  const scheme = mark < 0 ? '*' : url.slice(0, mark).toLowerCase();
  const rest = mark < 0 ? url : url.slice(mark + '://'.length);
  const slash = rest.indexOf('/');
  return slash < 0
    ? { scheme, host: rest, path: '' }
    : { scheme, host: rest.slice(0, slash), path: rest.slice(slash) };
}
