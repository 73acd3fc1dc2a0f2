// Expressions: parsed, against JSON.parse of the same text; evaluated, against an equal predicate written by hand.
import { Bench } from 'tinybench';
import { compileFilter } from '../src/expression/evaluate/compile-expression.ts';
import { parseExpression } from '../src/expression/parse/parse-expression.ts';
import type { Value, Values } from '../src/expression/values/value.ts';
import { printTable, round } from './table.ts';

/** Twenty clauses as rules have them; none holds for the requests below, so that all are looked at. */
const CLAUSES = [
  'http.host eq "admin.example.com"',
  'http.request.uri.path eq "/wp-login.php"',
  'starts_with(http.request.uri.path, "/api/internal/")',
  'ends_with(http.request.uri.path, ".env")',
  'http.request.uri.path contains "/../"',
  'lower(http.user_agent) contains "sqlmap"',
  'http.user_agent contains "masscan"',
  'http.request.method in {"TRACE" "CONNECT" "DEBUG"}',
  'ip.src in {192.0.2.0/24 198.51.100.0/24 203.0.113.7 203.0.113.64..203.0.113.95}',
  'ip.src.country in {"KP" "AQ" "XX" "T1"}',
  'ip.src.asnum in {64496 64500..64511 65551}',
  'cf.bot_management.score lt 10',
  'cf.waf.score le 20 and not cf.bot_management.verified_bot',
  'http.request.uri.query contains "union+select"',
  'http.request.uri.path wildcard "/old/*/index.php"',
  'http.request.uri.path matches "^/(backup|dump|old)/.*\\.(sql|zip|tar\\.gz)$"',
  'any(http.request.headers["x-forwarded-host"][*] eq "evil.example")',
  'len(http.request.uri.query) gt 2048',
  'http.referer eq "" and http.request.method eq "POST"',
  'not ssl and http.host eq "pay.example.com"',
];

const TEMPLATE = {
  host: 'www.example.com',
  path: '/products/shoes/42',
  query: 'color=red&size=10&utm_source=mail',
  method: 'GET',
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  referer: 'https://www.example.com/products',
  ip: 0xcb_00_71_c8,
  country: 'DE',
  asnum: 3320,
  botScore: 80,
  wafScore: 95,
  verifiedBot: false,
  ssl: true,
  headers: new Map<string, readonly string[]>([
    ['accept', ['text/html']],
    ['x-forwarded-host', ['www.example.com']],
  ]),
};
type Request = typeof TEMPLATE;

/** Requests that differ, as those of a site do: with one alone, the compiler would see constants. */
const REQUESTS: readonly Request[] = Array.from({ length: 64 }, (_, index) => ({
  ...TEMPLATE,
  path: `/products/${['shoes', 'Bags', 'hats', 'coats'][index % 4]}/${index}`,
  query: `color=red&size=${index}&utm_source=mail`,
  method: index % 5 === 0 ? 'POST' : 'GET',
  userAgent: `${TEMPLATE.userAgent} ${index}`,
  ip: TEMPLATE.ip + index * 65_536,
  country: ['DE', 'FR', 'US', 'BR'][index % 4] ?? '',
  asnum: TEMPLATE.asnum + index,
  botScore: 30 + index,
}));

function valuesOf(request: Request): Values {
  return new Map<string, Value>([
    ['http.host', request.host],
    ['http.request.uri.path', request.path],
    ['http.request.uri.query', request.query],
    ['http.request.method', request.method],
    ['http.user_agent', request.userAgent],
    ['http.referer', request.referer],
    ['ip.src', { family: 4, value: BigInt(request.ip) }],
    ['ip.src.country', request.country],
    ['ip.src.asnum', request.asnum],
    ['cf.bot_management.score', request.botScore],
    ['cf.waf.score', request.wafScore],
    ['cf.bot_management.verified_bot', request.verifiedBot],
    ['ssl', request.ssl],
    ['http.request.headers', request.headers],
  ]);
}

const METHODS = new Set(['TRACE', 'CONNECT', 'DEBUG']);
const COUNTRIES = new Set(['KP', 'AQ', 'XX', 'T1']);
const BACKUPS = /^\/(?:backup|dump|old)\/[^\n]*\.(?:sql|zip|tar\.gz)$/;
const OLD = /^\/old\/.*\/index\.php$/is;

