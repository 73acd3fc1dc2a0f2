// A thousand rules against ten thousand requests of one phase, where nothing matches, so that every rule is evaluated; compared with the same
// conditions as handwritten functions, and with reading the requests as JSON.
import { parseExpression } from '../src/expression/public.ts';
import { evaluationOf, prepareScope, readScenario, simulate } from '../src/simulate/index.ts';
import type { Scenario, SimulatedScope } from '../src/simulate/index.ts';
import { medianTime, printTable, round } from './table.ts';

const RULES = 1000;
const REQUESTS = 10_000;
const PHASE = 'http_request_firewall_custom';

interface Request {
  readonly url: string;
  readonly path: string;
  readonly method: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly country: string;
  readonly score: number;
}

type Rule = readonly [expression: string, byHand: (request: Request) => boolean];

/** What real rules look like; each with the same condition by hand. */
const SHAPES: readonly ((index: number) => Rule)[] = [
  (index) => [
    `http.request.uri.path eq "/admin/${index}" and not ip.src in {203.0.113.0/24}`,
    ({ path, ip }) => path === `/admin/${index}` && !ip.startsWith('203.0.113.'),
  ],
  (index) => [
    `starts_with(http.request.uri.path, "/api/${index}/") and http.request.method in {"PUT" "DELETE"}`,
    ({ path, method }) => path.startsWith(`/api/${index}/`) && (method === 'PUT' || method === 'DELETE'),
  ],
  (index) => [
    `http.user_agent contains "bot-${index}" or http.user_agent contains "crawler-${index}"`,
    ({ userAgent }) => userAgent.includes(`bot-${index}`) || userAgent.includes(`crawler-${index}`),
  ],
  (index) => [
    `ip.src in {10.${index % 250}.0.0/16 172.16.${index % 250}.0/24} and cf.bot_management.score lt 30`,
    ({ ip, score }) =>
      (ip.startsWith(`10.${index % 250}.`) || ip.startsWith(`172.16.${index % 250}.`)) && score < 30,
  ],
  (index) => [
    `ip.src.country in {"KP" "AQ" "X${index % 10}"} and not http.request.uri.path contains "/public/${index}"`,
    ({ country, path }) =>
      (country === 'KP' || country === 'AQ' || country === `X${index % 10}`) &&
      !path.includes(`/public/${index}`),
  ],
];

const rules = Array.from({ length: RULES }, (_, index) =>
  (SHAPES[index % SHAPES.length] ?? SHAPES[0])?.(index),
).filter((rule) => rule !== undefined);
const scope: SimulatedScope = {
  scope: { kind: 'zone', name: 'shop.example' },
  rulesets: [
    {
      address: { kind: 'entrypoint', phase: PHASE },
      rules: rules.map(([expression], index) => ({
        ref: `rule-${index}`,
        content: { action: 'block', expression, description: '', enabled: true },
      })),
    },
  ],
};
const requests = Array.from({ length: REQUESTS }, (_, index): Request => {
  const path = `/catalog/${index % 97}/product/${index}`;
  return {
    url: `https://shop.example${path}?page=${index % 7}`,
    path,
    method: index % 3 === 0 ? 'POST' : 'GET',
    ip: `198.51.100.${index % 256}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${index % 130}.0)`,
    country: ['DE', 'FR', 'US', 'BR'][index % 4] ?? '',
    score: 30 + (index % 60),
  };
});

function scenarioOf({ url, method, ip, userAgent, country, score }: Request): Scenario {
  const fields = { 'ip.src.country': country, 'cf.bot_management.score': score };
  const read = readScenario({
    test: { request: { url, method, ip, headers: { 'user-agent': userAgent }, fields } },
    zone: 'shop.example',
    path: [],
  });
  if (read.kind === 'invalid') {
    throw new Error(JSON.stringify(read.problems));
  }
  return read.scenario;
}

const evaluation = evaluationOf({});
const zone = { name: 'shop.example', plan: '' };
const prepared = { zone, scopes: [prepareScope(scope, evaluation)], source: 'files' } as const;
const scenarios = requests.map(scenarioOf);
const json = JSON.stringify(requests);
if (rules.some(([expression]) => !parseExpression(expression).ok)) {
  throw new Error('a rule does not parse');
}

let ended = 0;
const compile = await medianTime(5, () => prepareScope(scope, evaluation));
const read = await medianTime(3, () => requests.map(scenarioOf));
const run = await medianTime(3, () => {
  for (const scenario of scenarios) {
    ended += simulate(prepared, scenario).end === undefined ? 0 : 1;
  }
});
const alone = await medianTime(3, () =>
  scenarios.map((one) => simulate({ zone, scopes: [], source: 'files' }, one)),
);
const byHand = await medianTime(3, () => {
  for (const request of requests) {
    ended += rules.some(([, test]) => test(request)) ? 1 : 0;
  }
});
const parse = await medianTime(3, () => JSON.parse(json) as unknown);
if (ended > 0) {
  throw new Error('no request is meant to match');
}

printTable(`${RULES} rules and ${REQUESTS} requests through ${PHASE}`, [
  { what: 'compile the rules', ms: round(compile) },
  { what: 'read the requests', ms: round(read) },
  { what: 'send them through', ms: round(run) },
  { what: 'the same conditions by hand', ms: round(byHand) },
  { what: 'JSON.parse of the requests', ms: round(parse) },
]);
printTable('Ratios', [
  { what: 'simulation to conditions by hand', value: round(run / byHand) },
  { what: 'nanoseconds a rule and request', value: round((run * 1e6) / (RULES * REQUESTS)) },
  { what: 'requests a second', value: Math.round((REQUESTS * 1000) / run) },
  { what: 'microseconds a request without rules', value: round((alone * 1000) / REQUESTS) },
]);
