import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/data/index.ts';
import type { ReplayDocument, ReplayOutcome } from '../../src/model/index.ts';
import type { SimulatedRule } from '../../src/simulate/index.ts';
import { liveRule, logOf, newRule, replayed, row, zoneWith } from './build.ts';

const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'http_request_firewall_managed';

/** The outcome of the only record. */
function outcomeOf({ outcomes }: ReplayDocument): string | undefined {
  return Object.entries(outcomes).find(([, count]) => count === 1)?.[0];
}

function rewrite(path: string): Partial<SimulatedRule['content']> {
  return { action: 'rewrite', action_parameters: { uri: { path: { value: path } } } };
}

function redirect(to: string): Partial<SimulatedRule['content']> {
  return {
    action: 'redirect',
    action_parameters: { from_value: { status_code: 301, target_url: { value: to } } },
  };
}

const CHALLENGE = { action: 'managed_challenge' };
const SKIP = { action: 'skip', action_parameters: { ruleset: 'current' } };
const EXECUTE = { action: 'execute', action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' } };

type Case = readonly [
  what: string,
  outcome: ReplayOutcome,
  live: Readonly<Record<string, readonly SimulatedRule[]>>,
  desired: Readonly<Record<string, readonly SimulatedRule[]>>,
  record?: JsonObject,
];

const CASES: readonly Case[] = [
  ['no rule has it', 'unchanged', {}, { [CUSTOM]: [newRule('n', 'http.request.uri.path eq "/b"')] }],
  ['a new block', 'newly_blocked', {}, { [CUSTOM]: [newRule('n', 'http.request.uri.path eq "/"')] }],
  [
    'a new challenge',
    'newly_challenged',
    {},
    { [CUSTOM]: [newRule('n', 'ip.src.country eq "AT"', CHALLENGE)] },
  ],
  ['a block goes', 'newly_passed', { [CUSTOM]: [liveRule('a', 'ip.src in {192.0.2.0/24}')] }, {}],
  [
    'a block becomes a challenge',
    'newly_challenged',
    { [CUSTOM]: [liveRule('a', 'true')] },
    { [CUSTOM]: [liveRule('a', 'true', CHALLENGE)] },
  ],
  [
    'a challenge becomes a block',
    'newly_blocked',
    { [CUSTOM]: [liveRule('a', 'true', CHALLENGE)] },
    { [CUSTOM]: [liveRule('a', 'true')] },
  ],
  [
    'the block has another page',
    'otherwise_changed',
    { [CUSTOM]: [liveRule('a', 'true')] },
    { [CUSTOM]: [liveRule('a', 'true', { action_parameters: { response: { status_code: 404 } } })] },
  ],
  [
    'a skip goes, so that an old block acts',
    'newly_blocked',
    { [CUSTOM]: [liveRule('s', 'true', SKIP), liveRule('b', 'true')] },
    { [CUSTOM]: [liveRule('b', 'true')] },
  ],
  [
    'rules change places',
    'newly_challenged',
    { [CUSTOM]: [liveRule('b', 'true'), liveRule('c', 'true', CHALLENGE)] },
    { [CUSTOM]: [liveRule('c', 'true', CHALLENGE), liveRule('b', 'true')] },
  ],
  [
    'a redirect leads elsewhere',
    'otherwise_changed',
    { http_request_dynamic_redirect: [liveRule('r', 'true', redirect('https://a.example/'))] },
    { http_request_dynamic_redirect: [liveRule('r', 'true', redirect('https://b.example/'))] },
  ],
  [
    'a rewrite leads past a block',
    'newly_passed',
    { [CUSTOM]: [liveRule('b', 'http.request.uri.path eq "/"')] },
    {
      http_request_transform: [newRule('w', 'true', rewrite('/a'))],
      [CUSTOM]: [liveRule('b', 'http.request.uri.path eq "/"')],
    },
  ],
  [
    'a setting',
    'otherwise_changed',
    {},
    {
      http_request_cache_settings: [
        newRule('c', 'true', { action: 'set_cache_settings', action_parameters: { cache: true } }),
      ],
    },
  ],
  ['a rule that only logs', 'unchanged', {}, { [CUSTOM]: [newRule('l', 'true', { action: 'log' })] }],
  [
    'it asks for a field of which the record says nothing',
    'unknown',
    {},
    { [CUSTOM]: [newRule('n', 'cf.threat_score gt 5')] },
  ],
  [
    'the field decides nothing',
    'unchanged',
    {},
    { [CUSTOM]: [newRule('n', 'cf.threat_score gt 5 and http.request.uri.path eq "/b"')] },
  ],
  [
    'the same rule on both sides depends on the field',
    'unchanged',
    { [CUSTOM]: [liveRule('a', 'cf.threat_score gt 5')] },
    { [CUSTOM]: [liveRule('a', 'cf.threat_score gt 5'), newRule('n', 'http.request.uri.path eq "/b"')] },
  ],
  [
    'a rule before the new block may have ended it already',
    'unknown',
    { [CUSTOM]: [liveRule('a', 'cf.threat_score gt 5')] },
    { [CUSTOM]: [liveRule('a', 'cf.threat_score gt 5'), newRule('n', 'true')] },
  ],
  [
    'both answers lead to the same',
    'newly_blocked',
    {},
    { [CUSTOM]: [newRule('a', 'cf.threat_score gt 5'), newRule('n', 'true')] },
  ],
  ['a list whose items are not known', 'unknown', {}, { [CUSTOM]: [newRule('n', 'ip.src in $partners')] }],
  [
    'a path that URL normalization would change',
    'unknown',
    {},
    { [CUSTOM]: [newRule('n', 'http.request.uri.path eq "/b"')] },
    { ClientRequestURI: '/a/../b' },
  ],
  [
    'a rewrite depends on a field that is not known',
    'unknown',
    {},
    {
      http_request_transform: [
        newRule('w', 'true', {
          action: 'rewrite',
          action_parameters: { uri: { path: { expression: 'concat("/", ip.src.city)' } } },
        }),
      ],
    },
  ],
  [
    'managed rules let it through, as the record says',
    'newly_blocked',
    { [MANAGED]: [liveRule('m', 'true', EXECUTE)] },
    { [MANAGED]: [liveRule('m', 'true', EXECUTE)], [CUSTOM]: [newRule('n', 'true')] },
  ],
  [
    'managed rules had blocked it already',
    'unchanged',
    { [MANAGED]: [liveRule('m', 'true', EXECUTE)] },
    {
      [MANAGED]: [liveRule('m', 'true', EXECUTE)],
      http_request_late_transform: [newRule('w', 'true', rewrite('/a'))],
    },
    { SecurityAction: 'block', SecurityActions: ['block'], SecuritySources: ['firewallManaged'] },
  ],
  [
    'managed rules that the plan changes',
    'unknown',
    { [MANAGED]: [liveRule('m', 'true', EXECUTE)] },
    { [MANAGED]: [liveRule('m', 'ip.src.country eq "AT"', EXECUTE)] },
  ],
  [
    'the visitor had solved the challenge, and meets a block behind it',
    'newly_blocked',
    { [CUSTOM]: [liveRule('c', 'true', CHALLENGE)] },
    { [CUSTOM]: [liveRule('c', 'true', CHALLENGE), newRule('n', 'true')] },
    { SecurityAction: 'managedChallengeBypassed' },
  ],
];

describe('what a plan changes for a request', () => {
  it.each(
    CASES.map(([what, outcome, live, desired, record = {}]) => ({ what, outcome, live, desired, record })),
  )('$what: $outcome', async ({ outcome, live, desired, record }) => {
    const answer = await replayed(zoneWith(live, desired), [logOf(row(record))]);
    expect([outcomeOf(answer), answer.records, answer.unreadable]).toEqual([outcome, 1, 0]);
  });

  it('names the fields on which it depends', async () => {
    const zone = zoneWith(
      {},
      { [CUSTOM]: [newRule('n', 'cf.threat_score gt 5 and http.request.headers["x-key"][0] eq "a"')] },
    );
    const { depends_on: missing } = await replayed(zone, [logOf(row(), row())]);
    expect(missing).toEqual([
      { field: 'cf.threat_score', records: 2 },
      { field: 'http.request.headers["x-key"]', records: 2 },
    ]);
  });
});

describe('lists', () => {
  const rules = { [CUSTOM]: [liveRule('a', 'ip.src in $partners')] };

  it('tells what an item that is added or removed does to requests, by the rule that names the list', async () => {
    const lists = { partners: ['192.0.2.1'] };
    const zone = zoneWith(rules, rules, { lists, desiredLists: { partners: ['192.0.2.2'] } });
    const answer = await replayed(zone, [
      logOf(row(), row({ ClientIP: '192.0.2.2' }), row({ ClientIP: '192.0.2.3' })),
    ]);
    expect(answer.outcomes).toMatchObject({ newly_blocked: 1, newly_passed: 1, unchanged: 1 });
    expect(answer.rules.map(({ ref, change }) => [ref, change])).toEqual([['a', 'changed']]);
  });
});

describe('what is told of rules', () => {
  const before = {
    [CUSTOM]: [
      liveRule('old', 'http.request.uri.path eq "/old"'),
      liveRule('gone', 'ip.src.country eq "DE"'),
    ],
  };
  const after = {
    [CUSTOM]: [
      liveRule('old', 'http.request.uri.path eq "/old"'),
      newRule('all', 'true'),
      newRule('late', 'http.request.uri.path eq "/"'),
      newRule('idle', 'http.request.uri.path eq "/nobody"'),
    ],
  };

  it('counts what each matches, before and after, and with which outcome', async () => {
    const logs = [logOf(row(), row({ ClientRequestURI: '/old' }), row({ ClientCountry: 'DE' }))];
    const { rules, outcomes } = await replayed(zoneWith(before, after), logs);
    expect(outcomes).toMatchObject({ unchanged: 2, newly_blocked: 1 });
    const told = rules.map(
      ({ ref, change, matched_live: live, matched_desired: desired, ended_before: late, outcomes: own }) => [
        ref,
        change,
        live,
        desired,
        late,
        own.newly_blocked,
        own.unchanged,
      ],
    );
    expect(told).toEqual([
      ['old', 'none', 1, 1, 0, 0, 1],
      ['all', 'added', 0, 2, 1, 1, 1],
      ['late', 'added', 0, 0, 2, 0, 0],
      ['idle', 'added', 0, 0, 0, 0, 0],
      ['gone', 'deleted', 1, 0, 0, 0, 1],
    ]);
  });

  it('counts rate limits per characteristic in the order of time, whatever the order of the log', async () => {
    const limit = {
      action: 'block',
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 60,
        requests_per_period: 2,
        mitigation_timeout: 60,
      },
    };
    const zone = zoneWith({}, { http_ratelimit: [newRule('r', 'true', limit)] });
    const at = (second: number, over: JsonObject = {}): JsonObject =>
      row({ EdgeStartTimestamp: `2026-11-27T08:00:0${second}Z`, ...over });
    const other = at(2, { ClientIP: '192.0.2.9' });
    const elsewhere = at(2, { EdgeColoCode: 'FRA' });
    const counted = [at(4), at(1), other, at(3), elsewhere, at(2)];
    const { outcomes } = await replayed(zone, [logOf(...counted)]);
    expect(outcomes).toMatchObject({ newly_blocked: 2, unchanged: 4 });
    const nowhere = counted.map((record) => ({ ...record, EdgeColoCode: '' }));
    const unknown = await replayed(zone, [logOf(...nowhere)]);
    const sampled = await replayed(zone, [logOf(...counted)], { sampled: true });
    expect([unknown.outcomes.unknown, sampled.outcomes.unknown]).toEqual([6, 6]);
  });
});