function byHand(request: Request): boolean {
  const { ip, path, asnum } = request;
  return (
    request.host === 'admin.example.com' ||
    path === '/wp-login.php' ||
    path.startsWith('/api/internal/') ||
    path.endsWith('.env') ||
    path.includes('/../') ||
    request.userAgent.toLowerCase().includes('sqlmap') ||
    request.userAgent.includes('masscan') ||
    METHODS.has(request.method) ||
    (ip >= 0xc0_00_02_00 && ip <= 0xc0_00_02_ff) ||
    (ip >= 0xc6_33_64_00 && ip <= 0xc6_33_64_ff) ||
    ip === 0xcb_00_71_07 ||
    (ip >= 0xcb_00_71_40 && ip <= 0xcb_00_71_5f) ||
    COUNTRIES.has(request.country) ||
    asnum === 64_496 ||
    (asnum >= 64_500 && asnum <= 64_511) ||
    asnum === 65_551 ||
    request.botScore < 10 ||
    (request.wafScore <= 20 && !request.verifiedBot) ||
    request.query.includes('union+select') ||
    OLD.test(path) ||
    BACKUPS.test(path) ||
    (request.headers.get('x-forwarded-host') ?? []).includes('evil.example') ||
    request.query.length > 2048 ||
    (request.referer === '' && request.method === 'POST') ||
    (!request.ssl && request.host === 'pay.example.com')
  );
}

function compile(text: string): (values: Values) => boolean {
  const parsed = parseExpression(text);
  if (!parsed.ok || parsed.tree.mode !== 'filter') {
    throw new Error(`does not parse: ${text}`);
  }
  const compiled = compileFilter(parsed.tree.root);
  if (!compiled.ok) {
    throw new Error(`does not compile: ${text}`);
  }
  return compiled.evaluate;
}

const text = CLAUSES.map((clause) => `(${clause})`).join(' or ');
const json = JSON.stringify(text);
const evaluate = compile(text);
const values = REQUESTS.map(valuesOf);
if (values.some(evaluate) || REQUESTS.some(byHand)) {
  throw new Error('no request is meant to match');
}

// An attack: a pattern on which a backtracking search takes exponential time.
const attack = compile('http.request.uri.path matches "^(a+)+$"');
const hostile: Values = new Map([['http.request.uri.path', `${'a'.repeat(100_000)}!`]]);

const bench = new Bench({ time: 1000, warmupTime: 300 });
let hits = 0;
bench
  .add('predicate by hand, 64 requests', () => {
    hits += REQUESTS.filter(byHand).length;
  })
  .add('rule of 20 clauses, 64 requests', () => {
    hits += values.filter(evaluate).length;
  })
  .add('JSON.parse of its text', () => {
    hits += JSON.parse(json) === '' ? 1 : 0;
  })
  .add('rule of 20 clauses, parsed', () => {
    hits += parseExpression(text).ok ? 0 : 1;
  })
  .add('rule of 20 clauses, parsed and compiled', () => {
    hits += compile(text) === evaluate ? 1 : 0;
  })
  .add('^(a+)+$ against 100,000 bytes', () => {
    hits += attack(hostile) ? 1 : 0;
  });
await bench.run();
if (hits !== 0) {
  throw new Error('a result changed');
}

const times = new Map(
  bench.tasks.map((task) => [
    task.name,
    'latency' in task.result ? task.result.latency.p50 * 1000 : Number.NaN,
  ]),
);
const ratio = (name: string, base: string): number => round((times.get(name) ?? 0) / (times.get(base) ?? 1));
printTable(
  'Expressions, median microseconds',
  [...times].map(([name, microseconds]) => ({ what: name, µs: round(microseconds) })),
);
printTable('Ratios', [
  {
    what: 'evaluation to a predicate by hand',
    ratio: ratio('rule of 20 clauses, 64 requests', 'predicate by hand, 64 requests'),
  },
  { what: 'parsing to JSON.parse', ratio: ratio('rule of 20 clauses, parsed', 'JSON.parse of its text') },
]);
