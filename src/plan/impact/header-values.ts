/** Reads values of headers, as strictly as the browsers and caches that obey them: what is not understood proves nothing. */

/** Returns a test for values that are one of these. */
export function oneOf(...values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value.toLowerCase());
}

/** Whether a Permissions-Policy keeps every feature it names to the site itself, if to anybody (Permissions Policy, RFC 8941). */
export function keepsFeatures(value: string): boolean {
  return value
    .split(',')
    .every((member) => /^[\t ]*[a-z][a-z0-9-]*=(?:\( *(?:self)? *\)|self)[\t ]*$/.test(member));
}

/** As `keepsFeatures`, in the syntax of its forerunner Feature-Policy. */
export function keepsOldFeatures(value: string): boolean {
  return value.split(';').every((member) => /^[\t ]*[a-z][a-z-]*[\t ]+'(?:self|none)'[\t ]*$/i.test(member));
}

/** The directives of each policy of a Content-Security-Policy; of two with one name the first counts. */
function policiesOf(value: string): readonly ReadonlyMap<string, readonly string[]>[] {
  return value.split(',').map((policy) => {
    const directives = new Map<string, readonly string[]>();
    for (const directive of policy.split(';')) {
      const [name = '', ...sources] = directive.split(/[\t\n\f\r ]+/u).filter((word) => word !== '');
      const key = name.toLowerCase();
      if (!directives.has(key)) {
        directives.set(key, sources);
      }
    }
    return directives;
  });
}

/** Sources of scripts that somebody chose: keywords and hashes, or a host. A nonce in a rule is the same for everybody, who then knows it. */
const CHOSEN =
  /^(?:'(?:none|self|strict-dynamic|report-sample|wasm-unsafe-eval|unsafe-hashes|sha(?:256|384|512)-[\w+/=-]+)'|(?:https:\/\/)?(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/[^*'"]*)?)$/i;

/** Whether a Content-Security-Policy restricts scripts in elements and in attributes, and what they evaluate (Content Security Policy 3). */
export function restrictsScripts(value: string): boolean {
  return policiesOf(value).some((policy) => {
    const scripts = policy.get('script-src') ?? policy.get('default-src');
    const inElements = policy.get('script-src-elem') ?? scripts;
    const inAttributes = policy.get('script-src-attr') ?? scripts;
    return (
      inElements !== undefined &&
      inAttributes !== undefined &&
      [...(scripts ?? []), ...inElements, ...inAttributes].every((source) => CHOSEN.test(source))
    );
  });
}

/** Whether a Content-Security-Policy may send reports, which hold addresses of pages, to another host. */
export function reportsAway(value: string): boolean {
  const places = policiesOf(value).flatMap((policy) => policy.get('report-uri') ?? []);
  const groups = policiesOf(value).flatMap((policy) => policy.get('report-to') ?? []);
  return (
    !places.every((place) => /^\/(?![/\\])/u.test(place)) || !groups.every((group) => /^[\w-]+$/u.test(group))
  );
}

/** A directive of Cache-Control, with the comma after it (RFC 9111). */
const CACHE_DIRECTIVE = /[\t ]*([\w-]+)(?:=(?:"[^"\\]*"|[^\s",;=]+))?[\t ]*(?:,|$)/y;
const OPENS_CACHES = oneOf('public', 's-maxage', 'must-understand');

/** Whether caches of many visitors keep nothing. `must-understand` takes the effect of `no-store` away (RFC 9111, 5.2.2.3). */
export function keepsOutOfCaches(value: string): boolean {
  const directives = matchesAll(CACHE_DIRECTIVE, value)?.map(([whole, name = '']) =>
    whole.includes('=') ? `${name}=` : name,
  );
  return (
    directives !== undefined &&
    directives.some(oneOf('no-store', 'private')) &&
    !directives.some((directive) => OPENS_CACHES(directive.replace('=', '')))
  );
}

const LINK =
  /[\t ]*<[^<>]*>((?:[\t ]*;[\t ]*[\w-]+(?:[\t ]*=[\t ]*(?:"[^"\\]*"|[^\s",;<>=]+))?)*)[\t ]*(?:,|$)/y;
const LINK_PARAMETER = /;[\t ]*([\w-]+)(?:[\t ]*=[\t ]*(?:"([^"\\]*)"|([^\s",;<>=]+)))?[\t ]*/y;
const HINT =
  /^(?:alternate|author|canonical|dns-prefetch|help|license|next|preconnect|prefetch|preload|prev|search)$/i;

/** Whether all links of a header only hint at what a page needs, or tell of its relatives (RFC 8288). */
export function onlyHints(value: string): boolean {
  const links = matchesAll(LINK, value);
  return (
    links?.every(([, parameters = '']) => {
      const relations = matchesAll(LINK_PARAMETER, parameters.trim())?.flatMap(
        ([, name = '', quoted, bare = '']) => (name.toLowerCase() === 'rel' ? [quoted ?? bare] : []),
      );
      const [relation = '', ...more] = relations ?? [];
      return more.length === 0 && relation.split(' ').every((type) => HINT.test(type));
    }) ?? false
  );
}

/** Returns all matches of a sticky pattern, one right after the other; undefined if they do not reach the end. */
function matchesAll(pattern: RegExp, text: string): readonly RegExpExecArray[] | undefined {
  const found: RegExpExecArray[] = [];
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) {
      return undefined;
    }
    found.push(match);
    at += match[0].length;
  }
  return found;
}
