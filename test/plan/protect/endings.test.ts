import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import type { LiveScope } from '../../../src/model/state.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { CAUSE, content, desiredRuleset, id, liveRuleset } from '../build.ts';
import { planned, read } from '../world.ts';

const PHASE = 'http_request_firewall_custom';
const ENTRY: RulesetAddress = { kind: 'entrypoint', phase: PHASE };
const SHARED: RulesetAddress = { kind: 'custom', phase: PHASE, name: 'Shared' };
const SHARED_ID = id(0xabc);

/** Rules by their refs; undefined if no file declares the ruleset, null if it does not exist. */
type Rules = Readonly<Record<string, RuleContent>> | null | undefined;
interface Rulesets {
  readonly entry?: Rules;
  readonly shared?: Rules;
}

function live({ entry, shared }: Rulesets): LiveScope {
  const made = (rules: Rules, over: Parameters<typeof liveRuleset>[1], first: number) =>
    rules === null || rules === undefined
      ? []
      : [
          liveRuleset(
            Object.entries(rules).map(([ref, given], index) => ({
              id: id(first + index),
              ref,
              content: given,
            })),
            over,
          ),
        ];
  const rulesets = [
    ...made(entry, {}, 1),
    ...made(shared, { id: SHARED_ID, name: 'Shared', kind: 'custom' }, 100),
  ];
  const addresses = [...(entry === undefined ? [] : [ENTRY]), ...(shared === undefined ? [] : [SHARED])];
  return read(
    new Map(rulesets.map((one) => [one.kind === 'custom' ? addressKey(SHARED) : PHASE, one])),
    addresses,
  );
}

/** What a plan from one state to another says that its changes end, by ref. */
function found(before: Rulesets, after: Rulesets, direction: 'forth' | 'back' = 'forth') {
  const wanted = (rules: Rules, address: RulesetAddress) =>
    rules === null || rules === undefined
      ? []
      : [
          desiredRuleset(
            Object.entries(rules).map(([ref, given]) => ({
              ref,
              adopt: false,
              content: given,
              cause: CAUSE,
            })),
            { address },
          ),
        ];
  const { steps } = planned(
    planScope(
      {
        scope: { kind: 'zone', name: 'shop.example' },
        rulesetOwnership: 'declared',
        rulesets: [...wanted(after.entry, ENTRY), ...wanted(after.shared, SHARED)],
        cause: CAUSE,
      },
      live(before),
    ),
  );
  return Object.fromEntries(
    steps.flatMap(({ changes }) =>
      changes.flatMap(({ ref, ends }) => (ends?.[direction] === undefined ? [] : [[ref, ends[direction]]])),
    ),
  );
}

const block = (expression: string): RuleContent => content({ expression });
const skip = (
  expression: string,
  action_parameters: RuleContent['action_parameters'] = { ruleset: 'current' },
) => content({ action: 'skip', expression, action_parameters });
const run = (expression: string, target = SHARED_ID): RuleContent =>
  content({ action: 'execute', expression, action_parameters: { id: target } });

const LOGIN = 'http.request.uri.path eq "/login"';
const some = block(LOGIN);
const all = block('true');

