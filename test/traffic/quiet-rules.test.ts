import { describe, expect, it } from 'vitest';
import { replayDocument, wholeText } from '../../src/report/index.ts';
import type { JsonObject } from '../../src/data/index.ts';
import type { ReplayRule } from '../../src/model/index.ts';
import type { SimulatedRule } from '../../src/simulate/index.ts';
import type { ReplayZone } from '../../src/traffic/index.ts';
import { liveRule, logOf, newRule, replayed, row, zoneWith } from './build.ts';

const CUSTOM = 'http_request_firewall_custom';
const HOME = 'http.request.uri.path eq "/"';
const SCORE = 'cf.threat_score gt 5';
const SKIP = { action: 'skip', action_parameters: { ruleset: 'current' } };

/** What is known of the rule `r` and a request for `/` whose record has no score. */
type Known = 'matches' | 'not known' | 'ended before' | 'skipped before' | 'quiet';

function knownOf(rule: ReplayRule | undefined): readonly Known[] {
  if (rule === undefined) {
    return [];
  }
  const { matched_desired: matched, undecided_desired: open } = rule;
  const { ended_before: ended, skipped_before: skipped } = rule;
  const known = [
    matched > 0 ? (['matches'] as const) : [],
    open > 0 ? (['not known'] as const) : [],
    ended > 0 ? (['ended before'] as const) : [],
    skipped > 0 ? (['skipped before'] as const) : [],
  ].flat();
  return known.length === 0 ? ['quiet'] : known;
}

const EXECUTE = {
  action: 'execute',
  action_parameters: { id: 'ruleset-id' },
};
const MANAGED = {
  action: 'execute',
  action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
};

function rewrite(to: string): Partial<SimulatedRule['content']> {
  return { action: 'rewrite', action_parameters: { uri: { path: { value: to } } } };
}

/** An account whose rule executes a ruleset in which `r` is. */
function executed(outer: string, inner: string, before: readonly SimulatedRule[] = []): ReplayZone {
  const scope = {
    scope: { kind: 'account' as const, name: 'Shop' },
    rulesets: [
      {
        address: { kind: 'entrypoint' as const, phase: CUSTOM },
        rules: [...before, liveRule('execute', outer, EXECUTE), liveRule('again', outer, EXECUTE)],
      },
      {
        address: { kind: 'custom' as const, phase: CUSTOM, name: 'Set' },
        id: 'ruleset-id',
        rules: [liveRule('r', inner)],
      },
    ],
  };
  return zoneWith({}, {}, { live: [scope], desired: [scope] });
}

function zoneOf(rules: Readonly<Record<string, readonly SimulatedRule[]>>): ReplayZone {
  return zoneWith(rules, rules);
}

