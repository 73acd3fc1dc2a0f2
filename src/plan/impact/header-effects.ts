import {
  keepsFeatures,
  keepsOldFeatures,
  keepsOutOfCaches,
  oneOf,
  onlyHints,
  reportsAway,
  restrictsScripts,
} from './header-values.ts';
import { transportSecuritySeconds } from '../../model/index.ts';
import type { EffectDirection } from './security-effect.ts';

/** A direction, or how to tell it from the value, which is undefined when it is computed for each request. */
type DirectionOfValue = EffectDirection | ((value: string | undefined) => EffectDirection);

/** What a header decides, told by its name. */
export interface DecidingHeader {
  /** Matches the whole name in lower case. */
  readonly names: RegExp;
  /** What setting it does. */
  readonly set: DirectionOfValue;
  /** What adding it beside the one of the origin does, where that differs from setting it. */
  readonly add?: DirectionOfValue;
  readonly remove: EffectDirection;
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
    // CGI hands it on as HTTP_PROXY (CVE-2016-5385, httpoxy).
    names: /^proxy$/,
    set: 'both',
    remove: 'protects',
    why: 'by which programs of the origin may take another proxy',
  },
  {
    // Next.js sends them to itself (CVE-2025-29927).
    names: /^x-(?:middleware|nextjs|invoke)-.*$|^x-(?:matched-path|now-route-matches)$/,
    set: 'both',
    remove: 'protects',
    why: 'by which the origin may leave out its own checks',
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
    names: /^(?:origin|referer|x-requested-with|apollo-require-preflight|sec-f.*)$|[cx]srf/,
    set: 'both',
    remove: 'both',
    why: 'by which the origin may tell forged requests',
  },
  {
    // RFC 9110 and 9112: two readings of one request let what the first allows reach the second. SOAP 1.1 and AWS: which operation it is.
    names:
      /^(?:content-(?:type|encoding|length|disposition)|transfer-encoding|te|trailer|connection|upgrade|expect|soapaction|x-amz-target)$/,
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

/** What a Content-Security-Policy does beside others. */
function policyDirection(value: string | undefined): EffectDirection {
  return value === undefined || reportsAway(value) ? 'both' : restrictsScripts(value) ? 'protects' : 'none';
}

const NOT_KNOWN = 'whose value is not known to protect';

/** A header by which a browser protects its user, with a test of values that do. Twice in one answer it may count in neither form. */
function guard(names: RegExp, protects: (value: string) => boolean): DecidingHeader {
  return {
    names,
    set: (value) => (value !== undefined && value !== '' && protects(value) ? 'protects' : 'both'),
    add: 'both',
    remove: 'permits',
    why: NOT_KNOWN,
  };
}

const STEERS = 'which steers browsers';
const CACHED = 'by which caches may keep pages of one visitor for others';

/** Response headers that decide what a browser does with an answer; the first row that fits counts. */
export const RESPONSE_HEADERS: readonly DecidingHeader[] = [
  {
    // Content Security Policy 3: of several policies all count, so one that is added opens nothing, but may report.
    names: /^content-security-policy$/,
    set: (value) => (policyDirection(value) === 'protects' ? 'protects' : 'both'),
    add: policyDirection,
    remove: 'permits',
    why: NOT_KNOWN,
  },
  // HTML standard; a browser that finds two of these takes none of them as it is.
  guard(/^cross-origin-embedder-policy$/, oneOf('require-corp', 'credentialless')),
  guard(
    /^cross-origin-opener-policy$/,
    oneOf('same-origin', 'same-origin-allow-popups', 'noopener-allow-popups'),
  ),
  guard(/^cross-origin-resource-policy$/, oneOf('same-origin', 'same-site')),
  guard(/^document-isolation-policy$/, oneOf('isolate-and-require-corp', 'isolate-and-credentialless')),
  guard(/^permissions-policy$/, keepsFeatures),
  guard(/^feature-policy$/, keepsOldFeatures),
  guard(
    /^referrer-policy$/,
    oneOf('no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'),
  ),
  guard(/^strict-transport-security$/, (value) => (transportSecuritySeconds(value) ?? 0) > 0),
  guard(/^x-content-type-options$/, oneOf('nosniff')),
  guard(/^x-frame-options$/, oneOf('deny', 'sameorigin')),
  guard(/^origin-agent-cluster$/, oneOf('?1')),
  guard(/^x-download-options$/, oneOf('noopen')),
  guard(/^integrity-policy$/, (value) => /^blocked-destinations=\( *(?:script|style)/.test(value)),
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
    // RFC 6266. A name may make a program of what was saved.
    names: /^content-disposition$/,
    set: (value) => (value?.toLowerCase() === 'attachment' ? 'protects' : 'both'),
    add: 'both',
    remove: 'permits',
    why: 'by which browsers may show what was only a download, or save it as a program',
  },
  {
    names: /^content-(?:encoding|length|range)$|^transfer-encoding$|^use-as-dictionary$/,
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
    // Prerendering, Fenced Frames.
    names: /^supports-loading-mode$/,
    set: 'permits',
    remove: 'protects',
    why: 'by which other pages may load this one, as its visitor sees it',
  },
  {
    // RFC 9111 and 9213: what a cache between here and the visitor keeps for others.
    names: /^(?:cache-control|surrogate-control|(?:cloudflare-)?cdn-cache-control)$/,
    set: (value) => (keepsOutOfCaches(value ?? '') ? 'protects' : 'both'),
    add: 'both',
    remove: 'both',
    why: CACHED,
  },
  {
    names: /^(?:expires|pragma|vary|no-vary-search)$/,
    set: 'both',
    remove: 'both',
    why: CACHED,
  },
  {
    // Reporting API, Network Error Logging: reports hold the addresses of pages.
    names: /^(?:report-to|reporting-endpoints|nel|[a-z-]+-report-only)$/,
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

/** Types whose content no browser runs on its own. */
const INERT =
  /^(?:text\/plain|text\/csv|application\/(?:json|octet-stream|problem\+json)|(?:image\/(?!svg)|font\/|audio\/|video\/)[\w.+-]+)\s*(?:;\s*charset=[\w"-]+\s*)?$/i;