describe('a rule of a custom ruleset', () => {
  it('runs under the condition of the rules that execute it', () => {
    const before = { entry: { run: run(LOGIN) }, shared: { env: some } };
    expect(found(before, { ...before, shared: { env: all } })).toEqual({});
    const wide = { ...before, entry: { run: run(LOGIN), again: run('ssl') } };
    expect(found(wide, { ...wide, shared: { env: all } })).toEqual({
      env: 'blocks every ordinary request that was tried',
    });
    const whole = { ...before, entry: { run: run('true') } };
    expect(found(whole, { ...whole, shared: { env: all } })).toEqual({
      env: 'blocks every request',
    });
  });

  it('ends nothing if nothing executes its ruleset', () => {
    const alone = { entry: { other: some }, shared: { env: some } };
    expect(found(alone, { ...alone, shared: { env: all } })).toEqual({});
    const off = { entry: { run: { ...run('true'), enabled: false } }, shared: { env: some } };
    expect(found(off, { ...off, shared: { env: all } })).toEqual({});
    expect(found({ entry: null, shared: null }, { shared: { env: all } })).toEqual({});
  });

  it('is assumed to run always if what executes its ruleset was not read', () => {
    expect(found({ shared: { env: some } }, { shared: { env: all } })).toEqual({
      env: 'blocks every request',
    });
    expect(found({ shared: { a: block('ssl') } }, { shared: { a: block('ssl'), b: all } })).toEqual({
      b: 'blocks every request',
    });
  });

  it('is not taken as limited by the clause for Enterprise zones in the rule that executes it', () => {
    const plan = (expression: string) => `(${expression}) and cf.zone.plan eq "ENT"`;
    const before = { entry: { run: run(plan('true')) }, shared: { env: some } };
    expect(found(before, { ...before, shared: { env: all } })).toEqual({
      env: 'blocks every ordinary request that was tried',
    });
    const narrow = { entry: { run: run(plan('http.host eq "a.example"')) }, shared: { env: some } };
    expect(found(narrow, { ...narrow, shared: { env: all } })).toEqual({});
  });
});

describe('a rule that executes a custom ruleset', () => {
  const shared = { env: some, everybody: all };
  const lets = { run: 'lets rule everybody block every request' };

  it.each<[string, Rulesets['entry']]>([
    ['new', {}],
    ['widened', { run: run(LOGIN) }],
    ['switched on', { run: { ...run('true'), enabled: false } }],
    ['turned to it', { run: run('true', id(0xdef)) }],
    ['of an entry point that is made', null],
  ])('is reported when it is %s', (_what, entry) => {
    expect(found({ entry, shared }, { entry: { run: run('true') }, shared })).toEqual(lets);
    expect(found({ entry: { run: run('true') }, shared }, { entry: entry ?? {}, shared }, 'back')).toEqual(
      lets,
    );
  });

  it('is reported when the ruleset is created with it, beside the rule in the ruleset', () => {
    const made = { entry: { run: run('true', 'custom:shared') }, shared };
    expect(found({ entry: {}, shared: null }, made)).toEqual({
      ...lets,
      everybody: 'blocks every request',
    });
  });

  it('is not reported when it is deleted, narrows, or executes nothing that ends every request', () => {
    const wide = { entry: { run: run('true') }, shared };
    expect(found(wide, { ...wide, entry: { run: run(LOGIN) } })).toEqual({});
    expect(found(wide, { ...wide, entry: {} })).toEqual({});
    expect(
      found({ entry: {}, shared: { env: some } }, { entry: { run: run('true') }, shared: { env: some } }),
    ).toEqual({});
    expect(
      found({ entry: { run: run(LOGIN) }, shared }, { entry: { run: run('http.host eq "a"') }, shared }),
    ).toEqual({});
  });

  it('is not reported when only its description changes', () => {
    const before = { entry: { run: run('true') }, shared };
    const after = { entry: { run: { ...run('true'), description: 'why' } }, shared };
    expect(found(before, after)).toEqual({});
  });

  it('is not reported for what a rule in the ruleset comes to end by itself', () => {
    const before = { entry: { run: run('true') }, shared: { env: some } };
    const after = { entry: { run: { ...run('true'), description: 'why' } }, shared: { env: all } };
    expect(found(before, after)).toEqual({ env: 'blocks every request' });
  });
});