const CASES: readonly (readonly [what: string, known: Known, zone: ReplayZone, record?: JsonObject])[] = [
  ['it is of another path', 'quiet', zoneOf({ [CUSTOM]: [liveRule('r', 'not ' + HOME)] })],
  ['it asks for what the record lacks', 'not known', zoneOf({ [CUSTOM]: [liveRule('r', SCORE)] })],
  [
    'what the record lacks decides nothing',
    'quiet',
    zoneOf({ [CUSTOM]: [liveRule('r', `${SCORE} and not ${HOME}`)] }),
  ],
  [
    'it executes a managed ruleset of which only the service knows the rules',
    'matches',
    zoneOf({ http_request_firewall_managed: [liveRule('r', HOME, MANAGED)] }),
  ],
  [
    'it limits a rate, and the record has no data centre',
    'matches',
    zoneOf({
      http_ratelimit: [
        liveRule('r', HOME, {
          ratelimit: { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 1 },
        }),
      ],
    }),
    { EdgeColoCode: '' },
  ],
  ['a rule that matches executes its ruleset', 'matches', executed(HOME, HOME)],
  ['a rule that does not match executes its ruleset', 'quiet', executed(`not ${HOME}`, HOME)],
  ['nobody knows whether the rule matches that executes its ruleset', 'not known', executed(SCORE, HOME)],
  [
    'a request ends before its ruleset is executed',
    'ended before',
    executed(HOME, HOME, [liveRule('b', HOME)]),
  ],
  [
    'an earlier rule ends the request',
    'ended before',
    zoneOf({ [CUSTOM]: [liveRule('b', 'true'), liveRule('r', HOME)] }),
  ],
  [
    'an earlier rule ends the request, after a rewrite by which it would match',
    'ended before',
    zoneOf({
      http_request_transform: [liveRule('w', 'true', rewrite('/b'))],
      [CUSTOM]: [liveRule('b', 'true'), liveRule('r', 'http.request.uri.path eq "/b"')],
    }),
  ],
  [
    'an earlier rule skips it',
    'skipped before',
    zoneOf({ [CUSTOM]: [liveRule('s', HOME, SKIP), liveRule('r', HOME)] }),
  ],
  [
    'an earlier rule may skip the one that ends the request',
    'not known',
    zoneOf({
      [CUSTOM]: [
        liveRule('s', SCORE, { action: 'skip', action_parameters: { phases: ['http_ratelimit'] } }),
        liveRule('b', 'true'),
        liveRule('r', HOME),
      ],
    }),
  ],
  [
    'an earlier rule may rewrite what it asks for',
    'not known',
    zoneOf({
      http_request_transform: [liveRule('w', SCORE, rewrite('/b'))],
      [CUSTOM]: [liveRule('r', 'http.request.uri.path eq "/b"')],
    }),
  ],
  [
    'it changes the answer, and the record has no status of it',
    'matches',
    zoneOf({
      http_response_headers_transform: [
        liveRule('r', HOME, {
          action: 'rewrite',
          action_parameters: { headers: { 'x-a': { operation: 'set', value: 'b' } } },
        }),
      ],
    }),
  ],
  [
    'it asks for a status that the record does not have',
    'not known',
    zoneOf({
      http_response_headers_transform: [
        liveRule('r', 'http.response.code eq 404', {
          action: 'rewrite',
          action_parameters: { headers: { 'x-a': { operation: 'set', value: 'b' } } },
        }),
      ],
    }),
  ],
  ['it is of a phase that is not known here', 'not known', zoneOf({ http_new: [liveRule('r', HOME)] })],
  [
    'it is of such a phase, and certainly does not match',
    'quiet',
    zoneOf({ http_new: [liveRule('r', `not ${HOME}`)] }),
  ],
];

describe('what is known of a rule and a request', () => {
  it.each(CASES.map(([what, known, zone, record = {}]) => ({ what, known, zone, record })))(
    '$what: $known',
    async ({ known, zone, record }) => {
      const { rules } = await replayed(zone, [logOf(row(record))]);
      expect(knownOf(rules.find(({ ref }) => ref === 'r'))).toEqual([known]);
      expect(rules.every(({ matched_desired: matched }) => matched <= 1)).toBe(true);
    },
  );

  it('calls only those quiet of which that is certain', async () => {
    const zone = zoneOf({
      [CUSTOM]: [
        liveRule('idle', 'http.request.uri.path eq "/never"'),
        liveRule('unsure', SCORE),
        liveRule('off', 'http.request.uri.path eq "/never"', { enabled: false }),
        liveRule('all', 'true'),
        liveRule('late', HOME),
      ],
    });
    const document = await replayed(zone, [logOf(row())]);
    const text = wholeText(replayDocument(document), { width: 200, colour: false });
    const listed = (title: string): readonly string[] =>
      (text.split('\n\n').find((part) => part.startsWith(title)) ?? '')
        .split('\n')
        .slice(1)
        .flatMap((line) => /\S+/u.exec(line) ?? []);
    expect(listed('Rules that matched none of these requests')).toEqual(['idle']);
    expect(listed('Rules that may have matched none')).toEqual(['unsure', 'late']);
    expect(text).not.toContain('off ');
  });
});

