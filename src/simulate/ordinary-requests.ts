import type { Values } from '../expression/index.ts';
import { BROWSER_AGENT } from './browser.ts';
import { allFields } from './request-values.ts';
import { readScenario } from './read-scenario.ts';

interface Browser {
  readonly agent: string;
  readonly http: string;
  readonly tls: string;
  readonly ja3: string;
  readonly ja4: string;
}

const CHROME: Browser = {
  agent: BROWSER_AGENT,
  http: 'HTTP/3',
  tls: 'TLSv1.3',
  ja3: '0cce74b0d9b7f8528fb2181588d23793',
  ja4: 'q13d0312h3_55b375c5d22e_06cda9e17597',
};
const FIREFOX: Browser = {
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  http: 'HTTP/2',
  tls: 'TLSv1.2',
  ja3: '579ccef312d18482fc42e2b822ca2430',
  ja4: 't12d1715h2_5b57614c22b0_3d5424432f57',
};
const PHONE: Browser = {
  agent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  http: 'HTTP/2',
  tls: 'TLSv1.3',
  ja3: '773906b0efdefa24a7f2b8eb6985bf37',
  ja4: 't13d2014h2_a09f3c656075_14788d8d241b',
};

type Visitor = readonly [
  from: readonly [ip: string, country: string, continent: string],
  browser: Browser,
  language: string,
  /** What precedes the zone's name in the host. */
  prefix: '' | 'www.',
  target: string,
  /** The bot score: the higher it is, the more the service takes the visitor for a person. */
  score: number,
];

/**
 * Visitors who differ in everything by which a rule may divide traffic: their origin, their browser, what they request. They share what
 * ordinary traffic has in common: people who GET pages over TLS. So a rule for one part of the traffic misses a visitor, and a rule that
 * misses none leaves a site without visitors.
 */
const VISITORS: readonly Visitor[] = [
  [['91.64.12.7', 'DE', 'EU'], CHROME, 'de-DE', 'www.', '/products/blue-chair?color=blue', 97],
  [['2601:646:8a00::7', 'US', 'NA'], PHONE, 'en-US', '', '/about', 87],
  [['177.32.8.21', 'BR', 'SA'], FIREFOX, 'pt-BR', 'www.', '/search?q=chair', 76],
  [['2405:201:6003::15', 'IN', 'AS'], CHROME, 'en-IN', '', '/assets/app.js', 65],
  [['101.160.33.4', 'AU', 'OC'], PHONE, 'en-AU', 'www.', '/images/logo.png', 54],
  [['105.224.6.9', 'ZA', 'AF'], FIREFOX, 'en-ZA', '', '/blog/2026/spring', 43],
  [['2a02:c7c:5500::9', 'GB', 'EU'], CHROME, 'en-GB', 'www.', '/cart', 32],
  [['90.22.10.4', 'FR', 'EU'], PHONE, 'fr-FR', '', '/en/help/contact.html', 91],
  [['2400:4050:a000::3', 'JP', 'AS'], CHROME, 'ja-JP', 'www.', '/account/settings', 82],
  [['70.48.2.91', 'CA', 'NA'], FIREFOX, 'en-CA', '', '/api/products', 71],
];

/** The IPv4 addresses of the visitors in `VISITORS` who come over IPv6. Without these, a rule for all of IPv4 would miss whole continents. */
const OTHERWISE: readonly (readonly [visitor: number, ip: string])[] = [
  [1, '73.92.14.8'],
  [3, '49.36.12.15'],
  [6, '86.134.20.9'],
  [8, '126.44.8.3'],
];

/** The number of visitors, counted from the first, who also come for the first time and type the zone's name; one from each continent. */
const NEWCOMERS = 6;

/** A set of ordinary requests, one bit for each. */
export type Requests = number;

/** The requests of all visitors, over IPv4 and IPv6. */
export const ORDINARY: Requests = 2 ** VISITORS.length - 1;
/** The requests of the same visitors, all over IPv4. */
export const OVER_IPV4: Requests = OTHERWISE.reduce(
  (requests, [visitor], index) => (requests & ~(1 << visitor)) | (1 << (VISITORS.length + index)),
  ORDINARY,
);
/**
 * First visits: home pages requested without a query, a cookie or a referrer, and over HTTP/2, since a browser learns only from a response
 * that there is HTTP/3. A site that turns these away soon has no other visits.
 */
export const FIRST_VISITS: Requests = (2 ** NEWCOMERS - 1) << (VISITORS.length + OTHERWISE.length);
/** All ordinary requests. */
export const TRIED: Requests = ORDINARY | OVER_IPV4 | FIRST_VISITS;

/** Stand-ins for the zones of an account; there are two because an account has many, and a rule for one of them does not concern the others. */
const SOME_ZONES = ['example.com', 'example.net'];

/** Where ordinary requests go: a zone, or unspecified zones of an account; to both host names, or to `host` alone. */
export interface RequestDemand {
  readonly zone?: string | undefined;
  readonly host?: string | undefined;
}

/** What precedes the zone's name in the hosts that visitors request. */
const PREFIXES = [...new Set(VISITORS.map(([, , , prefix]) => prefix))];

/**
 * Whether an ordinary request may go to a host. True where this is unknown: for unspecified zones, and for a zone whose name is not a valid
 * host name.
 */
