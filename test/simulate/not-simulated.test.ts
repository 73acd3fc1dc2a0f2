import { describe, expect, test } from 'vitest';
import { PHASES } from '../../src/model/phases.ts';
import type { NotSimulated, RequestWay } from '../../src/model/simulation.ts';
import type { SimulatedRuleset, SimulatedScope } from '../../src/simulate/scope-rules.ts';
import { account, custom, entry, execute, log, rule, send, skip, zone } from './build.ts';
import type { Sent } from './build.ts';
import { CACHE, CUSTOM, MANAGED, RATE, REDIRECT, RESPONSE_HEADERS, TRANSFORM } from './phases.ts';

const shared = (ruleset: SimulatedRuleset): SimulatedRuleset => ({
  ...ruleset,
  ownership: { kind: 'patterns', patterns: ['ours-*'] },
});

/** Declares every phase that the scope can have; those that are not given have no rules. */
function whole({ scope, rulesets }: SimulatedScope): SimulatedScope {
  const declared = new Set(rulesets.map(({ address }) => address.phase));
  const rest = PHASES.filter(
    ({ name, entrypoints }) => entrypoints.includes(scope.kind) && !declared.has(name),
  );
  return { scope, rulesets: [...rulesets, ...rest.map(({ name }) => entry([], name))] };
}

const everything = (...rulesets: readonly SimulatedRuleset[]): readonly SimulatedScope[] => [
  whole(account()),
  whole(zone(...rulesets)),
];

function told(way: RequestWay): readonly string[] {
  return way.notSimulated.map((one: NotSimulated) => {
    switch (one.kind) {
      case 'rules-of-others':
        return `others in ${one.phase}${one.ruleset === null ? '' : ` ${one.ruleset}`}`;
      case 'phases':
        return `${one.scope.kind}: ${one.phases.join(' ')}`;
      case 'account':
        return 'account';
      case 'settings':
        return one.settings.map(({ setting }) => setting).join(' ');
      case 'old-rules':
        return `${one.state} ${one.old}`;
      case 'assumption':
        return one.assumed;
      default:
        return `${one.kind} ${one.rule}`;
    }
  });
}

const from = (scopes: readonly SimulatedScope[], sent: Sent = {}) => {
  const way = send(scopes, sent);
  return { end: way.end?.rule ?? null, certain: way.certain, told: told(way) };
};

