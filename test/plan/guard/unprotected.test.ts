import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import type { Safety } from '../../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { guardAgain } from '../../../src/plan/guard/guard-again.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { CAUSE, content, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'http_request_firewall_managed';

interface Turn {
  /** The rules by their refs. */
  readonly before: Readonly<Record<string, RuleContent>>;
  readonly after: Readonly<Record<string, RuleContent>>;
  readonly phase?: string;
}

function planned({ before, after, phase = CUSTOM }: Turn) {
  const address: RulesetAddress = { kind: 'entrypoint', phase };
  const numbers = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const live = Object.entries(before).map(([ref, said]) => ({
    ...liveRule(numbers.indexOf(ref) + 1, { ref }),
    content: said,
  }));
  const rules = Object.entries(after).map(([ref, said]) => ({
    ref,
    adopt: false,
    content: said,
    cause: CAUSE,
  }));
  return planOne(desiredRuleset(rules, { address }), live.length === 0 ? null : liveRuleset(live, { phase }));
}

/** What guards find to let every request past, as effect, rule and reason. */
function told(turn: Turn, safety: Partial<Safety> = {}): readonly string[] {
  return guardScope(planned(turn), { ...DEFAULT_SAFETY, ...safety }, '2026-06-01').findings.flatMap(
    ({ kind, effect, rule = '', reason = '' }) =>
      kind === 'unprotected' ? [`${effect} ${rule}: ${reason}`] : [],
  );
}

const skip = (parameters: RuleContent['action_parameters'], expression = 'true') =>
  content({ action: 'skip', expression, action_parameters: parameters ?? {} });
const block = (path: string) => content({ expression: `http.request.uri.path eq "/${path}"` });
const LOGIN = 'http.request.uri.path eq "/login"';
const WAF = id(0xaaa);
const managed = (overrides?: object, expression = 'true') =>
  content({
    action: 'execute',
    expression,
    action_parameters: { id: WAF, ...(overrides === undefined ? {} : { overrides: { ...overrides } }) },
  });

const ALL = {
  ruleset: 'current',
  phases: ['http_ratelimit', MANAGED],
  products: ['uaBlock'],
};

describe('a skip that newly lets every request past', () => {
  it('is reported with what it skips', () => {
    const before = { a: block('a'), b: block('b') };
    expect(told({ before, after: { s: skip(ALL), ...before } })).toEqual([
      'warn s: now lets every request past Rate limiting rules, WAF managed rules, blocked user agents, 2 rules after it',
    ]);
  });

  it('is not reported for a phase that runs before it', () => {
    const past = (...phases: readonly string[]): readonly string[] =>
      told({ before: {}, after: { s: skip({ phases }) } });
    expect(past('http_request_dynamic_redirect')).toEqual([]);
    expect(past('http_request_dynamic_redirect', MANAGED)).toEqual([
      'warn s: now lets every request past WAF managed rules',
    ]);
  });

  it('is refused if the settings say so', () => {
    expect(told({ before: {}, after: { s: skip(ALL) } }, { unprotected: 'refuse' })).toEqual([
      'refuse s: now lets every request past Rate limiting rules, WAF managed rules, blocked user agents',
    ]);
  });

  it.each([
    ['all of IPv4', 'ip.src in {0.0.0.0/0}', 'every request over IPv4'],
    ['all but one address', 'ip.src ne 198.51.100.7', 'every ordinary request that was tried'],
    ["the zone's own name", 'http.host in {"shop.example"}', 'every request to shop.example'],
    ['all of its www', 'http.host eq "www.shop.example"', 'every request to www.shop.example'],
  ])('is reported for %s', (_name, expression, what) => {
    expect(told({ before: {}, after: { s: skip({ phases: [MANAGED] }, expression) } })).toEqual([
      `warn s: now lets ${what} past WAF managed rules`,
    ]);
  });

  it.each([
    ['one address', { s: skip(ALL, 'ip.src eq 198.51.100.7') }],
    ['one country', { s: skip(ALL, 'ip.src.country eq "DE"') }],
    ['one path of a name', { s: skip(ALL, `http.host eq "shop.example" and ${LOGIN}`) }],
    ['one that is off', { s: { ...skip(ALL), enabled: false } }],
    ['nothing behind it', { a: block('a'), s: skip({ ruleset: 'current' }) }],
    ['what comes with it', { s: skip({ ruleset: 'current' }), b: block('b') }],
  ])('is not reported for %s', (_name, after) => {
    expect(told({ before: { a: block('a') }, after: { a: block('a'), ...after } })).toEqual([]);
  });

  it('is reported only with what it did not skip before', () => {
    const before = { s: skip({ phases: [MANAGED] }) };
    expect(told({ before, after: { s: skip({ phases: [MANAGED, 'http_ratelimit'] }) } })).toEqual([
      'warn s: now lets every request past Rate limiting rules',
    ]);
    expect(told({ before, after: { s: { ...skip({ phases: [MANAGED] }), description: 'x' } } })).toEqual([]);
  });

  it('is reported with the rules that it moves in front of', () => {
    const [s, blocks] = [skip({ ruleset: 'current' }), { a: block('a'), b: block('b') }];
    expect(told({ before: { ...blocks, s }, after: { s, ...blocks } })).toEqual([
      'warn s: now lets every request past 2 rules after it',
    ]);
    expect(told({ before: { s, ...blocks }, after: { ...blocks, s } })).toEqual([]);
  });

  it('is reported with a ruleset that runs behind it, but not with one before it', () => {
    const [s, waf] = [skip({ rulesets: [WAF] }), managed()];
    expect(told({ before: { waf }, after: { s, waf }, phase: MANAGED })).toEqual([
      'warn s: now lets every request past the ruleset 00000000000000000000000000000aaa',
    ]);
    expect(told({ before: { waf }, after: { waf, s }, phase: MANAGED })).toEqual([]);
  });

  it('is reported by guardAgain even if the plan file does not say so', () => {
    const plan = planned({ before: {}, after: { s: skip(ALL) } });
    const steps = plan.steps.map((step) => ({
      ...step,
      changes: step.changes.map((change) => ({ ...change, opens: {} })),
    }));
    const { scopes } = guardAgain(
      makePlan('emulator', [{ ...plan, steps }], []),
      DEFAULT_SAFETY,
      '2026-06-01',
    );
    expect(scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.findings : []))).toContainEqual(
      expect.objectContaining({
        kind: 'unprotected',
        reason: 'now lets every request past Rate limiting rules, WAF managed rules, blocked user agents',
      }),
    );
  });
});

