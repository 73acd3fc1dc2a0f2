import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { CUSTOM, TRANSFORM } from '../../simulate/phases.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import { planned, read } from '../world.ts';

/** Rules by their refs, in order. */
type Rules = Readonly<Record<string, RuleContent>>;

/** Plans from one set of rewrites to another, beside firewall rules that stay. */
function planBetween(before: Rules, after: Rules, firewall: Rules) {
  const live = (rules: Rules, first: number) =>
    liveRuleset(Object.entries(rules).map(([ref, said], at) => ({ id: id(first + at), ref, content: said })));
  const entry = (phase: string) => ({ kind: 'entrypoint', phase }) as const;
  const wanted = (rules: Rules, phase: string) =>
    desiredRuleset(
      Object.entries(rules).map(([ref, said]) => ({ ref, adopt: false, content: said, cause: CAUSE })),
      { address: entry(phase) },
    );
  return planned(
    planScope(
      {
        scope: { kind: 'zone', name: 'shop.example' },
        rulesetOwnership: 'declared',
        rulesets: [wanted(after, TRANSFORM)],
        cause: CAUSE,
      },
      read(
        new Map([
          [TRANSFORM, { ...live(before, 1), phase: TRANSFORM }],
          [CUSTOM, { ...live(firewall, 100), phase: CUSTOM }],
        ]),
        [entry(TRANSFORM), entry(CUSTOM)],
      ),
    ),
  );
}

const under = (start: string): string => `starts_with(http.request.uri.path, "${start}")`;
const to = (uri: JsonObject, expression: string): RuleContent =>
  content({ action: 'rewrite', action_parameters: { uri }, expression });
const path = (expression: string, condition: string): RuleContent => to({ path: { expression } }, condition);

const ADMIN = { admin: content({ expression: `${under('/admin')} and not ip.src in $office` }) };
const BOTS = {
  bots: content({
    expression: `http.request.uri.path contains "/catalog" and cf.bot_management.score lt 20`,
  }),
};
const QUERY = { sql: content({ expression: 'http.request.uri.query contains "select"' }) };
const PATTERN = { php: content({ expression: 'http.request.uri.path matches "[.]php$"' }) };
const SOFT = {
  soft: content({ action: 'managed_challenge', expression: under('/login') }),
  hard: content({ expression: 'ip.src in $attackers' }),
};
const OFFICE = {
  office: content({
    action: 'skip',
    action_parameters: { ruleset: 'current' },
    expression: under('/health'),
  }),
};
const NO_URL = { agents: content({ expression: 'http.user_agent contains "evil"' }) };
const RAW = { raw: content({ expression: 'starts_with(raw.http.request.uri.path, "/admin")' }) };

const KEEPS = 'keeps requests from rule admin (WAF custom rules), which sees only the new URL';
const ONE = { one: to({ path: { value: '/' } }, under('/admin')) };

describe('a new rewrite of the URL', () => {
  it.for<readonly [what: string, rewrite: RuleContent, firewall: Rules, said: string, proven?: false]>([
    ['hides a path from a block', ONE.one, ADMIN, KEEPS],
    ['hides a path by a prefix', path('concat("/v1", http.request.uri.path)', 'true'), ADMIN, KEEPS],
    ['is of other paths', to({ path: { value: '/' } }, under('/p/')), ADMIN, 'neutral'],
    [
      'still has what is searched for',
      path('concat("/catalog/product/", substring(http.request.uri.path, 3))', under('/p/')),
      BOTS,
      'neutral',
    ],
    [
      'moves one version of an interface into another',
      path('regex_replace(http.request.uri.path, "^/v1/", "/v2/old/")', under('/v1/')),
      { keys: content({ expression: `${under('/v2/')} and ip.src in $attackers` }) },
      'neutral',
    ],
    [
      'is computed, beside a pattern',
      path('concat("/files", http.request.uri.path)', 'true'),
      PATTERN,
      'may keep requests from rule php (WAF custom rules), which sees only the new URL',
      false,
    ],
    ['is of the query, beside a path', to({ query: { value: '' } }, 'true'), ADMIN, 'neutral'],
    [
      'is of the query',
      to({ query: { value: '' } }, 'true'),
      QUERY,
      'may keep requests from rule sql (WAF custom rules), which sees only the new URL',
      false,
    ],
    [
      'brings requests to a softer rule',
      to({ path: { value: '/login' } }, under('/enter')),
      SOFT,
      'may bring more requests to rule soft (WAF custom rules), which protects less than other rules',
      false,
    ],
    [
      'brings requests to a skip',
      to({ path: { value: '/health' } }, under('/ping')),
      OFFICE,
      'may bring more requests to rule office (WAF custom rules), which protects less than other rules',
      false,
    ],
    [
      'is read by nobody',
      to({ path: { value: '/' } }, 'true'),
      NO_URL,
      'replaces every page: every request gets /',
    ],
    ['leaves the raw path', ONE.one, RAW, 'neutral'],
    ['is switched off', { ...ONE.one, enabled: false }, ADMIN, 'neutral'],
    ['is said of a switched-off rule', ONE.one, { admin: { ...ADMIN.admin, enabled: false } }, 'neutral'],
  ])('%s', ([, rewrite, firewall, said, proven]) => {
    const [step] = planBetween({}, { one: rewrite }, firewall).steps;
    const protection = step?.changes[0]?.protection;
    expect(protection).toEqual(
      said === 'neutral'
        ? { kind: 'neutral' }
        : { kind: 'weakening', reason: said, ...(proven === undefined ? {} : { proven }) },
    );
  });
});

describe('a rewrite that changes', () => {
  const lead = { one: to({ path: { value: '/admin/old' } }, under('/old')) };
  it.each<readonly [what: string, before: Rules, after: Rules, said: string | undefined]>([
    ['is described', ONE, { one: { ...ONE.one, description: 'Front page' } }, 'neutral'],
    ['is narrowed', ONE, { one: { ...ONE.one, expression: under('/admin/x') } }, 'neutral'],
    ['is widened', { one: { ...ONE.one, expression: under('/admin/x') } }, ONE, KEEPS],
    ['goes', ONE, {}, 'neutral'],
    ['led to a block', lead, {}, 'no longer writes the URL that rule admin (WAF custom rules) matches'],
    ['leads to a block', {}, lead, 'neutral'],
  ])('%s', (_what, before, after, said) => {
    const [step] = planBetween(before, after, ADMIN).steps;
    const protection = step?.changes[0]?.protection;
    expect(protection?.kind === 'neutral' ? 'neutral' : protection?.reason).toBe(said);
  });

  it('is told in drift too', () => {
    const [change] = driftChanges({ scopes: [planBetween(ONE, {}, ADMIN)] });
    expect(change).toMatchObject({ severity: 'weakening', reason: KEEPS });
    const pattern = { one: path('concat("/files", http.request.uri.path)', 'true') };
    const [doubted] = driftChanges({ scopes: [planBetween(pattern, {}, PATTERN)] });
    expect(doubted).toMatchObject({ severity: 'weakening', proven: false });
  });
});