export function mayGoTo(host: string, { zone, host: only }: RequestDemand): boolean {
  if (zone === undefined || !/^[a-z0-9.-]+$/u.test(zone)) {
    return true;
  }
  return only === undefined ? PREFIXES.some((prefix) => host === `${prefix}${zone}`) : host === only;
}

type CachedRequests = (Values | undefined)[];

/** The requests to the last zone that were made so far, by host name. Callers ask about many rules of one zone in turn. */
let kept: { readonly zone: string | undefined; readonly requests: Map<string | undefined, CachedRequests> } =
  {
    zone: undefined,
    requests: new Map(),
  };
const ofSomeZones: CachedRequests = [];

/**
 * Returns the fields of an ordinary request as rules see them; undefined when its host name is invalid. Requests are made on demand,
 * because most rules match none of them whatever the zone.
 */
export function ordinaryRequest(bit: number, asked: RequestDemand): Values | undefined {
  const requests = asked.zone === undefined ? ofSomeZones : requestsTo(asked);
  return (requests[bit] ??= madeFor(bit, asked));
}

function requestsTo({ zone, host }: RequestDemand): CachedRequests {
  if (kept.zone !== zone) {
    kept = { zone, requests: new Map() };
  }
  const requests = kept.requests.get(host) ?? [];
  kept.requests.set(host, requests);
  return requests;
}

function madeFor(bit: number, { zone, host }: RequestDemand): Values | undefined {
  const isFirst = (FIRST_VISITS & (1 << bit)) !== 0;
  const [index, ip] = isFirst
    ? [bit - VISITORS.length - OTHERWISE.length]
    : (OTHERWISE[bit - VISITORS.length] ?? [bit]);
  const visitor = VISITORS[index];
  if (visitor === undefined) {
    return undefined;
  }
  const [[usual, ...from], browser, language, prefix, target, score] = isFirst ? newcomer(visitor) : visitor;
  const name = zone ?? SOME_ZONES[index % SOME_ZONES.length] ?? '';
  const url = `https://${host ?? `${prefix}${name}`}${target}`;
  return fieldsOf([[ip ?? usual, ...from], browser, language, prefix, target, score], {
    name,
    index,
    url,
    isFirst,
  });
}

/** Returns the attack scores of a request that nobody doubts, which differ from one to the next: below them are attacks (fields.json). */
function cleanScores(index: number): Readonly<Record<string, number>> {
  const [least, step, kinds] = [81, 4, 5];
  const score = least + step * (index % kinds);
  return Object.fromEntries(
    ['', '.sqli', '.xss', '.rce'].map((kind, more) => [`cf.waf.score${kind}`, Math.min(score + more, 98)]),
  );
}

function newcomer([from, browser, language, prefix, , score]: Visitor): Visitor {
  return [
    from,
    { ...browser, http: 'HTTP/2', ja4: `t${browser.ja4.slice(1)}` },
    language,
    prefix,
    '/',
    score,
  ];
}

function fieldsOf(
  [[ip, country, continent], browser, language, , target, score]: Visitor,
  {
    name,
    index,
    url,
    isFirst,
  }: {
    readonly name: string;
    readonly index: number;
    readonly url: string;
    readonly isFirst: boolean;
  },
): Values | undefined {
  const isOdd = index % 2 === 1;
  const been = isOdd ? { cookie: 'session=5b6e1c; theme=dark' } : { referer: `https://${name}/` };
  const read = readScenario({
    test: {
      request: {
        url,
        ip,
        headers: {
          'user-agent': browser.agent,
          accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
          'accept-encoding': 'gzip, deflate, br',
          'accept-language': `${language},en;q=0.5`,
          ...(isFirst ? {} : been),
        },
        fields: {
          'ip.src.country': country,
          'ip.src.continent': continent,
          'ip.src.is_in_european_union': country === 'DE' || country === 'FR',
          'ip.src.asnum': 3000 + 97 * index,
          'http.request.version': browser.http,
          'http.request.timestamp.sec': 1_790_000_000 + 86_413 * index,
          'http.request.timestamp.msec': 17 + 89 * index,
          'cf.edge.client_tcp': browser.http !== 'HTTP/3',
          'cf.tls_version': browser.tls,
          'cf.tls_cipher':
            browser.tls === 'TLSv1.3' ? 'AEAD-AES128-GCM-SHA256' : 'ECDHE-RSA-AES128-GCM-SHA256',
          'cf.bot_management.score': score,
          'cf.bot_management.ja3_hash': browser.ja3,
          'cf.bot_management.ja4': browser.ja4,
          'cf.bot_management.js_detection.passed': isOdd && !isFirst,
          'cf.bot_management.static_resource': /\.(?:js|png)$/u.test(target),
          ...cleanScores(index),
          'cf.waf.score.class': 'clean',
          'cf.api_gateway.auth_id_present': isOdd,
          'cf.waf.auth_detected': isOdd,
          'cf.random_seed': `seed ${index}`,
          'cf.ray_id': `91a7c3e5${index}f2b4d60`,
        },
      },
      response: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    },
    zone: name,
    path: [],
  });
  if (read.kind === 'invalid') {
    return undefined;
  }
  const { request, response } = read.scenario;
  const { status = 200, headers = [] } = response ?? {};
  return allFields({
    zone: { name, plan: 'ENT' },
    original: request,
    request,
    response: { status, headers, originHeaders: headers },
  });
}
