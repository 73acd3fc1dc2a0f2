import { describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { planRollback } from '../../../src/plan/reverse/plan-rollback.ts';
import type { RestoredShare } from '../../../src/plan/reverse/restore-scope.ts';
import { CAUSE, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { serve } from '../pure-service.ts';
import { planned } from '../world.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const STEP = 'zone:shop.example/http_request_firewall_custom';
const SHARE: RestoredShare = {
  ownership: patterns('ours-*'),
  place: 'any',
  ignore: [{ rule: 'ours-free', reason: 'a script writes it', until: '2099-01-01', cause: CAUSE }],
  description: false,
};

/** A rule whose expression contains the text. */
const rule = (number: number, ref: string, text = 'then'): LiveRule =>
  liveRule(number, { ref, expression: `http.host eq "${text}"` });

function rollback(version: LiveRuleset, live: LiveRuleset, extent: 'share' | 'whole'): PlannedScope {
  return planned(planRollback({ scope: SCOPE, live, version, catalogue: [], share: SHARE, extent }));
}

/** The rules after a rollback, as number, ref and text. */
function after({ steps }: PlannedScope, live: LiveRuleset): readonly unknown[] {
  const ruleset = steps
    .flatMap((step) => writesOf(step, 'auto'))
    .reduce<LiveRuleset | null>((state, write) => serve(state, write), live);
  return (ruleset?.rules ?? []).map(({ id: ruleId, ref, content }) => [
    Number.parseInt(ruleId, 16),
    ref,
    /"(.*)"/u.exec(content.expression)?.[1],
  ]);
}

interface Row {
  readonly version: readonly LiveRule[];
  readonly live: readonly LiveRule[];
  readonly after: readonly unknown[];
  readonly kept: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  'a rule of others that we have taken over since has what it said, under our name': {
    version: [rule(1, 'team-a')],
    live: [rule(1, 'ours-a', 'now')],
    after: [[1, 'ours-a', 'then']],
    kept: [],
  },
  'a rule of others that we have taken over since, under the name of one that is gone, is that one': {
    version: [rule(1, 'team-a', 'theirs'), rule(2, 'ours-a')],
    live: [rule(1, 'ours-a', 'now')],
    after: [[1, 'ours-a', 'then']],
    kept: [],
  },
  'a rule that others have taken over since stays theirs': {
    version: [rule(1, 'ours-a')],
    live: [rule(1, 'team-a', 'now')],
    after: [[1, 'team-a', 'now']],
    kept: ['team-a: changed since version 1 and stays as it is: it is not ours'],
  },
  'a rule of others that was made anew tells where ours stood': {
    version: [rule(1, 'ours-a'), rule(2, 'team-b')],
    live: [rule(9, 'team-b'), rule(1, 'ours-a')],
    after: [
      [1, 'ours-a', 'then'],
      [9, 'team-b', 'then'],
    ],
    kept: ['team-b: changed since version 1 and stays as it is: it is not ours'],
  },
  'a rule of others that has the name of one that went is another one': {
    version: [rule(1, 'team-a'), rule(2, 'ours-b'), rule(3, 'team-c')],
    live: [rule(3, 'team-a'), rule(2, 'ours-b')],
    after: [
      [2, 'ours-b', 'then'],
      [3, 'team-a', 'then'],
    ],
    kept: [
      'team-a: changed since version 1 and stays as it is: it is not ours',
      'team-a: went since version 1 and does not come back: it is not ours',
    ],
  },
  'rules of others that came, went and moved stay as they are': {
    version: [rule(1, 'team-a'), rule(2, 'team-b'), rule(3, 'team-c'), rule(4, 'team-d')],
    live: [rule(2, 'team-b'), rule(3, 'team-c'), rule(1, 'team-a'), rule(5, 'team-e')],
    after: [
      [2, 'team-b', 'then'],
      [3, 'team-c', 'then'],
      [1, 'team-a', 'then'],
      [5, 'team-e', 'then'],
    ],
    kept: [
      'team-a: moved since version 1 and stays where it is: it is not ours',
      'team-e: came since version 1 and stays: it is not ours',
      'team-d: went since version 1 and does not come back: it is not ours',
    ],
  },
  'a rule of ours that the files let differ stays as it is': {
    version: [rule(1, 'ours-free'), rule(2, 'ours-a')],
    live: [rule(1, 'ours-free', 'now'), rule(2, 'ours-a', 'now')],
    after: [
      [1, 'ours-free', 'now'],
      [2, 'ours-a', 'then'],
    ],
    kept: ['ours-free: changed since version 1 and stays as it is: the files let it differ'],
  },
};

describe('a rollback of our share', () => {
  it.each(Object.entries(rows))('%s', (_what, { version, live, after: wanted, kept }) => {
    const now = liveRuleset(live, { version: '5' });
    const plan = rollback(liveRuleset(version), now, 'share');
    expect(after(plan, now)).toEqual(wanted);
    const notes = plan.notes.filter(({ kind }) => kind === 'kept');
    expect(notes.map(({ rule: ref, message }) => `${ref}: ${message}`)).toEqual(kept);
    expect(notes.every(({ step }) => step === STEP)).toBe(true);
  });

  it('leaves the description of the ruleset, which a rollback of the whole ruleset restores', () => {
    const version = liveRuleset([], { description: 'then' });
    const live = liveRuleset([], { description: 'now', version: '5' });
    expect(rollback(version, live, 'share').steps).toEqual([]);
    expect(rollback(version, live, 'whole').steps).toMatchObject([{ description: { after: 'then' } }]);
  });

  it('gives the version and the rule that each change comes from', () => {
    const version = liveRuleset([rule(1, 'ours-a'), rule(2, 'ours-b')]);
    const plan = rollback(version, liveRuleset([rule(1, 'ours-a')], { version: '5' }), 'share');
    expect(plan.steps).toMatchObject([
      {
        cause: { version: '1' },
        changes: [{ kind: 'add', ref: 'ours-b', cause: { version: '1', rule: 2 } }],
      },
    ]);
    expect(plan.notes).toMatchObject([{ kind: 'id-lost', rule: 'ours-b' }]);
  });
});

describe('a rollback of the whole ruleset', () => {
  it('brings a rule back as it was, and gives its name to no rule without one that says the same', () => {
    const nameless = { ...rule(9, 'any'), ref: id(9) };
    const live = liveRuleset([nameless], { version: '5' });
    const plan = rollback(liveRuleset([rule(1, 'ours-a')]), live, 'whole');
    expect(plan.steps.flatMap(({ changes }) => changes.map(({ kind, ref }) => [kind, ref]))).toEqual([
      ['add', 'ours-a'],
      ['delete', id(9)],
    ]);
  });

  it('warns of each rule of others that it restores, changes, moves or deletes', () => {
    const stay = [rule(4, 'ours-d'), rule(6, 'ours-f')];
    const version = [rule(1, 'team-a'), rule(2, 'team-b'), ...stay, rule(3, 'team-c')];
    const live = [rule(3, 'team-c'), rule(2, 'team-b', 'now'), rule(5, 'team-e'), rule(7, 'ours-g'), ...stay];
    const plan = rollback(liveRuleset(version), liveRuleset(live, { version: '5' }), 'whole');
    const foreign = plan.findings.filter(({ kind }) => kind === 'foreign');
    expect(foreign.map(({ message }) => message).sort()).toEqual(
      [
        'team-a is not ours and would be brought back',
        'team-b is not ours and would be changed',
        'team-c is not ours and would be moved',
        'team-e is not ours and would be deleted',
      ].map((message) => `${STEP}: rule ${message}`),
    );
    expect(foreign.every(({ effect, step }) => effect === 'warn' && step === STEP)).toBe(true);
  });
});
