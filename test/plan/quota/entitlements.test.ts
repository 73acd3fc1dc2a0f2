import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';

const LIMIT = { characteristics: ['cf.colo.id', 'ip.src'], requests_per_period: 10 };

interface Case {
  readonly plan?: string;
  readonly kind?: Scope['kind'];
  readonly phase?: string;
  readonly live?: Partial<RuleContent>;
}

/** What the plan warns of when a zone gets a rule, without the step. */
function warnings(rule: Partial<RuleContent>, { plan, kind = 'zone', phase, live }: Case): readonly string[] {
  const address = { kind: 'entrypoint', phase: phase ?? 'http_request_firewall_custom' } as const;
  const rules = live === undefined ? [] : [liveRule(1, { ref: 'r', ...live })];
  const scope: Scope = { kind, id: id(1), name: 'shop.example', accountId: id(2) };
  const made = planScope(
    {
      scope: { kind, name: 'shop.example' },
      rulesetOwnership: 'declared',
      rulesets: [desiredRuleset([desiredRule({ ref: 'r', ...rule })], { address })],
      cause: CAUSE,
    },
    {
      scope: plan === undefined ? scope : { ...scope, plan },
      entries: [
        { address, slot: { kind: 'present', ruleset: liveRuleset(rules, { phase: address.phase }) } },
      ],
      catalogue: [],
    },
  );
  return made.kind === 'failed'
    ? [made.error.message]
    : made.findings.map(({ message }) => message.split(': ').slice(1).join(': '));
}

