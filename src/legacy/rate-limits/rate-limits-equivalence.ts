import type { Values } from '../../expression/index.ts';
import { decodeBytes, encodeBytes } from '../../expression/index.ts';
import type { Equivalence, RequestOutcome, RuleConversion, OldRateLimit } from '../conversion.ts';
import { compileCondition } from '../../simulate/index.ts';
import { matchesStars } from '../../text/index.ts';
import { generateRequests } from '../generated-requests.ts';
import type { Assignment } from '../generated-request.ts';
import { describeRequest, valuesOf } from '../generated-request.ts';
import { GENERATED_EVALUATION } from '../clause-values.ts';

/** A request as an old rate limit sees it. */
interface OldRequest {
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
function isLimited({ request, bypassUrls }: OldRateLimit, asked: OldRequest): boolean {
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
function requestsAround({ request, bypassUrls }: OldRateLimit): readonly OldRequest[] {
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

/**
 * Compares, on generated requests, which requests old rate limits apply to with which requests the new rules apply to. No single request can tell
 * how often and for how long a limit acts, nor what is counted by the response.
 */
export function checkRateLimits(conversions: readonly RuleConversion<OldRateLimit>[]): Equivalence {
  const { requests: generated, coverage } = generateRequests(
    conversions.map(({ ref, content }) => ({ name: ref, expression: content.expression })),
  );
  // Requests made from the rules alone would not show a condition that the conversion forgot.
  const requests = [
    ...generated,
    ...conversions.flatMap(({ old }) => requestsAround(old).map(assignmentOf)),
  ].filter((assignment) => textOf(valuesOf(assignment), 'http.request.uri.path').startsWith('/'));
  const ready = conversions.map(({ old, ref, content }) => ({
    old,
    ref,
    test: compileCondition(content.expression, GENERATED_EVALUATION).evaluate,
  }));
  const differences = requests.flatMap((assignment) => {
    const values = valuesOf(assignment);
    const asked = {
      host: textOf(values, 'http.host'),
      path: textOf(values, 'http.request.uri.path'),
      method: textOf(values, 'http.request.method'),
      scheme: values.get('ssl') === true ? 'https' : 'http',
    };
    const before = ready.filter(({ old }) => isLimited(old, asked)).map(({ ref }) => ref);
    const after = ready.filter(({ test }) => test(values)).map(({ ref }) => ref);
    return before.join() === after.join()
      ? []
      : [
          {
            kind: 'events' as const,
            request: describeRequest(assignment),
            before: counted(before),
            after: counted(after),
          },
        ];
  });
  return { requests: requests.length, coverage, differences };
}

function assignmentOf({ host, path, method, scheme }: OldRequest): Assignment {
  return new Map<string, string | boolean>([
    ['http.host', encodeBytes(host)],
    ['http.request.uri.path', encodeBytes(path)],
    ['http.request.method', method],
    ['ssl', scheme === 'https'],
  ]);
}

function counted(acted: readonly string[]): RequestOutcome {
  return { end: null, acted, skipped: [] };
}

function textOf(values: Values, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? (decodeBytes(value) ?? value) : '';
}
