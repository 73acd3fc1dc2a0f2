import { describe, expect, test } from 'vitest';
import { PHASES } from '../../src/model/phase.ts';
import type { NotSimulated, RequestWay } from '../../src/model/simulation.ts';
import { account, custom, entry, execute, log, rule, send, skip, zone } from './build.ts';
import type { Sent } from './build.ts';
import type { SimulatedRuleset, SimulatedScope } from '../../src/simulate/scope-rules.ts';
import { CACHE, CUSTOM, MANAGED, RATE, REDIRECT, RESPONSE_HEADERS, TRANSFORM } from './phases.ts';

const shared = (ruleset: SimulatedRuleset): SimulatedRuleset => ({
  ...ruleset,
  ownership: { kind: 'patterns', patterns: ['ours-*'] },
});

/** Declares every phase that a level can have, those that are not given without rules. */
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

describe('what is not simulated', () => {
  test('is nothing where all rules are there', () => {
    expect(from(everything(entry([log('a')])))).toEqual({ end: null, certain: true, told: [] });
    expect(from(everything(entry([rule('a')])))).toEqual({ end: 'a', certain: true, told: [] });
  });

  test('are rules of others beside ours, which may stand in front', () => {
    expect(from(everything(shared(entry([rule('a')]))))).toEqual({
      end: 'a',
      certain: false,
      told: [`others in ${CUSTOM}`],
    });
  });

  test('are not rules of others behind the end, and in what is skipped', () => {
    const behind = from(everything(entry([rule('a')]), shared(entry([], RATE))));
    expect(behind).toEqual({ end: 'a', certain: true, told: [] });
    const skipped = from(
      everything(entry([skip('vip', { phases: [RATE] })]), shared(entry([rule('limit')], RATE))),
    );
    expect(skipped).toEqual({ end: null, certain: true, told: [] });
  });

  test('is what acts beside rulesets, unless the request ended before, or a rule switches it off', () => {
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

  test('are rules of others in a custom ruleset that is executed', () => {
    const login = shared(custom('Login', [rule('a')]));
    expect(from(everything(entry([execute('run', 'custom:login')]), login)).told).toEqual([
      `others in ${CUSTOM} Login`,
    ]);
    expect(from(everything(entry([log('none')]), login)).told).toEqual([]);
  });

  test('is what the service alone runs, or what cannot be evaluated', () => {
    const managed = entry([execute('managed', 'managed:x')], MANAGED);
    expect(from(everything(managed))).toEqual({ end: null, certain: false, told: ['rule managed'] });
    const odd = entry([rule('odd', { expression: 'is_timed_hmac_valid_v0()' })]);
    expect(from(everything(odd))).toEqual({ end: null, certain: false, told: ['rule odd'] });
  });

  test('is what an action does that is newer than this version', () => {
    const newer = entry([rule('newer', { action: 'future' }), rule('a')]);
    expect(from(everything(newer))).toEqual({ end: 'a', certain: false, told: ['rule newer'] });
  });

  test('are the rules of a phase that is newer than this version, wherever a request ends', () => {
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

  test('is what a rule that can decide takes for granted', () => {
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
  ])('is what URL normalization would make of %s: %s', (request, certain) => {
    const way = from(everything(entry([log('a')])), { request });
    const assumed = certain ? [] : ['URL normalization leaves the path as it is'];
    expect(way).toEqual({ end: null, certain, told: assumed });
  });

  test('are phases that the files do not declare, and the account, as far as they come before the end', () => {
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

  test('behind the request, or in what only leaves settings, does not touch the end', () => {
    const late = everything(shared(entry([], CACHE)), shared(entry([], RESPONSE_HEADERS)));
    expect(from(late, { response: {} })).toEqual({
      end: null,
      certain: true,
      told: [`others in ${CACHE}`, `others in ${RESPONSE_HEADERS}`],
    });
  });

  test('are not custom rulesets of one name that live rules execute by id', () => {
    const [one, other] = ['a', 'b'].map((id) => ({ ...custom('Login', [log(`in-${id}`)]), id }));
    const scopes = everything(entry([execute('run', 'b')]), ...[one, other].flatMap((each) => each ?? []));
    const way = send(scopes, { source: 'live' });
    expect([way.certain, way.verdicts.map((said) => said.rule)]).toEqual([true, ['run', 'in-b']]);
  });

  test('where rules are live, a phase without them has none', () => {
    const live = send([account(), zone(entry([log('a')]))], { source: 'live' });
    expect([live.certain, told(live), live.source]).toEqual([true, [], 'live']);
    expect(told(send([zone()], { source: 'live' }))).toEqual(['account']);
  });
});
