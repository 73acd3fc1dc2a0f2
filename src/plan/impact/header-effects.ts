import type { Role } from './security-effect.ts';

/** What a header decides, told by its name. */
export interface DecidingHeader {
  /** Matches the whole name in lower case. */
  readonly names: RegExp;
  /** What setting it does; `value` is undefined when it is computed for each request. */
  readonly set: Role | ((value: string | undefined) => Role);
  /** What adding it beside the one of the origin does, where that differs from setting it. */
  readonly add?: Role;
  readonly remove: Role;
  /** Goes on after the name of the header where setting it is not known to protect. */
  readonly why: string;
}

/**
 * Request headers that decide what the origin does; the first row that fits counts. A header by which a visitor could claim something is
 * safer gone. One that the service itself sends, or a browser for protection, is not.
 */
export const REQUEST_HEADERS: readonly DecidingHeader[] = [
  {
    // Symfony and Zend (CVE-2018-14773), IIS, Spring, Traefik, Envoy, WSGI: they serve this path instead of the one that rules have seen.
    names:
      /^x-(?:original|rewrite|override|request|proxy|forwarded)-(?:ur[il]|path|prefix)$|^x-(?:http-)?path-override$|^x-http-destinationurl$|^x-(?:envoy-original|replaced)-path$|^x-(?:forwarded-)?script-name$|^(?:base|request|destination)(?:-ur[il])?$/,
    set: 'both',
    remove: 'protects',
    why: 'by which the origin may serve another page',
  },
  {
    // Rails, Symfony, Express and ASP.NET: they act as if the request had this method.
    names: /^x-(?:http-)?method(?:-override)?$/,
    set: 'both',
    remove: 'protects',
    why: 'by which the origin may take another method',
  },
  {
    // RFC 7239 and its forerunners; what services in front of origins send (Cloudflare, Akamai, Fastly, Azure, Envoy, WebLogic, App Engine).
    names:
      /^(?:x-)?(?:original(?:ly)?-)?forwarded(?:-(?!client-cert|user|email|groups|preferred|access).*)?$|^(?:host|via|cdn-loop|true-client-ip|cf-(?:connecting|pseudo).*|cf-ip.*|cf-visitor|front-end-https)$|(?:^|-)(?:real|client|originating|remote|source|external|user)-?(?:ip|addr|address)$|^x-(?:host|http-host-override|original-host|cluster-client-ip|appengine-.*|scheme|url-scheme|arr-ssl|ssl)$/,
    set: 'both',
    remove: 'both',
    why: 'which tells the origin who asks, and how',
  },
  {
    // Fetch and HTML standards; what applications check against requests that other sites forge.
    names: /^(?:origin|referer|x-requested-with|sec-f.*)$|[cx]srf/,
    set: 'both',
    remove: 'both',
    why: 'by which the origin may tell forged requests',
  },
  {
    // RFC 9110 and 9112: two readings of one request let what the first allows reach the second.
    names:
      /^(?:content-(?:type|encoding|length|disposition)|transfer-encoding|te|trailer|connection|upgrade|expect)$/,
    set: 'both',
    remove: 'both',
    why: 'by which the origin reads the request in another way',
  },
  {
    names:
      /auth|token|secret|passw|credential(?!-check)|signature|jwt|session|cookie|key|cert|user(?!-agent)|admin|internal|role|verified|email|tenant|account|group|permission|privilege|scope|impersonat|identity|principal|subject|claim|consumer|trusted|bypass|debug|saml|oidc|sso(?:-|$)|cf-access|^dpop$/,
    set: 'both',
    remove: 'protects',
    why: 'which the origin may trust',
  },
];

const NOT_KNOWN = 'whose value is not known to protect';

/** A header by which a browser protects its user, with a test of values that do. Twice in one answer it may count in neither form. */
function guard(names: RegExp, protects: (value: string) => boolean, add: Role = 'both'): DecidingHeader {
  return {
    names,
    set: (value) => (value !== undefined && value !== '' && protects(value) ? 'protects' : 'both'),
    add,
    remove: 'permits',
    why: NOT_KNOWN,
  };
}

const STEERS = 'which steers browsers';

