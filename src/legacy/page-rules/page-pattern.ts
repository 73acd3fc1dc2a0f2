import { quoteText } from '../../expression/index.ts';
import { matchesStars } from '../../text/index.ts';

/**
 * The URL pattern of a page rule, for the conversion. Facts of the vendor's documentation ("Page Rules", wildcard matching and additional reference):
 * `*` stands for any text, also none, with `/` and the query; letters count without their case; a pattern without a scheme means both; the query
 * counts only where the pattern names it.
 */
export interface PagePattern {
  /** As the page rule has it. */
  readonly text: string;
  /** Conditions that a request has to meet, all of them; none where every request matches. */
  readonly conditions: readonly string[];
  /** The ways to fit, of which one is enough: with the query, which stars may take in, and without it. */
  readonly fits: readonly PatternFit[];
  /** The condition that one of several fits holds; null where there is only one. */
  readonly anyFit: string | null;
  /** Number of stars that a fit has before the first one of the page rule. */
  readonly offset: number;
  /** The URLs that may match, with their scheme, in lower case, as patterns with `*`; and some of which all match. */
  readonly urls: { readonly may: readonly string[]; readonly do: readonly string[] };
  readonly port: number | null;
  /** Number of stars. */
  readonly stars: number;
}

/** One way in which a URL fits a pattern, and where its stars are found. */
export interface PatternFit {
  readonly condition: string;
  readonly field: string;
  readonly pattern: string;
}

/** A pattern, or why no condition says the same. */
export type ReadPattern =
  | { readonly kind: 'read'; readonly pattern: PagePattern }
  | { readonly kind: 'unread'; readonly reason: string };

