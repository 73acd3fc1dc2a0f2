import { describe, expect, it } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { planRules } from '../../../src/plan/plan-ruleset.ts';
import {
  add,
  content,
  endsLive,
  move,
  patch,
  plan,
  remove,
  scope,
  update,
} from '../../report/plan-builder.ts';
import { desiredRule, desiredRuleset, liveRule, liveRuleset, ruleOptions } from '../build.ts';
import { planOne } from '../world.ts';

it('judges each drift change by what it does to live, and lists first what weakens, then what is not proven', () => {
  const found = driftChanges(
    plan(
      scope([
        update([
          remove('extra-block', { before: content({ expression: 'cf.client.bot' }) }),
          move('moved', { protection: { kind: 'strengthening', reason: 'stands earlier' } }),
          patch('renamed', { before: { description: 'b' }, after: { description: 'a' } }),
          patch('softer-live', { before: { action: 'log' }, after: { action: 'block' } }),
          patch('firmer-live', { before: { action: 'block' }, after: { action: 'log' } }),
          add('gone-live'),
          remove('extra-skip', { before: content({ action: 'skip' }) }),
        ]),
      ]),
    ),
  );
  const by = (severity: string): readonly string[] =>
    found.filter((change) => change.severity === severity).map(({ rule }) => rule);
  expect(by('weakening')).toEqual(['softer-live', 'gone-live', 'extra-skip', 'moved']);
  expect(by('neutral')).toEqual(['renamed']);
  expect(by('strengthening')).toEqual(['extra-block', 'firmer-live']);
  expect(found[0]).toMatchObject({
    severity: 'weakening',
    version: '7',
    lastUpdated: '2026-11-20T10:00:00Z',
  });
});

it('calls nothing weaker where a rule has ended that live or the files lack', () => {
  const end = 1_798_135_200;
  const expression = `(ssl) and http.request.timestamp.sec lt ${end}`;
  const changes = [
    add('gone-live', { content: content({ expression }) }),
    remove('extra-skip', { before: content({ action: 'skip', expression }) }),
  ];
  const severities = (now: number) =>
    driftChanges(plan(scope([update(changes)])), undefined, now).map(({ severity }) => severity);
  expect(severities(end * 1000 - 1)).toEqual(['weakening', 'weakening']);
  expect(severities(end * 1000)).toEqual(['neutral', 'neutral']);
});

it('calls a rule weaker only for what is to come', () => {
  const [begin, end] = [1_793_487_600, 1_798_135_200];
  const live = `(ssl) and http.request.timestamp.sec ge ${begin} and http.request.timestamp.sec lt ${end}`;
  const found = (files: string, now: number) =>
    driftChanges(
      plan(scope([update([patch('a', { before: { expression: live }, after: { expression: files } })])])),
      undefined,
      now * 1000,
    ).map(({ severity, reason }) => [severity, reason]);
  const endsToo = `(ssl) and http.request.timestamp.sec lt ${end}`;
  const before = 'applies to fewer requests until 2026-10-31 23:00 UTC';
  expect(found(endsToo, begin - 1)).toEqual([['weakening', before]]);
  expect(found(endsToo, begin)).toEqual([['neutral', undefined]]);
  expect(found('ssl', begin)).toEqual([['weakening', 'applies to fewer requests from 2026-12-24 18:00 UTC']]);
});

it('gives the description of a rule whose ref is an id or a generated name', () => {
  const before = content({ description: 'Slow down' });
  const found = driftChanges(
    plan(
      scope([
        update([
          remove('a'.repeat(32), { before }),
          remove(`rw-${'0'.repeat(16)}`, { before }),
          remove('slow', { before }),
        ]),
      ]),
    ),
  );
  expect(found.map(({ description }) => description)).toEqual(['Slow down', 'Slow down', undefined]);
});

describe('a rule that live has under another ref', () => {
  const neutral = { protection: { kind: 'neutral' } } as const;
  const first = { ...neutral, place: { index: 1, after: null } };
  const driftOf = (...changes: readonly RuleChange[]) =>
    driftChanges(plan(scope([update(changes, { staying: ['d'.repeat(32)] })]))).map(
      ({ rule, severity }) => `${rule} ${severity}`,
    );

  it('is neutral, neither a missing rule nor an extra one', () => {
    expect(driftOf(add('new-name', first), remove('old-name', first))).toEqual([
      'new-name neutral',
      'old-name neutral',
    ]);
  });

  it('is neutral when another rule moves past it, but not when it stands elsewhere itself', () => {
    const second = { ...neutral, place: { index: 2, after: 'one' } };
    expect(driftOf(add('new-name', second), remove('old-name', first))).toEqual([
      'new-name weakening',
      'old-name strengthening',
    ]);
    const [from, to] = [
      { index: 3, after: 'two' },
      { index: 1, after: null },
    ];
    const passing = move('passing', { ...neutral, move: { from, to } });
    expect(driftOf(passing, add('new-name', second), remove('old-name', first))).toEqual([
      'passing neutral',
      'new-name neutral',
      'old-name neutral',
    ]);
  });
});