describe('skips that let every request past only together', () => {
  const half = skip({ phases: [MANAGED] }, 'ip.src.continent eq "EU"');
  const other = skip({ phases: [MANAGED], ruleset: 'current' }, 'ip.src.continent ne "EU"');
  const together = 'now lets, with other rules, every ordinary request that was tried past';

  it('are reported: each change that completes them', () => {
    const a = block('a');
    expect(told({ before: { half, a }, after: { half, other, a } })).toEqual([
      `warn other: ${together} WAF managed rules`,
    ]);
    expect(told({ before: { a }, after: { half, other, a } })).toEqual([
      `warn half: ${together} WAF managed rules`,
      `warn other: ${together} WAF managed rules`,
    ]);
    const narrow = { ...other, expression: 'ip.src.country eq "BR"' };
    expect(told({ before: { half, narrow }, after: { half, narrow: other } })).toEqual([
      `warn narrow: ${together} WAF managed rules`,
    ]);
  });

  it('are reported when one moves in front of what the others skip', () => {
    const rest = { ...half, action_parameters: { ruleset: 'current' } };
    const blocks = { a: block('a'), b: block('b') };
    expect(told({ before: { rest, ...blocks, other }, after: { rest, other, ...blocks } })).toEqual([
      `warn other: ${together} 2 rules after it`,
    ]);
  });

  it('are not reported if they did so before, skip different things, or leave some requests', () => {
    const both = { half, other };
    expect(told({ before: both, after: { ...both, more: skip({ phases: [MANAGED] }, LOGIN) } })).toEqual([]);
    expect(told({ before: both, after: { half: { ...half, description: 'x' }, other } })).toEqual([]);
    const limits = { ...other, action_parameters: { phases: ['http_ratelimit'] } };
    expect(told({ before: { half }, after: { half, limits } })).toEqual([]);
    const some = { ...other, expression: 'ip.src.continent eq "AS"' };
    expect(told({ before: { half }, after: { half, some } })).toEqual([]);
  });
});