describe('rules that end every request only together', () => {
  const rest = 'stops or redirects, with other rules, every ordinary request that was tried';

  it('are reported: each change that ends what other rules leave', () => {
    const half = block('http.host eq "shop.example"');
    const other = block('http.host ne "shop.example"');
    expect(found({ entry: { half } }, { entry: { half, other } })).toEqual({ other: rest });
    expect(found({ entry: {} }, { entry: { half, other } })).toEqual({ half: rest, other: rest });
    expect(found({ entry: { half, narrow: some } }, { entry: { half, narrow: other } })).toEqual({
      narrow: rest,
    });
    const louder = { ...half, action: 'managed_challenge' };
    expect(found({ entry: { half, narrow: some } }, { entry: { half: louder, narrow: other } })).toEqual({
      narrow: rest,
    });
    expect(found({ entry: { half, other } }, { entry: { half, other, more: some } })).toEqual({});
    expect(found({ entry: { half, other } }, { entry: { half } }, 'back')).toEqual({ other: rest });
  });

  it('are reported for IPv4 as well', () => {
    const half = block('ip.src in {0.0.0.0/1}');
    const other = block('ip.src in {128.0.0.0/1}');
    expect(found({ entry: { half } }, { entry: { half, other } })).toEqual({
      other: 'stops or redirects, with other rules, every ordinary request over IPv4 that was tried',
    });
  });

  it('are reported when one of them is in a custom ruleset', () => {
    const entry = { half: block('http.host eq "shop.example"'), run: run('http.host ne "shop.example"') };
    expect(found({ entry, shared: { env: some } }, { entry, shared: { env: some, rest: all } })).toEqual({
      rest,
    });
    expect(
      found({ entry: { half: entry.half }, shared: { rest: all } }, { entry, shared: { rest: all } }),
    ).toEqual({ run: 'lets rules together stop or redirect every ordinary request that was tried' });
  });

  it('are reported with the skip that no longer lets requests past them', () => {
    const lets = { office: 'lets rules together stop or redirect every ordinary request that was tried' };
    const office = skip('ssl');
    const behind = { entry: { office, all } };
    expect(found(behind, { entry: { all } })).toEqual(lets);
    expect(found(behind, { entry: { office: skip(LOGIN), all } })).toEqual(lets);
    expect(found(behind, { entry: { office: { ...office, enabled: false }, all } })).toEqual(lets);
    expect(found(behind, { entry: { all: { ...all, description: 'why' } } })).toEqual(lets);
    const moved = found(behind, { entry: { all, office } });
    expect(Object.values(moved)).toEqual(Object.values(lets));
    expect(found({ entry: { all } }, behind)).toEqual({});
    expect(found({ entry: { all } }, behind, 'back')).toEqual(lets);
  });

  it('are reported with the execute rule that no longer runs such a skip', () => {
    const shared = { office: skip('ssl', { phases: [PHASE] }) };
    expect(found({ entry: { run: run('true'), all }, shared }, { entry: { all }, shared })).toEqual({
      run: 'lets rules together stop or redirect every ordinary request that was tried',
    });
  });

  it('are not reported when a skip lets an ordinary request past them', () => {
    const half = block('ip.src.continent eq "EU"');
    const other = block('ip.src.continent ne "EU"');
    const before = { entry: { office: skip('ip.src.country eq "DE"'), half } };
    expect(found(before, { entry: { ...before.entry, other } })).toEqual({});
    const phases = { office: skip('ip.src.country eq "DE"', { phases: [PHASE] }), half };
    expect(found({ entry: phases }, { entry: { ...phases, other } })).toEqual({});
    // Requests that skip the rest of a custom ruleset still reach the rules behind it.
    const inner = { entry: { run: run('true'), half }, shared: { office: skip('ssl'), env: some } };
    expect(found(inner, { ...inner, entry: { ...inner.entry, other } })).toEqual({ other: rest });
  });

  it('are not reported when a skip names the custom ruleset or the rule of one of them', () => {
    const before = {
      entry: {
        office: skip('ip.src.country eq "DE"', { rulesets: [SHARED_ID] }),
        run: run('true'),
      },
      shared: { half: block('ip.src.continent eq "EU"') },
    };
    const other = block('ip.src.continent ne "EU"');
    expect(found(before, { ...before, shared: { ...before.shared, other } })).toEqual({});
    const byRule = {
      ...before,
      entry: { office: skip('ssl', { rules: { [SHARED_ID]: [id(100)] } }), run: run('true') },
    };
    expect(found(byRule, { ...byRule, shared: { ...before.shared, other } })).toEqual({});
  });

  it('are not reported when one of them acts on less than it matches', () => {
    const limited = { ...block('ip.src.continent eq "EU"'), ratelimit: { period: 60 } };
    expect(
      found({ entry: { limited } }, { entry: { limited, other: block('ip.src.continent ne "EU"') } }),
    ).toEqual({});
  });
});