describe('how far it can be trusted', () => {
  const rules = { [CUSTOM]: [liveRule('b', 'http.request.uri.path eq "/b"')] };
  const blocked = { ClientRequestURI: '/b', SecurityAction: 'block', SecurityRuleID: 'id-b' };

  it('compares what the service did with what live rules do', async () => {
    const logs = [
      logOf(row(), row(blocked), row({ ClientRequestURI: '/b' }), row({ SecurityAction: 'unknown' })),
    ];
    const { agreement } = await replayed(zoneWith(rules, rules), logs);
    expect(agreement).toEqual({
      compared: 3,
      compared_earlier: 0,
      agreed: 2,
      left_out: { other_rules: 0, no_time: 0, not_simulated: 0 },
      disagreements: [{ rule: 'b', recorded: 'passed', simulated: 'blocked', records: 1 }],
    });
  });

  it('compares a record with the rules that were in force at its time, where these are known', async () => {
    const since = Date.UTC(2026, 10, 27, 9);
    const past = zoneWith({ [CUSTOM]: [liveRule('b', 'http.request.uri.path eq "/a"')] }, {});
    const unsure = zoneWith({ [CUSTOM]: [liveRule('b', 'cf.threat_score gt 5')] }, {});
    const hour = (from: number, rules = past.live) => ({
      from: since - from * 3_600_000,
      until: since - (from - 1) * 3_600_000,
      rules,
      lists: {},
    });
    const earlier = [hour(2, unsure.live), hour(1)];
    const at = (hours: number, over: JsonObject) =>
      row({ EdgeStartTimestamp: (since - hours * 3_600_000) / 1000, ...over });
    const logs = [
      logOf(
        at(-1, blocked),
        at(0.5, { ...blocked, ClientRequestURI: '/a' }),
        at(0.5, blocked),
        at(1.5, blocked),
        at(2.5, blocked),
      ),
    ];
    const { agreement } = await replayed(zoneWith(rules, rules, { since, earlier }), logs);
    expect(agreement).toEqual({
      compared: 3,
      compared_earlier: 2,
      agreed: 2,
      left_out: { other_rules: 1, no_time: 0, not_simulated: 1 },
      disagreements: [{ rule: 'b', recorded: 'blocked', simulated: 'passed', records: 1 }],
    });
  });

  it('leaves out records for which the live rules may not have been in force, and counts them', async () => {
    const since = Date.UTC(2026, 10, 27, 9);
    const logs = [
      logOf(row(), row({ EdgeStartTimestamp: 'later' }), row({ EdgeStartTimestamp: since / 1000 })),
    ];
    const { agreement } = await replayed(zoneWith(rules, rules, { since }), logs);
    expect([agreement.compared, agreement.left_out]).toEqual([
      1,
      { other_rules: 1, no_time: 1, not_simulated: 0 },
    ]);
  });
});
