import { describe, expect, it, test } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { comesToEndEveryRequest } from '../../../src/plan/impact/every-request.ts';
import { opensAlone } from '../../../src/plan/impact/unprotected.ts';
import { conditionIn, timeSpans, whenText } from '../../../src/plan/impact/conditions.ts';
import { composeWindow } from '../../../src/expression/index.ts';
import { content, desiredRule, desiredRuleset, id, liveRuleset, SHOP } from '../build.ts';
import { planOne } from '../world.ts';

const PHASE = 'http_request_firewall_custom';
const NOW = 'http.request.timestamp.sec';
/** 2026-12-24 18:00 UTC, and an hour later. */
const [EVE, LATER] = [1_798_135_200, 1_798_138_800];

/** What a plan says of its only change, and drift of the opposite one. */
function told(before: RuleContent | null, after: RuleContent | null, phase = PHASE) {
  const plan = planOne(
    desiredRuleset(after === null ? [] : [desiredRule({ ref: 'rule', ...after })], {
      address: { kind: 'entrypoint', phase },
    }),
    liveRuleset(before === null ? [] : [{ id: id(1), ref: 'rule', content: before }], { phase }),
  );
  const [change] = plan.steps.flatMap(({ changes }) => changes);
  const protection = change?.protection;
  return {
    protects:
      protection === undefined || protection.kind === 'neutral'
        ? 'neutral'
        : `${protection.kind}: ${protection.reason}`,
    ends: change?.ends?.forth,
    opens: change?.opens?.forth,
    drift: driftChanges({ scopes: [plan] })[0]?.severity,
  };
}

/** 2026-12-24 18:00 UTC, and an hour later, as the window of a rule. */
const WINDOW = { from: EVE, until: LATER };
const windowed = (expression: string): string => composeWindow(expression, WINDOW);

const block = (expression: string): RuleContent => content({ expression });
const skip = (expression: string): RuleContent =>
  content({ action: 'skip', expression, action_parameters: { products: ['waf'] } });

describe('a condition with the time', () => {
  it.each([
    [`${NOW} lt 10`, ['true', 'false']],
    [`ssl and not ${NOW} ge 10`, ['ssl and not false', 'ssl and not true']],
    [`http.host eq "ü" and ${NOW} gt 10`, ['http.host eq "ü" and false', 'http.host eq "ü" and true']],
    [`${NOW} ge 10 and ${NOW} le 19`, ['false and true', 'true and true', 'true and false']],
    [`${NOW} in {10..19}`, ['false', 'true', 'false']],
    [`${NOW} ne 10`, ['true', 'false', 'true']],
    ['ssl', ['ssl']],
    [`len("${NOW} lt 10") eq 3`, [`len("${NOW} lt 10") eq 3`]],
    ['not a condition', ['not a condition']],
  ])('%s is told apart by its spans', (text, expected) => {
    expect(timeSpans([text]).map((span) => conditionIn(span, text))).toEqual(expected);
  });

  /** A comparison with the time that is true in every other one of many spans. */
  const often = (length: number, step = 2n): string =>
    `${NOW} in {${Array.from({ length }, (_, at) => `${BigInt(at) * step}..${BigInt(at) * step + step / 2n - 1n}`).join(' ')}}`;

  it('with very many borders is told apart by its answers', () => {
    const text = often(1000);
    expect(new Set(timeSpans([text]).map((span) => conditionIn(span, text)))).toEqual(
      new Set(['true', 'false']),
    );
  });

  it('with too many answers is left as it is', () => {
    const text = Array.from({ length: 10 }, (_, at) => often(1024 >> (at + 1), 2n << BigInt(at))).join(
      ' or ',
    );
    expect(timeSpans([text]).map((span) => conditionIn(span, text))).toEqual([text]);
  });

  it('of a rule that ends every request is found among very many borders, and behind many other changes', () => {
    expect(told(null, block(`${often(300)} or ${NOW} ge ${EVE}`)).ends).toMatch(
      /blocks every request .*from 2026-12-24 18:00 UTC/u,
    );
    const rules = Array.from({ length: 200 }, (_, at) =>
      desiredRule({ ref: `r${at}`, ...block(`not ssl and ${NOW} ge ${2 * at} and ${NOW} lt ${2 * at + 1}`) }),
    );
    const bomb = desiredRule({ ref: 'bomb', ...block(`${NOW} ge ${EVE}`) });
    const { steps } = planOne(
      desiredRuleset([...rules, bomb], { address: { kind: 'entrypoint', phase: PHASE } }),
      liveRuleset([], { phase: PHASE }),
    );
    const ends = steps.flatMap(({ changes }) => changes.filter(({ ends: found }) => found !== undefined));
    expect(ends.map(({ ref, ends: found }) => [ref, found?.forth])).toEqual([
      ['bomb', 'blocks every request from 2026-12-24 18:00 UTC'],
    ]);
  });

  it('is told in words', () => {
    const all = timeSpans([`${NOW} in {${EVE} ${LATER - 1}}`]);
    expect(all.map((span) => whenText([span], all))).toEqual([
      ' until 2026-12-24 18:00 UTC',
      ' from 2026-12-24 18:00 UTC until 2026-12-24 18:00:01 UTC',
      ' from 2026-12-24 18:00:01 UTC until 2026-12-24 18:59:59 UTC',
      ' from 2026-12-24 18:59:59 UTC until 2026-12-24 19:00 UTC',
      ' from 2026-12-24 19:00 UTC',
    ]);
    expect(whenText(all, all)).toBe('');
    expect(whenText(all.slice(1), all)).toBe(' from 2026-12-24 18:00 UTC');
    expect(whenText(timeSpans([`${NOW} lt -5`]).slice(0, 1), all)).toBe(' until second -5');
  });
});