describe('the gaps of a simulation', () => {
  test('are none if all rules are declared', () => {
    expect(from(everything(entry([log('a')])))).toEqual({ end: null, certain: true, told: [] });
    expect(from(everything(entry([rule('a')])))).toEqual({ end: 'a', certain: true, told: [] });
  });

  test('include rules of others in an entry point we share, which may stand in front of ours', () => {
    expect(from(everything(shared(entry([rule('a')]))))).toEqual({
      end: 'a',
      certain: false,
      told: [`others in ${CUSTOM}`],
    });
  });

  test('exclude rules of others behind the end of the request or in a skipped phase', () => {
    const behind = from(everything(entry([rule('a')]), shared(entry([], RATE))));
    expect(behind).toEqual({ end: 'a', certain: true, told: [] });
    const skipped = from(
      everything(entry([skip('vip', { phases: [RATE] })]), shared(entry([rule('limit')], RATE))),
    );
    expect(skipped).toEqual({ end: null, certain: true, told: [] });
  });

  test('include old rules beside the rulesets, unless the request ends first or a rule skips their product', () => {
    const sent: Sent = {
      source: 'live',
      old: [
        { old: 'firewall-rules', state: 'in-force' },
        { old: 'rate-limits', state: 'unread' },
        { old: 'waf', state: 'in-force' },
      ],
    };
    expect(from(everything(entry([log('a')])), sent)).toEqual({
      end: null,
      certain: false,
      told: ['in-force firewall-rules', 'unread rate-limits', 'in-force waf'],
    });
    expect(from(everything(entry([rule('a')])), sent)).toEqual({
      end: 'a',
      certain: false,
      told: ['in-force firewall-rules'],
    });
    const to = { target_url: { value: 'https://shop.example/new' } };
    const moved = rule('moved', { action: 'redirect', action_parameters: { from_value: to } });
    const before = entry([moved], REDIRECT);
    expect(from(everything(before), sent)).toEqual({ end: 'moved', certain: true, told: [] });
    expect(from(everything(entry([skip('vip', { products: ['rateLimit', 'waf'] })])), sent).told).toEqual([
      'in-force firewall-rules',
    ]);
  });

  test('include rules of others in a custom ruleset only if it is executed', () => {
    const login = shared(custom('Login', [rule('a')]));
    expect(from(everything(entry([execute('run', 'custom:login')]), login)).told).toEqual([
      `others in ${CUSTOM} Login`,
    ]);
    expect(from(everything(entry([log('none')]), login)).told).toEqual([]);
  });

  test('include a rule that only the service can run or that cannot be evaluated', () => {
    const managed = entry([execute('managed', 'managed:x')], MANAGED);
    expect(from(everything(managed))).toEqual({ end: null, certain: false, told: ['rule managed'] });
    const odd = entry([rule('odd', { expression: 'is_timed_hmac_valid_v0()' })]);
    expect(from(everything(odd))).toEqual({ end: null, certain: false, told: ['rule odd'] });
  });

  test('include a rule whose action is newer than this version', () => {
    const newer = entry([rule('newer', { action: 'future' }), rule('a')]);
    expect(from(everything(newer))).toEqual({ end: 'a', certain: false, told: ['rule newer'] });
  });

  test('include the rules of a phase newer than this version, wherever the request ends', () => {
    const off = log('off');
    const newer = entry(
      [rule('newer', { expression: 'false' }), { ...off, content: { ...off.content, enabled: false } }],
      'http_request_to_come',
    );
    const way = send(everything(entry([rule('a')]), newer));
    expect(way).toMatchObject({ end: { rule: 'a' }, certain: false });
    expect(told(way)).toEqual(['rule newer']);
    expect(way.verdicts.map(({ rule: name, verdict }) => [name, verdict])).toEqual([
      ['a', 'matched'],
      ['newer', 'undecided'],
      ['off', 'disabled'],
    ]);
    const empty = entry([], 'http_request_to_come');
    expect(from(everything(entry([rule('a')]), empty)).certain).toBe(true);
  });

  test('include what a rule that is reached assumes about lists and sensitive values', () => {
    const listed = entry([rule('listed', { expression: 'ip.src in $bad' })]);
    expect(from(everything(listed))).toEqual({
      end: null,
      certain: false,
      told: ['nothing is in the list $bad'],
    });
    expect(from(everything(listed), { lists: { bad: [] } }).certain).toBe(true);
    const secret = entry([rule('secret', { expression: 'http.user_agent eq "<sensitive:KEY>"' })]);
    expect(from(everything(secret)).told).toEqual(['nothing has the sensitive value of KEY']);
    expect(from(everything(entry([rule('first')]), entry([log('x', 'ip.src in $bad')], RATE))).told).toEqual(
      [],
    );
  });

  test.each([
    ['/%2e%2e/admin', false],
    ['/a/../admin', false],
    ['/a//b', false],
    ['/%61dmin', false],
    ['/a\\b', false],
    ['/a%20b/..c/.d?x=//', true],
    ['/a%2Fb', true],
  ])('include URL normalization if it may change the path %s (certain: %s)', (request, certain) => {
    const way = from(everything(entry([log('a')])), { request });
    const assumed = certain ? [] : ['URL normalization leaves the path as it is'];
    expect(way).toEqual({ end: null, certain, told: assumed });
  });

  test('include undeclared phases and the account if they come before the end of the request', () => {
    expect(from([zone(entry([rule('a')], REDIRECT))])).toEqual({ end: 'a', certain: true, told: [] });
    expect(from([zone(entry([rule('a')]))])).toEqual({
      end: 'a',
      certain: false,
      told: [`zone: ${REDIRECT} ${TRANSFORM}`, 'account'],
    });
    expect(from([whole(account()), zone(entry([log('a')]))]).told).toEqual([
      `zone: ${REDIRECT} ${TRANSFORM} ${RATE} ${MANAGED} http_request_sbfm`,
    ]);
  });

  test('leave the end certain if they lie behind the request or only change settings', () => {
    const late = everything(shared(entry([], CACHE)), shared(entry([], RESPONSE_HEADERS)));
    expect(from(late, { response: {} })).toEqual({
      end: null,
      certain: true,
      told: [`others in ${CACHE}`, `others in ${RESPONSE_HEADERS}`],
    });
  });

  test('exclude custom rulesets of one name that live rules execute by id', () => {
    const [one, other] = ['a', 'b'].map((id) => ({ ...custom('Login', [log(`in-${id}`)]), id }));
    const scopes = everything(entry([execute('run', 'b')]), ...[one, other].flatMap((each) => each ?? []));
    const way = send(scopes, { source: 'live' });
    expect([way.certain, way.verdicts.map((said) => said.rule)]).toEqual([true, ['run', 'in-b']]);
  });

  test('exclude undeclared phases, but not a missing account, if the rules are live', () => {
    const live = send([account(), zone(entry([log('a')]))], { source: 'live' });
    expect([live.certain, told(live), live.source]).toEqual([true, [], 'live']);
    expect(told(send([zone()], { source: 'live' }))).toEqual(['account']);
  });
});