/** Reads the URL pattern of a page rule. */
export function readPattern(text: string): ReadPattern {
  const [, scheme = null, rest = ''] = /^(?:([a-z*]*):\/\/)?(.*)$/isu.exec(text) ?? [];
  if (/[^\u{21}-\u{7e}]/u.test(text)) {
    return unread('its pattern has blanks or letters beyond ASCII, which are never in a URL as it is sent');
  }
  const slash = rest.indexOf('/');
  const [, host = '', digits] =
    /^(.*?)(?::(\d{1,5}))?$/su.exec(slash < 0 ? rest : rest.slice(0, slash)) ?? [];
  const port = digits === undefined ? null : Number(digits);
  const path = slash >= 0 ? rest.slice(slash) : host.includes('*') || host.includes('?') ? '' : '/';
  const isPlainHost = !/[*?#]/u.test(host) && path !== '' && (scheme === null || isScheme(scheme));
  if (port !== null && !isPlainHost) {
    return unread('its pattern has a port behind a host with stars');
  }
  const whole = withoutDoubleStars(`${host}${path}`);
  if (scheme !== null && !isScheme(scheme) && !isAnyScheme(scheme)) {
    return unread(`its pattern begins with ${scheme}://`);
  }
  const { always, fits, offset } = isPlainHost
    ? onPlainHost({ scheme, host, port, path: withoutDoubleStars(path) })
    : onWholeUrl(scheme, whole);
  const [first] = fits;
  const anyFit = fits.length > 1 ? `(${fits.map(({ condition }) => condition).join(' or ')})` : null;
  return {
    kind: 'read',
    pattern: {
      text,
      port,
      stars: (text.match(/\*/gu) ?? []).length,
      urls: urlsOf(scheme, whole),
      fits,
      offset,
      anyFit,
      conditions: [...always, anyFit ?? first?.condition ?? ''].filter((one) => one !== ''),
    },
  };
}

function unread(reason: string): ReadPattern {
  return { kind: 'unread', reason };
}

function isScheme(text: string): boolean {
  return ['http', 'https'].includes(text.toLowerCase());
}

function isAnyScheme(text: string): boolean {
  return ['http', 'https'].every((scheme) => matchesStars(text.toLowerCase(), scheme));
}

function prefixes(scheme: string | null): readonly string[] {
  return scheme === null ? ['http://', 'https://'] : [`${scheme}://`];
}

function withoutDoubleStars(pattern: string): string {
  return pattern.replaceAll(/\*{2,}/gu, '*');
}

/** Whether the query of a URL does not count: the pattern names none, and no star at its end takes it in. */
function ignoresQuery(pattern: string): boolean {
  return !pattern.includes('?') && !pattern.endsWith('*');
}

function urlsOf(scheme: string | null, whole: string): PagePattern['urls'] {
  const plain = prefixes(scheme).map((prefix) => withoutDoubleStars(`${prefix}${whole}`).toLowerCase());
  const queried = ignoresQuery(whole) ? plain.map((url) => `${url}?*`) : [];
  // A star before the query may take in a `?`; then the rest is not the whole query, and the URL does not match.
  return {
    may: [...plain, ...queried],
    do: [...plain, ...queried.filter((url) => url.indexOf('*') > url.indexOf('?'))],
  };
}

interface Means extends Pick<PagePattern, 'fits' | 'offset'> {
  /** What has to hold beside a fit. */
  readonly always: readonly string[];
}

/** Host and path are separate fields where no star can reach from one into the other. */
function onPlainHost({
  scheme,
  host,
  port,
  path,
}: {
  readonly scheme: string | null;
  readonly host: string;
  readonly port: number | null;
  readonly path: string;
}): Means {
  const fit = (field: string): PatternFit => ({
    field,
    pattern: path,
    condition: path === '/*' ? '' : test(field, path),
  });
  const withQuery = fit('http.request.uri');
  const withoutQuery = fit('http.request.uri.path');
  return {
    always: [
      ...(scheme === null ? [] : [onlyScheme(scheme)]),
      test('http.host', host),
      ...(port === null ? [] : [`cf.edge.server_port eq ${port}`]),
    ],
    fits: !ignoresQuery(path) ? [withQuery] : path.includes('*') ? [withQuery, withoutQuery] : [withoutQuery],
    offset: 0,
  };
}

function onlyScheme(scheme: string): string {
  return scheme.toLowerCase() === 'https' ? 'ssl' : 'not ssl';
}

/**
 * `http*://` stands for both schemes only before a star, which takes in what is before a later `://`. Elsewhere, `http*://a` would also match
 * `https://b/?to=://a`.
 */
function onWholeUrl(scheme: string | null, whole: string): Means {
  const field = 'http.request.full_uri';
  const pattern =
    scheme === null ? withoutDoubleStars(`http*://${whole}`) : withoutDoubleStars(`${scheme}://${whole}`);
  const exact =
    scheme !== null || whole.startsWith('*') ? [pattern] : prefixes(scheme).map((one) => `${one}${whole}`);
  const isAll = scheme === null && /^\*(?:\/\*)?$/u.test(whole);
  const tests = exact.map((one) => test(field, one));
  const withQuery: PatternFit = {
    field,
    pattern,
    condition: isAll ? '' : tests.length === 1 ? tests.join('') : `(${tests.join(' or ')})`,
  };
  const parts = scheme !== null && isAnyScheme(scheme) ? `"https://", ${HOST_AND_PATH}` : HOST_AND_PATH;
  const path = test(`concat(${parts})`, scheme !== null && isAnyScheme(scheme) ? pattern : whole);
  const withoutQuery: PatternFit = {
    field,
    // The first `?` ends the path, so the stars stand for the same as without it.
    pattern: `${pattern}?*`,
    condition: scheme !== null && isScheme(scheme) ? `(${onlyScheme(scheme)} and ${path})` : path,
  };
  return {
    always: [],
    fits: ignoresQuery(whole) ? [withQuery, withoutQuery] : [withQuery],
    offset: scheme === null ? 1 : 0,
  };
}

const HOST_AND_PATH = 'http.host, http.request.uri.path';

function test(field: string, pattern: string): string {
  return `${field} wildcard ${wildcard(pattern)}`;
}

/** Returns a pattern as a literal of the rules language, in which only `*` has a meaning. */
export function wildcard(pattern: string): string {
  return quoteText(pattern.replaceAll('\\', '\\\\'));
}

/** Whether some URL may match both patterns: false is a proof that none does. */
export function mayMeet(one: PagePattern, other: PagePattern): boolean {
  return (
    (one.port === null || other.port === null || one.port === other.port) &&
    one.urls.may.some((url) => other.urls.may.some((another) => starsMeet(url, another)))
  );
}

/** Whether every URL that matches a pattern provably matches the other. */
export function isWithin(one: PagePattern, other: PagePattern): boolean {
  return (
    (other.port === null || other.port === one.port) &&
    one.urls.may.every((url) => other.urls.do.some((another) => starsCover(another, url)))
  );
}

/** Whether some text matches both patterns. Takes as many steps as the product of their lengths. */
function starsMeet(one: string, other: string): boolean {
  if (startsApart(one, other) || startsApart(reversed(one), reversed(other))) {
    return false;
  }
  // Whether what follows a place of `one` and each place of `other` can match one text, from the end to the start.
  let after: readonly boolean[] = tailsOf(other);
  for (const character of Array.from(one).toReversed()) {
    const here: boolean[] = [character === '*' && after.at(-1) === true];
    for (const [behind, another] of Array.from(other).toReversed().entries()) {
      const at = other.length - 1 - behind;
      const rest = here.at(-1) === true;
      here.push(
        character === '*' || another === '*'
          ? rest || after[at] === true
          : character === another && after[at + 1] === true,
      );
    }
    after = here.toReversed();
  }
  return after[0] === true;
}

/** Whether the texts before the first stars contradict each other: the most common reason, found at once. */
function startsApart(one: string, other: string): boolean {
  const [start = '', another = ''] = [one.split('*', 1)[0], other.split('*', 1)[0]];
  return !start.startsWith(another) && !another.startsWith(start);
}

function reversed(pattern: string): string {
  return Array.from(pattern).toReversed().join('');
}

/** Whether the rest of a pattern from each place on matches the empty text. */
function tailsOf(pattern: string): readonly boolean[] {
  return Array.from({ length: pattern.length + 1 }, (_, at) => /^\**$/u.test(pattern.slice(at)));
}

/** Stands for what a star covers, which only a star of another pattern covers for certain. */
const COVERED = '\0';

function starsCover(pattern: string, other: string): boolean {
  return matchesStars(pattern, other.replaceAll('*', COVERED));
}
