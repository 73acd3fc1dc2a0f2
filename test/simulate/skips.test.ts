import { describe, expect, test } from 'vitest';
import { account, custom, entry, execute, log, rule, send, skip, verdicts, zone } from './build.ts';
import { CUSTOM, MANAGED, RATE } from './phases.ts';

const OWASP = 'managed:cloudflare-owasp-core-ruleset';
const MANAGED_SET = 'managed:cloudflare-managed-ruleset';
const RATE_RULE = rule('rate', { ratelimit: { requests_per_period: 1, period: 60 } });
const managed = entry([execute('managed', MANAGED_SET), execute('owasp', OWASP)], MANAGED);

describe('skip in the entry point of custom rules (api.md 5.4)', () => {
  test.each([
    [
      'the rest of the ruleset, and nothing else',
      { ruleset: 'current' },
      { before: 'matched', skip: 'matched', block: 'skipped', rate: 'matched' },
    ],
    [
      'a phase',
      { phases: [RATE] },
      { before: 'matched', skip: 'matched', block: 'matched', rate: 'unreached' },
    ],
    ['its own phase', { phases: [CUSTOM] }, { block: 'skipped', rate: 'matched' }],
    [
      'the rest of this phase',
      { phase: 'current', products: ['waf'] },
      { block: 'skipped', rate: 'matched' },
    ],
    [
      'ruleset and phase together',
      { ruleset: 'current', phases: [RATE] },
      { block: 'skipped', rate: 'skipped' },
    ],
    ['products only', { products: ['bic', 'hot'] }, { block: 'matched', rate: 'unreached' }],
  ])('skips %s', (_, parameters, expected) => {
    const scope = zone(
      entry([log('before'), skip('skip', parameters), rule('block')]),
      entry([RATE_RULE], RATE),
    );
    expect(verdicts(send([scope], { count: 5 }))).toMatchObject(expected);
  });

  test('is named in the verdict of the rule that it skips', () => {
    const way = send([zone(entry([skip('partners', { ruleset: 'current' }), rule('block')]))]);
    expect(way.verdicts[1]).toMatchObject({ verdict: 'skipped', why: 'by partners' });
    expect(way.end).toBeNull();
  });

  test('lists the products that it turns off', () => {
    const way = send([
      zone(entry([skip('a', { products: ['waf', 'bic'] }), skip('b', { products: ['bic', 'hot'] })])),
    ]);
    expect(way.skippedProducts).toEqual(['bic', 'hot', 'waf']);
  });

  test('does nothing if its rule does not match or is disabled', () => {
    const parameters = { ruleset: 'current' };
    const missed = rule('a', { action: 'skip', expression: 'not true', action_parameters: parameters });
    const disabled = rule('b', { action: 'skip', enabled: false, action_parameters: parameters });
    expect(verdicts(send([zone(entry([missed, disabled, rule('block')]))]))).toEqual({
      a: 'missed',
      b: 'disabled',
      block: 'matched',
    });
  });
});

describe('skip of managed rulesets', () => {
  test.each([
    ['by name', { rulesets: [OWASP] }, { managed: 'opaque', owasp: 'skipped' }],
    [
      'by the id that everybody knows',
      { rulesets: ['4814384a9e5d4991b9815dcfc25d2f1f'] },
      { managed: 'opaque', owasp: 'skipped' },
    ],
    ['all by phase', { phases: [MANAGED] }, { managed: 'skipped', owasp: 'skipped' }],
    [
      'all rules of one (a recorded oddity)',
      { rules: { [OWASP]: [] } },
      { managed: 'opaque', owasp: 'skipped' },
    ],
  ])('selects the rulesets: %s', (_, parameters, expected) => {
    expect(verdicts(send([zone(entry([skip('s', parameters)]), managed)]))).toMatchObject(expected);
  });

  test('names the single rules that are skipped inside a ruleset that is not simulated', () => {
    const way = send([zone(entry([skip('s', { rules: { [OWASP]: ['r1', 'r2'] } })]), managed)]);
    expect(way.verdicts.at(-1)?.why).toContain('but for rules that are skipped: r1, r2');
  });

  test('affects only the rules behind it if it stands in the managed phase itself', () => {
    const rules = [execute('first', OWASP), skip('s', { rulesets: [OWASP] }), execute('second', OWASP)];
    expect(verdicts(send([zone(entry(rules, MANAGED))]))).toEqual({
      first: 'opaque',
      s: 'matched',
      second: 'skipped',
    });
  });
});

describe('skip across levels', () => {
  const zoneSide = zone(entry([RATE_RULE], RATE), managed);
  const accountSide = (parameters: Parameters<typeof skip>[1]) =>
    account(entry([execute('run', 'custom:common')]), custom('Common', [skip('s', parameters)]));

  test('of a phase in the account applies to the zone', () => {
    const said = verdicts(send([accountSide({ phases: [RATE] }), zoneSide], { count: 5 }));
    expect(said).toMatchObject({ s: 'matched', rate: 'skipped' });
  });

  test('of a ruleset in the account does not apply to the zone', () => {
    const said = verdicts(send([accountSide({ rulesets: [OWASP] }), zoneSide]));
    expect(said).toMatchObject({ s: 'matched', owasp: 'opaque' });
  });

  test('of a phase in the zone does not apply to the account', () => {
    const above = account(entry([rule('above', { action: 'log' })], RATE));
    const said = verdicts(
      send([above, zone(entry([skip('s', { phases: [RATE] })]), entry([RATE_RULE], RATE))]),
    );
    expect(said).toMatchObject({ above: 'matched', rate: 'skipped' });
  });

  test('of the current ruleset in a custom ruleset ends that ruleset only', () => {
    const scope = zone(
      entry([execute('run', 'custom:login'), log('behind')]),
      custom('Login', [skip('s', { ruleset: 'current' }), rule('inner')]),
    );
    expect(verdicts(send([scope]))).toEqual({
      run: 'matched',
      s: 'matched',
      inner: 'skipped',
      behind: 'matched',
    });
  });

  test.each([{ phases: [CUSTOM] }, { phase: 'current' }])(
    'of the phase in a custom ruleset ends the entry point as well: %j',
    (parameters) => {
      const scope = zone(
        entry([execute('run', 'custom:login'), execute('next', 'custom:more'), rule('behind')]),
        custom('Login', [skip('s', parameters), rule('inner')]),
        custom('More', [rule('more')]),
      );
      const said = verdicts(send([scope]));
      expect(said).toMatchObject({ inner: 'skipped', next: 'skipped', behind: 'skipped' });
    },
  );

  test('of rules by id skips them in a custom ruleset', () => {
    const id = 'a'.repeat(32);
    const scope = zone(
      entry([skip('s', { rules: { 'custom:login': [id] } }), execute('run', 'custom:login')]),
      custom('Login', [rule('inner', { id }), log('other')]),
    );
    expect(verdicts(send([scope]))).toMatchObject({ inner: 'skipped', other: 'matched' });
  });

  test('of a whole custom ruleset keeps it from being executed', () => {
    const scope = zone(
      entry([skip('s', { rulesets: ['custom:login'] }), execute('run', 'custom:login')]),
      custom('Login', [rule('inner')]),
    );
    const way = send([scope]);
    expect(verdicts(way)).toEqual({ s: 'matched', run: 'skipped' });
    expect(way.end).toBeNull();
  });
});