describe('what is said of a change', () => {
  const HEADER = (value: string): Partial<SimulatedRule['content']> => ({
    action: 'rewrite',
    action_parameters: { headers: { 'x-a': { operation: 'set', value } } },
  });

  it.each([
    [
      'a header of answers, where the record has no status',
      'otherwise_changed',
      { http_response_headers_transform: [newRule('n', 'true', HEADER('b'))] },
    ],
    [
      'a header of some answers, where the record has no status',
      'unknown',
      { http_response_headers_transform: [newRule('n', 'http.response.code eq 404', HEADER('b'))] },
    ],
    ['a rule of a phase that is not known here', 'unknown', { http_new: [newRule('n', HOME)] }],
    [
      'a header whose value cannot be computed here',
      'unknown',
      {
        http_request_late_transform: [
          newRule('n', 'true', {
            action: 'rewrite',
            action_parameters: { headers: { 'x-a': { operation: 'set', expression: 'new_function(1)' } } },
          }),
        ],
      },
    ],
    [
      'an error page, where the record has no status',
      'unknown',
      {
        http_custom_errors: [
          newRule('n', 'true', {
            action: 'serve_error',
            action_parameters: { content: 'gone', content_type: 'text/plain' },
          }),
        ],
      },
    ],
  ] as const)('%s: %s', async (_, outcome, desired) => {
    const { outcomes } = await replayed(zoneWith({}, desired), [logOf(row())]);
    expect(Object.entries(outcomes).filter(([, count]) => count > 0)).toEqual([[outcome, 1]]);
  });

  it('tells error pages of the same status apart', async () => {
    const page = (content: string) => ({
      http_custom_errors: [
        liveRule('p', 'true', {
          action: 'serve_error',
          action_parameters: { content, content_type: 'text/plain', status_code: 404 },
        }),
      ],
    });
    const { outcomes } = await replayed(zoneWith(page('one'), page('two')), [
      logOf(row({ OriginResponseStatus: 404 })),
    ]);
    expect(outcomes.otherwise_changed).toBe(1);
  });

  it('takes no agreement from what it has of the record itself', async () => {
    const rules = { http_request_firewall_managed: [liveRule('m', 'true', MANAGED)] };
    const blocked = {
      SecurityAction: 'block',
      SecurityActions: ['block'],
      SecuritySources: ['firewallManaged'],
    };
    const { agreement } = await replayed(zoneWith(rules, rules), [logOf(row(blocked), row())]);
    expect([agreement.compared, agreement.left_out.not_simulated]).toEqual([1, 1]);
  });
});

it('says that the rules of an account could not be read', async () => {
  const rules = zoneOf({ [CUSTOM]: [liveRule('r', HOME)] });
  const own = ({ scope }: { readonly scope: { readonly kind: string } }): boolean => scope.kind === 'zone';
  const zone = { ...rules, live: rules.live.filter(own), desired: rules.desired.filter(own) };
  const document = await replayed(zone, [logOf(row())]);
  expect(document.zones).toMatchObject([{ without_account: true }]);
  expect(wholeText(replayDocument(document), { width: 200, colour: false })).toContain(
    'The rules of the account of shop.example could not be read',
  );
});

describe('logs without a request', () => {
  it.each([
    ['The log is empty', [], { records: 0, unreadable: 0 }],
    ['1 line could not be read', ['{"url":'], { records: 0, unreadable: 1 }],
    ['1 more request to other zones: left out', [row({ ClientRequestHost: 'b.example' })], { records: 0 }],
  ] as const)('do not look like a pass: %s', async (why, lines, counts) => {
    const log = lines.length === 0 ? { name: 'a', async *open() {} } : logOf(...lines);
    const document = await replayed(zoneOf({ [CUSTOM]: [liveRule('r', HOME)] }), [log], {
      format: lines.length === 1 && typeof lines[0] === 'string' ? 'jsonl' : 'logpush',
    });
    expect(document).toMatchObject(counts);
    const text = wholeText(replayDocument(document), { width: 200, colour: false });
    expect(text).toContain(why);
    expect(text).toContain('so nothing is known of what the plan would do');
    expect(text).not.toMatch(/unchanged|trusted|Rules that/u);
  });
});