describe('a rule that comes behind a skip of every request', () => {
  const s = skip({ ruleset: 'current' });

  it('is reported when it moves there', () => {
    const [a, b, c] = [block('a'), block('b'), block('c')];
    expect(told({ before: { a, s, b, c }, after: { s, b, c, a } })).toEqual([
      'warn a: now comes after skips that let every request past it',
    ]);
    expect(told({ before: { s, b, c, a }, after: { a, s, b, c } })).toEqual([]);
    expect(told({ before: { s, a, b, c }, after: { s, b, c, a } })).toEqual([]);
  });

  it('is not reported when it is new, or stops nothing', () => {
    const [a, b] = [block('a'), block('b')];
    expect(told({ before: { s, b }, after: { s, b, a } })).toEqual([]);
    const log = { ...a, action: 'log' };
    expect(told({ before: { log, s, b }, after: { s, b, log } })).toEqual([]);
  });
});

describe('protection that is switched off for every request', () => {
  const lost = 'now lets every request past its managed rules';
  it.each([
    ['goes', {}],
    ['is switched off', { waf: { ...managed(), enabled: false } }],
    ['is overridden to log', { waf: managed({ action: 'log' }) }],
    ['is overridden to be off', { waf: managed({ enabled: false }) }],
    ['runs another ruleset', { waf: { ...managed(), action_parameters: { id: id(0xbbb) } } }],
  ])('is reported for a rule that ran managed rules and %s', (_name, after) => {
    const other = { other: skip({ rulesets: [id(0xccc)] }, 'ip.src eq 198.51.100.7') };
    expect(
      told({ before: { waf: managed(), ...other }, after: { ...after, ...other }, phase: MANAGED }),
    ).toEqual([`warn waf: ${lost}`]);
  });

  it('is reported for a rule that now runs managed rules for no ordinary request', () => {
    const after = { waf: managed(undefined, LOGIN) };
    expect(told({ before: { waf: managed() }, after, phase: MANAGED })).toEqual([
      'warn waf: now lets every ordinary request that was tried past its managed rules',
    ]);
  });

  it.each([
    ['runs them for some', { waf: managed(undefined, 'ip.src.country ne "DE"') }],
    [
      'leaves a category on',
      { waf: managed({ action: 'log', categories: [{ category: 'x', action: 'block' }] }) },
    ],
    ['goes where another one runs them', { again: managed(undefined, 'ssl or not ssl') }],
    ['is there under another ref', { again: managed() }],
  ])('is not reported for a rule that %s', (_name, after) => {
    expect(told({ before: { waf: managed() }, after, phase: MANAGED })).toEqual([]);
  });

  it('is reported for an override of a ruleset that always runs', () => {
    const after = { ddos: managed({ sensitivity_level: 'eoff' }) };
    expect(told({ before: {}, after, phase: 'ddos_l7' })).toEqual([
      'warn ddos: now lets every request past HTTP DDoS protection',
    ]);
    expect(told({ before: after, after: {}, phase: 'ddos_l7' })).toEqual([]);
  });

  it('is reported for a setting', () => {
    const off = content({
      action: 'set_config',
      expression: 'true',
      action_parameters: { security_level: 'off', polish: 'off' },
    });
    expect(told({ before: {}, after: { off }, phase: 'http_config_settings' })).toEqual([
      'warn off: now lets every request past the security level',
    ]);
  });
});

describe('driftChanges', () => {
  it('tells that a live rule which the files do not have lets every request past', () => {
    const plan = planned({
      before: { s: skip({ phases: [MANAGED] }), a: block('a') },
      after: { a: block('a') },
    });
    expect(driftChanges({ scopes: [plan] })).toEqual([
      expect.objectContaining({ rule: 's', unprotected: 'lets every request past WAF managed rules' }),
    ]);
  });
});