describe('a rule that ends every request to one host name', () => {
  const www = block('http.host eq "www.shop.example"');
  const ends = 'every request to www.shop.example';

  it('is reported under the conditions of the rules that execute it', () => {
    const before = { entry: { run: run(LOGIN) }, shared: { www } };
    expect(found({ ...before, shared: { www: some } }, before)).toEqual({});
    expect(found(before, { ...before, entry: { run: run('true') } })).toEqual({
      run: `lets rule www block ${ends}`,
    });
    const whole = { entry: { run: run(www.expression) }, shared: { env: some } };
    expect(found(whole, { ...whole, shared: { env: all } })).toEqual({ env: `blocks ${ends}` });
    expect(found({ entry: { www } }, { entry: {} }, 'back')).toEqual({ www: `blocks ${ends}` });
  });

  it('is reported as one of several if together they end every host name of the zone', () => {
    const shared = { apex: block('http.host eq "shop.example"'), www };
    expect(found({ entry: {}, shared }, { entry: { run: run('true') }, shared })).toEqual({
      run: 'lets rules together stop or redirect every ordinary request that was tried',
    });
  });

  it('is reported beside a rule that ends every request', () => {
    expect(found({ entry: {} }, { entry: { www, all } })).toEqual({
      www: `blocks ${ends}`,
      all: 'blocks every request',
    });
  });
});

describe('a rule that ends every first visit', () => {
  const first = 'every first visit that was tried';
  const home = 'http.request.uri.path eq "/"';

  it.each([
    'http.referer eq ""',
    'http.cookie eq ""',
    'len(http.cookie) eq 0',
    'http.request.version eq "HTTP/2"',
    'http.request.uri.query eq ""',
    home,
    'not starts_with(http.request.uri.path, "/api/")',
  ])('is reported: %s', (expression) => {
    const entry = { env: some, closed: block(expression) };
    expect(found({ entry: { env: some } }, { entry })).toEqual({ closed: `blocks ${first}` });
    expect(found({ entry: { closed: entry.closed } }, { entry })).toEqual({});
  });

  it.each<[string, RuleContent]>([
    ['a page', block('http.request.uri.path eq "/admin"')],
    ['pictures that others show', block('http.referer eq "" and http.request.uri.path.extension eq "png"')],
    ['what no browser speaks', block('http.request.version in {"HTTP/1.0" "HTTP/1.1"}')],
    ['one country', block('http.cookie eq "" and ip.src.country eq "US"')],
    [
      'an address',
      block('http.request.uri.path eq "/" and not http.host in {"shop.example" "www.shop.example"}'),
    ],
    ['what is challenged', content({ action: 'challenge', expression: home })],
    ['what is redirected', content({ action: 'redirect', expression: home })],
    ['what is let past', skip(home, { phases: ['http_ratelimit'] })],
  ])('is not reported for %s', (_, rule) => {
    expect(found({ entry: { env: some } }, { entry: { env: some, rule } })).toEqual({});
  });

  it('is reported for one host name, and together with other rules', () => {
    const [apex, www] = ['shop.example', 'www.shop.example'].map((host) =>
      block(`http.host eq "${host}" and ${home}`),
    );
    const name = 'blocks every first visit to www.shop.example that was tried';
    expect(found({ entry: {} }, { entry: { www: www ?? some } })).toEqual({ www: name });
    const both = found(
      { entry: { apex: apex ?? some } },
      { entry: { apex: apex ?? some, www: www ?? some } },
    );
    expect(both).toEqual({ www: `stops or redirects, with other rules, ${first}` });
    const to = { action: 'redirect', expression: 'http.host eq "www.shop.example"' } as const;
    const redirects = { www: content(to), home: content({ ...to, expression: home }) };
    expect(found({ entry: {} }, { entry: redirects })).toEqual({});
  });
});

it('a custom ruleset that executes itself is walked through once', () => {
  const loop = {
    entry: { run: run('true') },
    shared: { again: run('true'), half: block('http.host eq "shop.example"') },
  };
  expect(
    found(loop, { ...loop, shared: { ...loop.shared, other: block('http.host ne "shop.example"') } }),
  ).toEqual({
    other: 'stops or redirects, with other rules, every ordinary request that was tried',
  });
});