describe('a feature that takes a certain plan level', () => {
  const regex = { expression: 'http.request.uri.path matches "^/a"' };

  it('is warned of by rule, with the plan level that it takes', () => {
    expect(warnings(regex, { plan: 'pro' })).toEqual([
      'r uses regular expressions (matches), which needs the Business plan, or WAF Advanced; the zone is on the Pro plan. The service has the last word',
    ]);
    const limit = { ratelimit: { ...LIMIT, period: 3600, mitigation_timeout: 86_400 } };
    expect(warnings(limit, { plan: 'free', phase: 'http_ratelimit' })).toEqual([
      expect.stringMatching(
        /a counting period of 1 hour, which needs the Enterprise plan \(at most 10 seconds here\)/u,
      ),
      expect.stringContaining(
        'a mitigation timeout of 1 day, which needs the Business plan (at most 10 seconds here)',
      ),
    ]);
  });

  it('is warned of once for all rules that did not use it before', () => {
    const address = { kind: 'entrypoint', phase: 'http_request_firewall_custom' } as const;
    const scope = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2), plan: 'pro' } as const;
    const rules = ['a', 'b', 'old'].map((ref) => desiredRule({ ref, ...regex, description: 'new' }));
    const plan = (some: typeof rules): unknown => {
      const desired = { scope: { kind: 'zone', name: 'shop.example' }, cause: CAUSE } as const;
      const ruleset = liveRuleset([liveRule(1, { ref: 'old', ...regex })]);
      const made = planScope(
        { ...desired, rulesetOwnership: 'declared', rulesets: [desiredRuleset(some, { address })] },
        { scope, entries: [{ address, slot: { kind: 'present', ruleset } }], catalogue: [] },
      );
      return made.kind === 'failed' ? made.error : made.findings;
    };
    const step = 'zone:shop.example/http_request_firewall_custom';
    const says =
      'regular expressions (matches), which needs the Business plan, or WAF Advanced; the zone is on the Pro plan. The service has the last word';
    const warning = { kind: 'quota', effect: 'warn', step };
    expect(plan(rules)).toEqual([{ ...warning, message: `${step}: a, b use ${says}` }]);
    expect(plan(rules.slice(1))).toEqual([{ ...warning, rule: 'b', message: `${step}: b uses ${says}` }]);
  });

  const cases: readonly (readonly [string, string, Partial<RuleContent>])[] = [
    ['log', 'business', { action: 'log' }],
    ['host header', 'business', { action: 'route', action_parameters: { host_header: 'a.example' } }],
    ['SNI', 'pro', { action: 'route', action_parameters: { sni: { value: 'a.example' } } }],
    ['origin host', 'pro', { action: 'route', action_parameters: { origin: { host: 'a.example' } } }],
    [
      'cache key',
      'pro',
      { action: 'set_cache_settings', action_parameters: { cache_key: { custom_key: {} } } },
    ],
    [
      'counting expression',
      'pro',
      { ratelimit: { ...LIMIT, period: 60, mitigation_timeout: 60, counting_expression: 'ssl' } },
    ],
  ];

  const shop = { characteristics: ['cf.colo.id', 'http.host'], period: 10, mitigation_timeout: 10 };
  const ten = { ...LIMIT, period: 10 };

  const RATE = 'http_ratelimit';

  const limits: readonly (readonly [string, string, Partial<RuleContent>, string])[] = [
    ['the characteristic http.host, which needs the Enterprise plan', 'business', { ratelimit: shop }, RATE],
    [
      'a count by 2 characteristics besides the data centre, which needs the Business plan (at most 1 here)',
      'pro',
      { ratelimit: { ...shop, characteristics: ['cf.colo.id', 'ip.src', 'ip.src'] } },
      RATE,
    ],
    [
      'a mitigation timeout after a challenge',
      'business',
      { action: 'js_challenge', ratelimit: { ...ten, mitigation_timeout: 60 } },
      RATE,
    ],
    ['a mitigation timeout of 0', 'business', { ratelimit: { ...ten, mitigation_timeout: 0 } }, RATE],
    ['the default mitigation timeout of 0', 'business', { ratelimit: ten }, RATE],
    [
      'a score instead',
      'business',
      { ratelimit: { ...ten, mitigation_timeout: 10, score_per_period: 5 } },
      RATE,
    ],
    [
      'an edge TTL of 1 minute, which needs the Business plan (at least 1 hour here)',
      'pro',
      {
        action: 'set_cache_settings',
        action_parameters: { edge_ttl: { mode: 'override_origin', default: 60 } },
      },
      'http_request_cache_settings',
    ],
    [
      'regex_replace(), which needs',
      'free',
      {
        action: 'redirect',
        action_parameters: {
          from_value: { target_url: { expression: 'regex_replace(http.host, "^www", "")' } },
        },
      },
      'http_request_dynamic_redirect',
    ],
    [
      'regular expressions (matches)',
      'business',
      { ratelimit: { ...ten, mitigation_timeout: 10, counting_expression: 'http.host matches "^a"' } },
      RATE,
    ],
    [
      'a managed ruleset other than the free one, which needs the Pro plan',
      'free',
      { action: 'execute', action_parameters: { id: id(7) } },
      'http_request_firewall_managed',
    ],
    [
      'sensitive data detection',
      'business',
      { action: 'execute', action_parameters: { id: id(7) } },
      'http_response_firewall_managed',
    ],
    [
      'an expression other than true',
      'pro',
      { action: 'execute', expression: 'ssl', action_parameters: { id: id(7) } },
      'ddos_l7',
    ],
    [
      'an override with the action log',
      'pro',
      {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: id(7), overrides: { rules: [{ id: id(8), action: 'log' }] } },
      },
      'ddos_l7',
    ],
    [
      'cf.bot_management.score, which needs the Enterprise plan with an add-on',
      'business',
      { expression: 'cf.bot_management.score lt 30' },
      'http_request_firewall_custom',
    ],
  ];

  it.each(limits)('is warned of in its phase, but not on enterprise: %s on %s', (name, plan, rule, phase) => {
    expect(warnings(rule, { plan, phase })).toEqual([expect.stringContaining(name)]);
    expect(warnings(rule, { plan: 'enterprise', phase })).toEqual([]);
  });

  it('is not warned of on the free plan if that includes it', () => {
    const rule = { ratelimit: { ...ten, mitigation_timeout: 10 }, expression: 'http.host eq "a"' };
    expect(warnings(rule, { plan: 'free', phase: 'http_ratelimit' })).toEqual([]);
  });

  it.each(cases)('is warned of, but not on enterprise: %s on %s', (name, plan, rule) => {
    expect(warnings(rule, { plan })).toEqual([expect.stringContaining(name)]);
    expect(warnings(rule, { plan: 'enterprise' })).toEqual([]);
  });

  it('is not warned of if it is included, already live, or the plan level is unknown', () => {
    expect(warnings(regex, { plan: 'business' })).toEqual([]);
    expect(warnings({ ...regex, action: 'managed_challenge' }, { plan: 'free', live: regex })).toEqual([]);
    expect(warnings(regex, {})).toEqual([]);
    expect(warnings(regex, { plan: 'free', kind: 'account' })).toEqual([]);
    expect(warnings({ expression: 'http.host eq "matches"' }, { plan: 'free' })).toEqual([]);
  });

  it.each([
    ['free', 'pro', [expect.stringMatching(/is on the Free plan, and it is on the Pro plan/u)]],
    ['pro', 'pro_plus', []],
    ['pro', undefined, []],
  ] as const)('is judged anew where the files say %s and the zone is on %s', (plan, live, expected) => {
    const scope = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
    const made = planScope(
      { scope, rulesetOwnership: 'declared', rulesets: [], cause: CAUSE, plan, planCause: CAUSE },
      { scope: live === undefined ? scope : { ...scope, plan: live }, entries: [], catalogue: [] },
    );
    expect(made.kind === 'failed' ? [] : made.findings.map(({ message }) => message)).toEqual(expected);
  });

  it('is warned of on business, but not on enterprise, for a rate limit with a regular expression', () => {
    const rule = { ...regex, ratelimit: { ...LIMIT, period: 10, mitigation_timeout: 10 } };
    expect(warnings(rule, { plan: 'business', phase: 'http_ratelimit' })).toHaveLength(1);
    expect(warnings(rule, { plan: 'enterprise', phase: 'http_ratelimit' })).toEqual([]);
  });
});
