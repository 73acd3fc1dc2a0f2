import { expect, test } from 'vitest';
import { convertPageRules, placedPageRules } from '../../../src/legacy/page-rules/page-rules-conversion.ts';
import type { PageRulesInput } from '../../../src/legacy/page-rules/page-rules-conversion.ts';
import type { PageRule, PageRuleAction } from '../../../src/legacy/page-rules/page-rule.ts';
import { planPageRuleRetirement } from '../../../src/legacy/page-rules/page-rules-retirement.ts';
import type { LiveRule } from '../../../src/model/rule.ts';

const ZONE = { cacheLevel: null };
const CACHE = 'http_request_cache_settings';

function pageRule(priority: number, url: string, ...actions: readonly PageRuleAction[]): PageRule {
  return { id: String(priority).padStart(32, '0'), urls: [url], actions, priority, active: true };
}

const bypass: PageRuleAction = { id: 'cache_level', value: 'bypass' };
const hour: PageRuleAction = { id: 'edge_cache_ttl', value: 3600 };
const foreign: LiveRule = {
  id: 'f'.repeat(32),
  ref: 'ours',
  content: {
    action: 'set_cache_settings',
    expression: 'http.request.uri.path eq "/admin/x"',
    description: '',
    enabled: true,
    action_parameters: { cache: true },
  },
};

/** The live rules after the conversion of some page rules. */
function converted(old: readonly PageRule[]): ReadonlyMap<string, readonly LiveRule[]> {
  const result = convertPageRules({ old, live: () => [], zone: ZONE });
  return new Map(
    (result.kind === 'converted' ? result.phases : []).map((phase) => [
      phase.phase,
      placedPageRules(phase, {
        made: ({ ref, content }): LiveRule => ({ id: ref, ref, content }),
        existing: (rule) => rule,
      }),
    ]),
  );
}

function retired(old: readonly PageRule[], live: ReadonlyMap<string, readonly LiveRule[]>) {
  const input: PageRulesInput = { old, live: (phase) => live.get(phase) ?? [], zone: ZONE };
  const result = planPageRuleRetirement({
    input,
    baseUrl: 'https://service.example',
    scope: { kind: 'zone', id: 'a'.repeat(32), name: 'shop.example', accountId: 'b'.repeat(32) },
    entrypoints: new Map(),
  });
  return result.kind === 'planned'
    ? {
        going: result.plan.steps.map(({ name }) => name),
        staying: Object.fromEntries(result.plan.kept.map(({ name, reason }) => [name, reason])),
      }
    : result;
}

const ADMIN = pageRule(2, 'shop.example/admin/*', bypass);
const ALL = pageRule(1, 'shop.example/*', hour);

test('page rules go from the last that is tried to the first', () => {
  expect(retired([ADMIN, ALL], converted([ADMIN, ALL]))).toEqual({
    going: ['shop.example/*', 'shop.example/admin/*'],
    staying: {},
  });
});

test('what is left of an earlier run goes too, since a rule does not depend on page rules behind it', () => {
  expect(retired([ADMIN], converted([ADMIN, ALL]))).toEqual({ going: ['shop.example/admin/*'], staying: {} });
});

test.each<
  [
    name: string,
    old: readonly PageRule[],
    live: ReadonlyMap<string, readonly LiveRule[]>,
    staying: Readonly<Record<string, string>>,
  ]
>([
  [
    'while one behind it stays that would act on its URLs',
    [ADMIN, pageRule(1, 'shop.example/*', hour, { id: 'always_online', value: 'on' })],
    converted([ADMIN, ALL]),
    {
      'shop.example/*': 'no rule takes over its always_online: only a whole zone has Always Online',
      'shop.example/admin/*': '“shop.example/*” stays, and would act on some of its URLs without it',
    },
  ],
  [
    'while the rules of one before it, on which its own count, are not live',
    [ADMIN, pageRule(1, 'shop.example/*', bypass)],
    new Map([
      [CACHE, (converted([ADMIN, pageRule(1, 'shop.example/*', bypass)]).get(CACHE) ?? []).slice(0, 1)],
    ]),
    {
      'shop.example/*':
        '“shop.example/admin/*” comes first on some of its URLs, and the rules that take over from that one are not all live',
      'shop.example/admin/*': `no live rule has the ref page-rule-${ADMIN.id}`,
    },
  ],
  [
    'where the live rules stand in another order',
    [ADMIN, ALL],
    new Map([[CACHE, (converted([ADMIN, ALL]).get(CACHE) ?? []).toReversed()]]),
    {
      'shop.example/*': `the live rules of ${CACHE} are in another order`,
      'shop.example/admin/*': `the live rules of ${CACHE} are in another order`,
    },
  ],
  [
    'where its rule overrides another that had precedence over the page rule',
    [ADMIN],
    new Map([[CACHE, [foreign, ...(converted([ADMIN]).get(CACHE) ?? [])]]]),
    {
      'shop.example/admin/*': `the live rule page-rule-${ADMIN.id} has to stand before ours, which has precedence over page rules`,
    },
  ],
])('a page rule stays %s', (_name, old, live, staying) => {
  expect(retired(old, live)).toEqual({ going: [], staying });
});

test('a redirect goes although one behind it stays: it ends the request before page rules are asked, unless URLs are rewritten', () => {
  const forwards = pageRule(2, 'shop.example/old/*', {
    id: 'forwarding_url',
    value: { url: 'https://shop.example/new', status_code: 301 },
  });
  const behind = pageRule(1, 'shop.example/*', { id: 'always_online', value: 'on' });
  const live = converted([forwards, behind]);
  expect(retired([forwards, behind], live)).toMatchObject({ going: ['shop.example/old/*'] });
  expect(
    retired([forwards, behind], new Map([...live, ['http_request_transform', [foreign]]])),
  ).toMatchObject({
    going: [],
  });
});
