/** A seeded source of numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'curl/8.9.1',
  'python-requests/2.32.3',
];
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const COUNTRIES = ['us', 'de', 'gb', 'fr', 'in', 'br', 'jp', 'cn', 'nl', 'ru'];
const COLOS = ['FRA', 'IAD', 'LHR', 'NRT'];
const PLACES = [
  '/',
  '/products',
  '/cart',
  '/api/orders',
  '/login',
  '/search',
  '/static/app.js',
  '/img/logo.png',
];

/**
 * Returns a line of the dataset `http_requests` for each number: a mix of pages, parts of pages, an interface and scans, of visitors who come again,
 * with the columns that a job has when all are chosen.
 */
export function logpushRecords({
  host,
  seed,
}: {
  readonly host: string;
  readonly seed: number;
}): (index: number) => string {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[], skew = 2): Item | undefined =>
    items[Math.floor(random() ** skew * items.length)];
  const start = Date.UTC(2026, 10, 27, 8);
  return (index) => {
    const isScan = random() < 0.02;
    const isBot = random() < 0.03;
    const visitor = Math.floor(random() ** 3 * 200_000);
    const address = isBot
      ? `66.249.66.${visitor % 250}`
      : `${11 + (visitor % 180)}.${(visitor >> 8) % 250}.${visitor % 250}.${1 + (visitor % 200)}`;
    const path = isScan
      ? (pick(['/wp-login.php', '/.env', '/.git/config', '/admin', '/xmlrpc.php'], 1) ?? '/')
      : ((pick(PLACES) ?? '/') + (random() < 0.4 ? `/${Math.floor(random() * 5000)}` : '')).replace(
          '//',
          '/',
        );
    const query = random() < 0.3 ? `?page=${Math.floor(random() * 50)}&ref=mail` : '';
    const at = start + Math.floor((index * 3600_000) / 1_000_000);
    const agent = isBot ? BOT : isScan ? 'python-requests/2.32.3' : pick(AGENTS);
    const status = isScan ? 404 : random() < 0.95 ? 200 : 302;
    return JSON.stringify({
      BotDetectionIDs: [],
      BotDetectionTags: [],
      BotScore: isBot || isScan ? 2 : 30 + Math.floor(random() * 69),
      BotScoreSrc: 'Machine Learning',
      BotTags: [],
      CacheCacheStatus: 'dynamic',
      CacheReserveUsed: false,
      CacheResponseBytes: Math.floor(random() * 30000),
      CacheTieredFill: false,
      ClientASN: 1000 + (visitor % 400),
      ClientCity: 'Frankfurt am Main',
      ClientCountry: COUNTRIES[visitor % COUNTRIES.length],
      ClientDeviceType: 'desktop',
      ClientIP: address,
      ClientIPClass: isBot ? 'searchEngine' : 'noRecord',
      ClientRegionCode: 'HE',
      ClientRequestBytes: 1200 + Math.floor(random() * 900),
      ClientRequestHost: random() < 0.7 ? `www.${host}` : host,
      ClientRequestMethod: random() < 0.1 ? 'POST' : 'GET',
      ClientRequestPath: path,
      ClientRequestProtocol: 'HTTP/2',
      ClientRequestReferer: `https://www.${host}/`,
      ClientRequestScheme: 'https',
      ClientRequestSource: 'eyeball',
      ClientRequestURI: `${path}${query}`,
      ClientRequestUserAgent: agent,
      ClientSSLCipher: 'AEAD-AES128-GCM-SHA256',
      ClientSSLProtocol: 'TLSv1.3',
      ClientSrcPort: 40_000 + (visitor % 20_000),
      ClientTCPRTTMs: 12,
      ClientXRequestedWith: '',
      EdgeColoCode: pick(COLOS),
      EdgeColoID: 12,
      EdgeEndTimestamp: at * 1e6 + 12_000_000,
      EdgePathingOp: 'wl',
      EdgePathingSrc: 'macro',
      EdgePathingStatus: 'nr',
      EdgeRequestHost: host,
      EdgeResponseBodyBytes: 12_345,
      EdgeResponseBytes: 13_000,
      EdgeResponseCompressionRatio: 3.1,
      EdgeResponseContentType: 'text/html',
      EdgeResponseStatus: status,
      EdgeServerIP: '172.70.1.1',
      EdgeStartTimestamp: at * 1e6,
      EdgeTimeToFirstByteMs: 80,
      JA3Hash: 'cd08e31494f9531f560d64c695473da9',
      JA4: 't13d1516h2_8daaf6152771_b186095e22b6',
      OriginDNSResponseTimeMs: 0,
      OriginIP: '198.51.100.7',
      OriginResponseDurationMs: 75,
      OriginResponseStatus: status,
      OriginSSLProtocol: 'TLSv1.2',
      ParentRayID: '00',
      RayID: (0x8e0000000000 + index).toString(16),
      SecurityAction: '',
      SecurityActions: [],
      SecurityRuleDescription: '',
      SecurityRuleID: '',
      SecurityRuleIDs: [],
      SecuritySources: [],
      VerifiedBotCategory: isBot ? 'Search Engine Crawler' : '',
      WAFAttackScore: isScan ? 8 : 95,
      WAFRCEAttackScore: 97,
      WAFSQLiAttackScore: 96,
      WAFXSSAttackScore: 98,
      WorkerCPUTime: 0,
      WorkerStatus: 'unknown',
      WorkerSubrequest: false,
      WorkerSubrequestCount: 0,
      ZoneName: host,
    });
  };
}