/** Response headers that decide what a browser does with an answer; the first row that fits counts. */
export const RESPONSE_HEADERS: readonly DecidingHeader[] = [
  // Content Security Policy 3: of several policies all count, so one that is added never opens anything.
  {
    ...guard(/^content-security-policy$/, restrictsScripts),
    add: 'none',
  },
  // HTML standard; a browser that finds two of these takes none of them as it is.
  guard(/^cross-origin-embedder-policy$/, oneOf('require-corp', 'credentialless')),
  guard(
    /^cross-origin-opener-policy$/,
    oneOf('same-origin', 'same-origin-allow-popups', 'noopener-allow-popups'),
  ),
  guard(/^cross-origin-resource-policy$/, oneOf('same-origin', 'same-site')),
  guard(/^(?:permissions|feature)-policy$/, (value) => !value.includes('*')),
  guard(
    /^referrer-policy$/,
    oneOf('no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'),
  ),
  guard(/^strict-transport-security$/, (value) => maxAge(value) > 0),
  guard(/^x-content-type-options$/, oneOf('nosniff')),
  guard(/^x-frame-options$/, oneOf('deny', 'sameorigin')),
  guard(/^origin-agent-cluster$/, oneOf('?1')),
  guard(/^x-download-options$/, oneOf('noopen')),
  guard(/^integrity-policy$/, (value) => value.includes('blocked-destinations')),
  // Adobe's cross-domain policy files, which PDF and old Flash players obey.
  guard(/^x-permitted-cross-domain-policies$/, oneOf('none', 'master-only')),
  {
    // Fetch, Resource Timing, CSP embedded enforcement, Storage Access.
    names:
      /^access-control-(?:allow|expose)-.*$|^timing-allow-origin$|^allow-csp-from$|^activate-storage-access$/,
    set: 'permits',
    remove: 'protects',
    why: 'by which other sites may read answers',
  },
  {
    // RFC 9110, HTML and Fetch standards; RFC 7838 for Alt-Svc. `none` and plain text run nothing.
    names: /^content-type$/,
    set: (value) => (value !== undefined && INERT.test(value) ? 'none' : 'both'),
    add: 'both',
    remove: 'both',
    why: 'by which browsers may run what was only text',
  },
  {
    // RFC 6266.
    names: /^content-disposition$/,
    set: (value) => (/^attachment(?:\s*;|$)/i.test(value ?? '') ? 'protects' : 'both'),
    add: 'both',
    remove: 'permits',
    why: 'by which browsers may show what was only a download',
  },
  {
    names: /^content-(?:encoding|length|range)$|^transfer-encoding$/,
    set: 'both',
    remove: 'both',
    why: 'by which browsers read the answer in another way',
  },
  {
    // RFC 8288: a style sheet from a header counts as one of the page.
    names: /^link$/,
    set: (value) => (value !== undefined && onlyHints(value) ? 'none' : 'both'),
    remove: 'none',
    why: 'by which pages may load what others made',
  },
  {
    // Service Workers, Speculation Rules, Origin Trials, Source Map.
    names: /^(?:service-worker-allowed|speculation-rules|origin-trial|x?-?sourcemap)$/,
    set: 'permits',
    remove: 'protects',
    why: 'by which scripts may reach further',
  },
  {
    // RFC 9111: what a cache between here and the visitor keeps for others.
    names: /^(?:cache-control|expires|pragma|vary|surrogate-control|(?:cloudflare-)?cdn-cache-control)$/,
    set: (value) =>
      /(?:^|[\s,])(?:no-store|private)(?:[\s,]|$)/i.test(value ?? '') && !/public|s-maxage/i.test(value ?? '')
        ? 'protects'
        : 'both',
    add: 'both',
    remove: 'both',
    why: 'by which caches may keep pages of one visitor for others',
  },
  {
    // Reporting API, Network Error Logging: reports hold the addresses of pages.
    names: /^(?:report-to|reporting-endpoints|nel|content-security-policy-report-only)$/,
    set: (value) => (value !== undefined && !/[/\\]|report-/i.test(value) ? 'none' : 'permits'),
    remove: 'none',
    why: 'by which browsers may send reports about pages to others',
  },
  {
    // RFC 9110 (Location, WWW-Authenticate), 6265, 7838, 9163; HTML (Refresh); Clear Site Data; FedCM.
    names: /^(?:location|refresh|set-cookie|alt-svc|clear-site-data|set-login|(?:www|proxy)-authenticate)$/,
    set: 'both',
    remove: 'both',
    why: STEERS,
  },
];

/** Returns what decides a header of one side, by its name in lower case. */
export function decidingHeader(table: readonly DecidingHeader[], name: string): DecidingHeader | undefined {
  return table.find(({ names }) => names.test(name));
}

/** The seconds of Strict-Transport-Security (RFC 6797). */
export function maxAge(value: string): number {
  return Number(/(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(value)?.[1] ?? 0);
}

/** Types whose content no browser runs on its own. */
const INERT =
  /^(?:text\/plain|text\/csv|application\/(?:json|octet-stream|problem\+json)|(?:image\/(?!svg)|font\/|audio\/|video\/)[\w.+-]+)\s*(?:;\s*charset=[\w"-]+\s*)?$/i;

/** Whether all links of a header only hint at what a page needs, or tell of its relatives. */
function onlyHints(value: string): boolean {
  const links = value.split(/,\s*(?=<)/u);
  return links.every((link) =>
    /;\s*rel\s*=\s*"?(?:alternate|author|canonical|dns-prefetch|help|license|next|preconnect|prefetch|preload|prev|search)"?\s*(?:;|$)/i.test(
      link,
    ),
  );
}

function oneOf(...values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value.toLowerCase());
}

/** Script sources that anybody could provide. */
const ANYBODY = /(?:^|\s)(?:\*|https?:|data:|blob:|'unsafe-(?:inline|eval)')(?:\s|$)/i;

/** Whether a policy restricts scripts; of two directives with one name the first counts. */
function restrictsScripts(policy: string): boolean {
  const directives = policy.split(';').map((directive) => directive.trim());
  const find = (name: RegExp): string | undefined => directives.find((directive) => name.test(directive));
  return !ANYBODY.test(find(/^script-src\s/i) ?? find(/^default-src\s/i) ?? '');
}
