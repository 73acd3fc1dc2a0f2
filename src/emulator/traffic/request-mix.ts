import { FIELDS, fillDefaults, mapOfEntries } from '../../expression/index.ts';
import type { Value, Values } from '../../expression/index.ts';
import { parseIpAddress } from '../../data/index.ts';

/** A request that a visitor makes. */
export interface VisitorRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  /** Without `?`; empty if there is none. */
  readonly query: string;
  readonly agent: string;
  readonly ip: string;
  readonly country: string;
  /** From 1 (surely a bot) to 99. */
  readonly botScore: number;
  readonly isVerifiedBot: boolean;
}

/** Who visits, how often among a hundred, and what for. */
interface VisitorKind {
  readonly often: number;
  readonly methods: readonly string[];
  readonly targets: readonly string[];
  readonly agents: readonly string[];
  readonly scores: readonly number[];
  readonly isVerifiedBot?: true;
}

const VISITORS: VisitorKind = {
  often: 70,
  methods: ['GET', 'GET', 'GET', 'POST'],
  targets: [
    '/',
    '/products/1',
    '/products/2?colour=red',
    '/cart',
    '/login',
    '/search?q=shoes',
    '/static/app.js',
  ],
  agents: [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1',
    'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  ],
  scores: [80, 95, 99],
};

const KINDS: readonly VisitorKind[] = [
  VISITORS,
  {
    often: 15,
    methods: ['GET', 'POST', 'PUT'],
    targets: ['/api/orders', '/api/orders/7', '/api/stock?page=2'],
    agents: ['ShopApp/4.2', 'okhttp/4.12.0'],
    scores: [30, 45],
  },
  {
    often: 8,
    methods: ['GET'],
    targets: ['/', '/robots.txt', '/sitemap.xml', '/products/1'],
    agents: ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    scores: [1],
    isVerifiedBot: true,
  },
  {
    often: 7,
    methods: ['GET', 'POST'],
    targets: ['/wp-login.php', '/.env', '/admin', '/xmlrpc.php', '/?id=1%27%20or%201=1'],
    agents: ['curl/8.5.0', 'python-requests/2.32', ''],
    scores: [1, 2, 5],
  },
];

const COUNTRIES = ['DE', 'US', 'FR', 'GB', 'CH', 'JP', 'BR', 'IN'];

/** How many different requests a mix has: enough for each kind of visitor and target. */
const REQUESTS_IN_MIX = 200;

/** Makes the requests of a mix to a host and its `www`: the same ones for the same seed. */
export function makeRequests(seed: number, host: string): readonly VisitorRequest[] {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[], otherwise: Item): Item =>
    items[Math.floor(random() * items.length)] ?? otherwise;
  return Array.from({ length: REQUESTS_IN_MIX }, (): VisitorRequest => {
    const kind = kindAt(random() * 100);
    const [path = '/', query = ''] = pick(kind.targets, '/').split('?', 2);
    return {
      method: pick(kind.methods, 'GET'),
      host: random() < 0.5 ? host : `www.${host}`,
      path,
      query,
      agent: pick(kind.agents, ''),
      // Addresses for documentation, which nobody has (RFC 5737).
      ip: `${pick(['192.0.2', '198.51.100', '203.0.113'], '192.0.2')}.${1 + Math.floor(random() * 254)}`,
      country: pick(COUNTRIES, 'DE'),
      botScore: pick(kind.scores, 99),
      isVerifiedBot: kind.isVerifiedBot === true,
    };
  });
}

function kindAt(place: number): VisitorKind {
  let sum = 0;
  return (
    KINDS.find(({ often }) => {
      sum += often;
      return place < sum;
    }) ?? VISITORS
  );
}

/** A small generator of numbers from 0 to 1 that depend on the seed only (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const DEFAULTS: Values = fillDefaults(
  new Map(),
  new Map([...FIELDS.values()].map(({ name, type }) => [name, type])),
);

/** Returns the values that expressions see of a request, at a moment (milliseconds since 1970). */
export function requestValues(request: VisitorRequest, zone: string, now: number): Values {
  const { method, host, path, query, agent, ip, country, botScore, isVerifiedBot } = request;
  const target = query === '' ? path : `${path}?${query}`;
  const address = parseIpAddress(ip);
  const text = (value: string): Value => value;
  const headers = mapOfEntries(
    Object.entries({ host, 'user-agent': agent }).map(([name, value]) => [name, [text(value)]] as const),
  );
  const given: readonly (readonly [string, Value])[] = [
    ['http.request.method', method],
    ['http.request.version', 'HTTP/2'],
    ['http.host', host],
    ['http.user_agent', agent],
    ['http.request.headers', headers],
    ['http.request.full_uri', `https://${host}${target}`],
    ['http.request.uri', target],
    ['http.request.uri.path', path],
    ['http.request.uri.query', query],
    ['http.request.uri.args', argumentsOf(query)],
    ['http.request.timestamp.sec', Math.floor(now / 1000)],
    ['ip.src.country', country],
    ['ip.geoip.country', country],
    ['cf.bot_management.score', botScore],
    ['cf.bot_management.verified_bot', isVerifiedBot],
    ['cf.client.bot', isVerifiedBot],
    ['cf.waf.score', 100],
    ['cf.zone.name', zone],
    ['ssl', true],
    ...(address === undefined ? [] : [['ip.src', address] as const]),
  ];
  const values = new Map(DEFAULTS);
  for (const [name, value] of given) {
    values.set(name, value);
    if (name === 'http.request.full_uri' || name.startsWith('http.request.uri')) {
      values.set(`raw.${name}`, value);
    }
  }
  return values;
}

function argumentsOf(query: string): Value {
  const groups = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return mapOfEntries(groups);
}