describe('drift that concerns every request', () => {
  const all = content({ expression: 'true' });
  const some = content({ expression: 'cf.client.bot' });
  const skip = content({
    action: 'skip',
    expression: 'ssl',
    action_parameters: { ruleset: 'current' },
  });
  type Rules = Readonly<Record<string, RuleContent>>;
  /** What drift says of rules: their refs, and what they do to every request. */
  const found = (files: Rules, live: Rules): readonly (readonly string[])[] => {
    const wanted = Object.entries(files).map(([ref, given]) => desiredRule({ ref, ...given }));
    const found = Object.entries(live).map(([ref, given], index) => liveRule(index + 1, { ref, ...given }));
    const planned = planOne(desiredRuleset(wanted), liveRuleset(found));
    return driftChanges(plan(planned)).map(({ rule, everyRequest = '-' }) => [rule, everyRequest]);
  };

  it.each([
    ['a rule that only live has', {}, { r: all }, 'blocks every request'],
    ['one that live widened', { r: some }, { r: all }, 'blocks every request'],
    ['one that live switched on', { r: { ...all, enabled: false } }, { r: all }, 'blocks every request'],
    [
      'a redirect that live made of a block',
      { r: some },
      { r: { ...all, action: 'redirect' } },
      'redirects every request',
    ],
    ['one that the files add', { r: all }, {}, '-'],
    ['one that only the files widen', { r: all }, { r: some }, '-'],
    ['one that the files want too', { r: { ...all, description: 'x' } }, { r: all }, '-'],
    ['one that live switched off', {}, { r: { ...all, enabled: false } }, '-'],
    ['a rate limit', {}, { r: { ...all, ratelimit: { period: 60 } } }, '-'],
    [
      'a skip that live lacks, behind which everybody is blocked',
      { r: skip, everybody: all },
      { everybody: all },
      'lets rules together stop or redirect every ordinary request that was tried',
    ],
  ])('is what live does to every request and the files do not: %s', (_what, files, live, expected) => {
    expect(found(files, live)).toEqual([['r', expected]]);
  });

  it('is not a rule that only stands at another place', () => {
    expect(found({ r: all, other: some }, { other: some, r: all }).map(([, ends]) => ends)).toEqual(['-']);
  });

  it('is not a rule that live has under another ref', () => {
    expect(found({ 'new-name': { ...all, description: 'new' } }, { 'old-name': all })).toEqual([
      ['new-name', '-'],
      ['old-name', '-'],
    ]);
  });

  it('comes before what weakens, whether it ends every request or lets every request past', () => {
    const changes = [
      remove('block', { before: some }),
      patch('text', { before: { description: 'a' }, after: { description: 'b' } }),
      remove('everybody', { before: all, ...endsLive() }),
      remove('skip', { before: skip }),
      remove('opened', { before: skip, opens: { back: 'lets every request past Rate limiting rules' } }),
    ];
    expect(driftChanges(plan(scope([update(changes)]))).map(({ rule }) => rule)).toEqual([
      'everybody',
      'opened',
      'skip',
      'text',
      'block',
    ]);
  });
});

/** Rules whose order matters to each other, two that no request meets both (`challenge` and `apart`), and one that is off. */
const RULES: readonly (Partial<RuleContent> & { readonly ref: string })[] = [
  { ref: 'block', action: 'block', expression: 'starts_with(http.request.uri.path, "/admin")' },
  { ref: 'skip', action: 'skip', action_parameters: { ruleset: 'current' }, expression: 'ssl' },
  { ref: 'challenge', action: 'managed_challenge', expression: 'http.host eq "a.example"' },
  {
    ref: 'apart',
    action: 'skip',
    action_parameters: { ruleset: 'current' },
    expression: 'http.host eq "b.example"',
  },
  { ref: 'off', action: 'block', expression: 'ssl', enabled: false },
];

type Rules = typeof RULES;

/** All orders of the rules. */
function orders(rules: Rules): readonly Rules[] {
  return rules.length === 0
    ? [[]]
    : rules.flatMap((rule) => orders(rules.filter((other) => other !== rule)).map((rest) => [rule, ...rest]));
}

function changesBetween(live: Rules, files: Rules): readonly RuleChange[] {
  const rules = live.map((rule) => liveRule(RULES.findIndex(({ ref }) => ref === rule.ref) + 1, rule));
  return planRules(nameRules(files.map(desiredRule)), rules, ruleOptions()).changes;
}

function mostSevere(kinds: readonly string[]): string {
  return ['weakening', 'strengthening'].find((kind) => kinds.includes(kind)) ?? 'neutral';
}

it('judges drift as strengthening, with a reason, when live protects more by its order alone', () => {
  const [block, skip] = RULES;
  const files = [skip, block].flatMap((rule) => rule ?? []);
  const changes = changesBetween(files.toReversed(), files);
  expect(changes.map(({ protection }) => protection.kind)).toEqual(['weakening']);
  expect(driftChanges(plan(scope([update(changes)])))).toMatchObject([
    { difference: 'moved-live', severity: 'strengthening', reason: expect.stringContaining('before a skip') },
  ]);
});

it('judges drift as weakening when a challenge has come before a block, though a plan that puts it back is neutral', () => {
  const challenge = { ref: 'challenge', action: 'managed_challenge', expression: 'ip.src eq 192.0.2.1' };
  const block = { ref: 'block', action: 'block', expression: 'ssl' };
  const changes = changesBetween([challenge, block], [block, challenge]);
  expect(changes.map(({ protection }) => protection.kind)).toEqual(['neutral']);
  expect(driftChanges(plan(scope([update(changes)])))).toMatchObject([
    { difference: 'moved-live', severity: 'weakening', reason: expect.stringContaining('before block') },
  ]);
});

it('judges a drifted order as a plan from the files to live would', () => {
  const seen = new Set<string>();
  for (const live of orders(RULES)) {
    for (const files of [RULES, RULES.toReversed()]) {
      const found = driftChanges(plan(scope([update(changesBetween(live, files))])));
      const back = changesBetween(files, live).map(({ protection }) => protection.kind);
      const kind = mostSevere(found.map(({ severity }) => severity));
      expect({ live, kind }).toEqual({ live, kind: mostSevere(back) });
      seen.add(kind);
    }
  }
  expect([...seen].toSorted()).toEqual(['neutral', 'strengthening', 'weakening']);
});