describe('a rule whose time changes', () => {
  it.each<[string, RuleContent, RuleContent, string]>([
    [
      'a block that gets an end',
      block('ssl'),
      block(`ssl and ${NOW} lt ${EVE}`),
      'weakening: applies to fewer requests from 2026-12-24 18:00 UTC',
    ],
    [
      'a block that gets a beginning',
      block('ssl'),
      block(`ssl and ${NOW} ge ${EVE}`),
      'weakening: applies to fewer requests until 2026-12-24 18:00 UTC',
    ],
    [
      'a block that pauses',
      block('ssl'),
      block(`ssl and not (${NOW} ge ${EVE} and ${NOW} lt ${LATER})`),
      'weakening: applies to fewer requests from 2026-12-24 18:00 UTC until 2026-12-24 19:00 UTC',
    ],
    [
      'a block that lasts longer',
      block(`ssl and ${NOW} lt ${EVE}`),
      block(`ssl and ${NOW} lt ${LATER}`),
      'strengthening: applies to more requests from 2026-12-24 18:00 UTC until 2026-12-24 19:00 UTC',
    ],
    [
      'a block that changes from one time to another',
      block(`ssl and ${NOW} lt ${EVE}`),
      block(`ssl and ${NOW} ge ${EVE}`),
      'weakening: applies to fewer requests until 2026-12-24 18:00 UTC',
    ],
    [
      'an exception of a block that gets an end',
      block('not ip.src in {192.0.2.0/24}'),
      block(`not (ip.src in {192.0.2.0/24} and ${NOW} lt ${EVE})`),
      'strengthening: applies to more requests from 2026-12-24 18:00 UTC',
    ],
    [
      'a skip that gets an end',
      skip('ssl'),
      skip(`ssl and ${NOW} lt ${EVE}`),
      'strengthening: lets fewer requests past from 2026-12-24 18:00 UTC',
    ],
    [
      'a skip that lasts longer',
      skip(`ssl and ${NOW} lt ${EVE}`),
      skip(`ssl and ${NOW} lt ${LATER}`),
      'weakening: lets more requests past from 2026-12-24 18:00 UTC until 2026-12-24 19:00 UTC',
    ],
    [
      'a block that takes another condition from a day on, no narrower',
      block('http.host eq "a.shop.example"'),
      block(
        `(${NOW} lt ${EVE} and http.host eq "a.shop.example") or (${NOW} ge ${EVE} and http.host in {"a.shop.example" "b.shop.example"})`,
      ),
      'strengthening: applies to more requests from 2026-12-24 18:00 UTC',
    ],
    [
      'another spelling of the same time',
      block(`ssl and ${NOW} lt ${EVE}`),
      block(`ssl and not ${NOW} gt ${EVE - 1}`),
      'neutral',
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(told(before, after).protects).toBe(expected);
  });
});

describe('what concerns every request from a day on', () => {
  it.each<[string, RuleContent | null, RuleContent, string | undefined]>([
    [
      'a block that begins later',
      null,
      block(`${NOW} ge ${EVE}`),
      'blocks every request from 2026-12-24 18:00 UTC',
    ],
    [
      'a block that was over long ago',
      null,
      block(`${NOW} lt 1000000000`),
      'blocks every request until 2001-09-09 01:46:40 UTC',
    ],
    [
      'a block that begins earlier',
      block(`${NOW} ge ${LATER}`),
      block(`${NOW} ge ${EVE}`),
      'blocks every request from 2026-12-24 18:00 UTC until 2026-12-24 19:00 UTC',
    ],
    [
      'a block that begins later than before',
      block(`${NOW} ge ${EVE}`),
      block(`${NOW} ge ${LATER}`),
      undefined,
    ],
    ['a block of one host', null, block(`http.host eq "a.shop.example" and ${NOW} ge ${EVE}`), undefined],
  ])('%s ends', (_what, before, after, expected) => {
    expect(told(before, after).ends).toBe(expected);
    expect(comesToEndEveryRequest(before, after, { scope: SHOP, phase: PHASE })).toBe(expected);
  });

  it('a block that begins later ends, however many other rules have a window', () => {
    const others = Array.from({ length: 200 }, (_, at) =>
      content({ expression: composeWindow(`http.host eq "a${at}"`, { from: EVE + at, until: LATER + at }) }),
    );
    const bomb = block(composeWindow('true', { from: LATER }));
    const { steps } = planOne(
      desiredRuleset([...others, bomb].map((one, at) => desiredRule({ ref: `rule-${at}`, ...one }))),
      liveRuleset([]),
    );
    const ends = steps.flatMap(({ changes }) => changes.flatMap((one) => one.ends?.forth ?? []));
    expect(ends).toEqual(['blocks every request from 2026-12-24 19:00 UTC']);
  });

  it('a skip that begins later lets past', () => {
    const after = skip(`${NOW} ge ${EVE}`);
    const expected = 'lets every request past the old WAF from 2026-12-24 18:00 UTC';
    expect(told(null, after).opens).toBe(expected);
    expect(opensAlone(null, after, { scope: SHOP, phase: PHASE })).toBe(expected);
  });
});

describe('a rate limit that nobody gets along with', () => {
  const limit = (over: object, expression = 'true'): RuleContent =>
    content({
      expression,
      ratelimit: {
        characteristics: ['ip.src', 'cf.colo.id'],
        period: 10,
        requests_per_period: 1,
        mitigation_timeout: 86_400,
        ...over,
      },
    });

  it.each<[string, RuleContent, string | undefined]>([
    ['of each visitor', limit({}), 'blocks a visitor for 1 day after 1 request in 10 seconds'],
    [
      'of all visitors together',
      limit({ characteristics: ['cf.colo.id'], requests_per_period: 60, period: 60, mitigation_timeout: 0 }),
      'blocks all visitors of a data centre together after 60 requests in 1 minute',
    ],
    [
      'that counts whatever it stops',
      limit({ counting_expression: 'true' }, 'http.host ne ""'),
      'blocks a visitor for 1 day after 1 request in 10 seconds',
    ],
    [
      'for so long that a visit reaches it',
      limit({ requests_per_period: 4, period: 3600 }),
      'blocks a visitor for 1 day after 4 requests in 1 hour',
    ],
    [
      'that two pages at once reach',
      limit({ requests_per_period: 19 }),
      'blocks a visitor for 1 day after 19 requests in 10 seconds',
    ],
    [
      'that stops no longer than one page',
      limit({ requests_per_period: 10, mitigation_timeout: 10 }),
      undefined,
    ],
    [
      'that pages alone reach at the origin',
      limit({ requests_per_period: 4, period: 3600, requests_to_origin: true }),
      'blocks a visitor for 1 day after 4 requests in 1 hour',
    ],
    [
      'that lets pages pass to the origin',
      limit({ requests_to_origin: true, requests_per_period: 4 }),
      undefined,
    ],
    ['that lets a page pass', limit({ requests_per_period: 20 }), undefined],
    [
      'that many together do not meet',
      limit({ characteristics: ['cf.colo.id'], requests_per_period: 5000 }),
      undefined,
    ],
    ['of a login page', limit({}, 'http.request.uri.path eq "/login"'), undefined],
    ['that counts failures', limit({ counting_expression: 'http.response.code eq 401' }), undefined],
    [
      'that counts each path',
      limit({ characteristics: ['ip.src', 'cf.colo.id', 'http.request.uri.path'] }),
      undefined,
    ],
    ['that only logs', { ...limit({}), action: 'log' }, undefined],
    ['that is switched off', { ...limit({}), enabled: false }, undefined],
  ])('%s', (_whose, after, expected) => {
    expect(told(null, after, 'http_ratelimit').ends).toBe(expected);
    // Lowered to it from a limit with which everybody gets along.
    const before = { ...after, ratelimit: { ...after.ratelimit, requests_per_period: 10_000 } };
    expect(told(before, after, 'http_ratelimit').ends).toBe(expected);
    expect(told(after, { ...after, description: 'A limit' }, 'http_ratelimit').ends).toBeUndefined();
  });
});

describe('the window of a rule', () => {
  const [inside, outside] = [
    'from 2026-12-24 18:00 UTC until 2026-12-24 19:00 UTC',
    'until 2026-12-24 18:00 UTC and from 2026-12-24 19:00 UTC',
  ];
  const weakens = (reason: string) => `weakening: ${reason}`;
  const strengthens = (reason: string) => `strengthening: ${reason}`;

  it.each([
    ['of a block', block('ssl'), block(windowed('ssl')), weakens(`applies to fewer requests ${outside}`)],
    [
      'taken from a block',
      block(windowed('ssl')),
      block('ssl'),
      strengthens(`applies to more requests ${outside}`),
    ],
    ['of a skip', skip('ssl'), skip(windowed('ssl')), strengthens(`lets fewer requests past ${outside}`)],
    ['taken from a skip', skip(windowed('ssl')), skip('ssl'), weakens(`lets more requests past ${outside}`)],
  ])('%s is told with its times', (_name, before, after, expected) => {
    expect(told(before, after).protects).toBe(expected);
  });

  it('makes a block of every request one of these times', () => {
    expect(told(null, block(windowed('true'))).ends).toBe(`blocks every request ${inside}`);
  });
});

test('adding an exception with a window says when it lets requests past', () => {
  const after = content({
    action: 'skip',
    expression: windowed('ssl'),
    action_parameters: { phases: ['http_ratelimit'] },
  });
  expect(told(null, after).protects).toBe(
    'weakening: skips Rate limiting rules from 2026-12-24 18:00 UTC until 2026-12-24 19:00 UTC',
  );
});

describe('deleting a rule with a window', () => {
  it.each([
    ['block', WINDOW, /^weakening: no longer blocks what it matches; neutral from 2026-12-24 19:00 UTC on$/u],
    ['block', { from: EVE }, /^weakening: no longer blocks what it matches$/u],
    ['skip', WINDOW, /^strengthening: .*; neutral from 2026-12-24 19:00 UTC on$/u],
  ] as const)('%s within %j', (action, window, expected) => {
    const parameters = action === 'skip' ? { action_parameters: { phases: ['http_ratelimit'] } } : {};
    const before = content({ action, expression: composeWindow('ssl', window), ...parameters });
    const { protects } = told(before, null);
    expect(protects).toMatch(expected);
  });
});
