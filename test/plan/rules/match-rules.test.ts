import { describe, expect, it } from 'vitest';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { RuleOwnership } from '../../../src/model/ruleset.ts';
import { matchRules } from '../../../src/plan/match/match-rules.ts';
import { nameRules, owns } from '../../../src/plan/match/name-rules.ts';
import { planRules } from '../../../src/plan/plan-ruleset.ts';
import { ALL, CAUSE, desiredRule, ruleOptions, id, liveRule, patterns } from '../build.ts';

function match(
  desired: readonly DesiredRule[],
  live: readonly LiveRule[],
  ownership: RuleOwnership = ALL,
  ignores: (rule: LiveRule) => boolean = () => false,
  ignoredFields: readonly string[] = [],
) {
  const { pairs, adoptable } = matchRules(nameRules(desired), live, {
    owns: (rule) => owns(ownership, rule),
    ignores,
    ignoredFields: () => ignoredFields,
  });
  return {
    pairs: pairs.map((pair) => [pair.desired, pair.live]),
    adoptable: adoptable.map((pair) => [pair.desired, pair.live]),
  };
}

describe('matchRules', () => {
  it('matches by ref, whatever the content', () => {
    const live = [liveRule(1, { ref: 'a', expression: 'x' }), liveRule(2, { ref: 'b', expression: 'y' })];
    expect(match([desiredRule({ ref: 'b', expression: 'x' })], live).pairs).toEqual([[0, 1]]);
  });

  it('matches an unnamed live rule by the id in the file, with or without a ref there', () => {
    const live = [liveRule(1), liveRule(2)];
    expect(match([desiredRule({ id: id(2), adopt: true, ref: 'new' })], live).pairs).toEqual([[0, 1]]);
    expect(match([desiredRule({ id: id(2) })], live).pairs).toEqual([[0, 1]]);
  });

  it('matches rules without a ref to live rules with identical content, copies in order', () => {
    const live = [liveRule(1), liveRule(2), liveRule(3, { action: 'log' })];
    expect(match([desiredRule(), desiredRule(), desiredRule({ action: 'log' })], live).pairs).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('matches copies in order also where some of them may differ in a field, so that none moves', () => {
    const ignore = [{ rule: id(2), field: '/enabled', reason: 'On call', until: '2099-01-01', cause: CAUSE }];
    const copies = nameRules([desiredRule(), desiredRule(), desiredRule()]);
    const live = [liveRule(1), liveRule(2), liveRule(3)];
    expect(planRules(copies, live, ruleOptions({ ignore })).changes).toEqual([]);
  });

  it('falls back to the description, then the expression, if it is unique on both sides', () => {
    const live = [
      liveRule(1, { description: 'office', expression: 'a' }),
      liveRule(2, { description: '', expression: 'b' }),
    ];
    const desired = [
      desiredRule({ description: 'office', expression: 'c' }),
      desiredRule({ expression: 'b', action: 'log' }),
    ];
    expect(match(desired, live).pairs).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('never guesses between two live rules with the same description', () => {
    const live = [
      liveRule(1, { description: 'x', expression: 'a' }),
      liveRule(2, { description: 'x', expression: 'b' }),
    ];
    expect(match([desiredRule({ description: 'x', expression: 'c' })], live).pairs).toEqual([]);
  });

  it('never guesses which of two wanted rules with the same description a live rule is', () => {
    const live = [liveRule(1, { description: 'x', expression: 'a' })];
    const desired = [
      desiredRule({ description: 'x', expression: 'b' }),
      desiredRule({ description: 'x', expression: 'c' }),
    ];
    expect(match(desired, live).pairs).toEqual([]);
  });

  it('does not treat two empty descriptions as the same', () => {
    const live = [liveRule(1, { expression: 'a' })];
    expect(match([desiredRule({ expression: 'b' })], live).pairs).toEqual([]);
  });

  it('does not adopt a rule with another ref unless told to, and reports that it could', () => {
    const live = [liveRule(1, { ref: 'old' })];
    expect(match([desiredRule({ ref: 'new' })], live)).toEqual({ pairs: [], adoptable: [[0, 0]] });
    expect(match([desiredRule({ ref: 'new', adopt: true })], live)).toEqual({
      pairs: [[0, 0]],
      adoptable: [],
    });
  });

  it('gives a new ref to an unnamed live rule once the file has one', () => {
    const [made] = nameRules([desiredRule()]);
    for (const ref of [undefined, made?.ref]) {
      const live = [liveRule(1, ref === undefined ? {} : { ref })];
      expect(match([desiredRule({ ref: 'new' })], live)).toEqual({ pairs: [[0, 0]], adoptable: [] });
      // A rule that says something else is another rule, and one that the file has by its ref is taken.
      expect(match([desiredRule({ ref: 'new', action: 'log' })], live).pairs).toEqual([]);
      const taken = desiredRule({ ref: live[0]?.ref ?? '' });
      expect(match([desiredRule({ ref: 'new' }), taken], live).pairs).toEqual([[1, 0]]);
      expect(match([desiredRule({ ref: 'new' }), desiredRule()], live).pairs).toEqual([[1, 0]]);
    }
  });

  it('gives new refs to copies in their order', () => {
    const live = [liveRule(1), liveRule(2, { ref: 'chosen' }), liveRule(3)];
    const desired = ['a', 'b', 'c'].map((ref) => desiredRule({ ref }));
    expect(match(desired, live)).toEqual({
      pairs: [
        [0, 0],
        [1, 2],
      ],
      adoptable: [[2, 1]],
    });
  });

  it('gives a new ref to an unnamed rule of the same meaning, whatever fields only live has', () => {
    const limit = { ratelimit: { period: 60 } };
    const live = [
      liveRule(1, { expression: '(ssl)', description: 'spelled otherwise' }),
      liveRule(2, {
        expression: 'http.host eq "a.example"',
        ratelimit: { period: 60, mitigation_timeout: 0 },
      }),
    ];
    const desired = [
      desiredRule({ ref: 'limit', expression: 'http.host eq "a.example"', ...limit }),
      desiredRule({ ref: 'ssl', expression: 'ssl', description: 'spelled otherwise' }),
    ];
    expect(match(desired, live).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
    // The service may add fields to each of them: similar rules are told apart by what they say.
    const added = [1, 2].map((number) =>
      liveRule(number, { enabled: number === 1, extra: { new_field: number } }),
    );
    const alike = [desiredRule({ ref: 'off', enabled: false }), desiredRule({ ref: 'on' })];
    expect(match(alike, added).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
    const longer = { ratelimit: { period: 60, mitigation_timeout: 600 } };
    expect(
      match([desiredRule({ ref: 'limit', expression: 'http.host eq "a.example"', ...longer })], live).pairs,
    ).toEqual([]);
  });

  it('gives a new ref to an equal unnamed rule before rules without a ref are matched by less', () => {
    const live = [
      liveRule(1, { description: 'bots' }),
      liveRule(2, { description: 'bots', expression: 'ssl' }),
    ];
    const edited = desiredRule({ description: 'bots', expression: 'not ssl' });
    expect(match([desiredRule({ ref: 'a', description: 'bots' }), edited], live).pairs).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('gives a new ref neither to a rule of others nor to one that is ignored as a whole', () => {
    expect(match([desiredRule({ ref: 'ours-a' })], [liveRule(1)], patterns('ours-*')).pairs).toEqual([]);
    expect(match([desiredRule({ ref: 'a' })], [liveRule(1)], ALL, () => true).pairs).toEqual([]);
  });

  it('does not note that the live spelling stays if a rule is written under a new ref', () => {
    const live = [liveRule(1, { expression: 'ssl' })];
    const { changes, notes } = planRules(
      nameRules([desiredRule({ ref: 'new', expression: '(ssl)' })]),
      live,
      ruleOptions(),
    );
    expect(changes).toMatchObject([{ kind: 'patch', adopts: id(1), content: { expression: '(ssl)' } }]);
    expect(notes).toEqual([]);
  });

  it('does not compare each new rule with each deleted one, however many share a description', () => {
    let reads = 0;
    const count = 300;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const live = numbers.map((number) => {
      const rule = liveRule(number + 1, { description: 'Blocked' });
      const content = {
        ...rule.content,
        get expression(): string {
          reads += 1;
          return `http.host eq "${number}.example"`;
        },
      };
      return { ...rule, content };
    });
    const desired = numbers.map((number) =>
      desiredRule({ ref: `r${number}`, description: 'Blocked', expression: `http.host eq "${number}.test"` }),
    );
    expect(match(desired, live).pairs).toEqual([]);
    expect(reads).toBeLessThan(count * 50);
  });

  it('does not compare each rule without a ref with each live rule of the same condition', () => {
    let reads = 0;
    const count = 300;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const answer = (text: string) => ({
      response: { status_code: 403, content: text, content_type: 'text/plain' },
    });
    const live = numbers.map((number) => {
      const rule = liveRule(number + 1);
      const content = {
        ...rule.content,
        get action_parameters() {
          reads += 1;
          return answer(`live ${number}`);
        },
      };
      return { ...rule, content };
    });
    const desired = numbers.map((number) => desiredRule({ action_parameters: answer(`wanted ${number}`) }));
    expect(match(desired, live).pairs).toEqual([]);
    expect(reads).toBeLessThan(count * 50);
  });

  it('gives a live rule to an equal rule without a ref before one that would rename it', () => {
    const live = [liveRule(1, { ref: 'old' })];
    expect(match([desiredRule({ ref: 'new', adopt: true }), desiredRule()], live).pairs).toEqual([[1, 0]]);
  });

  it('leaves rules of others alone unless a rule adopts them', () => {
    const live = [liveRule(1, { ref: 'team-b' })];
    expect(match([desiredRule({ ref: 'ours-a' })], live, patterns('ours-*')).pairs).toEqual([]);
    expect(match([desiredRule({ ref: 'ours-a', adopt: true })], live, patterns('ours-*')).pairs).toEqual([
      [0, 0],
    ]);
  });

  it('never guesses that a rule without a ref is a rule of others or an ignored one', () => {
    const theirs = [liveRule(1, { ref: 'team-b' })];
    expect(match([desiredRule()], theirs, patterns('ours-*')).pairs).toEqual([]);
    const ignored = [liveRule(1), liveRule(2)];
    expect(match([desiredRule()], ignored, ALL, (rule) => rule.id === id(1)).pairs).toEqual([[0, 1]]);
  });

  it('finds an ignored rule without a ref by what it says, or by its generated ref', () => {
    const ignores = () => true;
    const [made] = nameRules([desiredRule({ expression: 'ssl' })]);
    const wanted = [desiredRule({ expression: 'ssl' })];
    const edited = liveRule(1, { ref: made?.ref ?? '', expression: 'not ssl' });
    expect(match(wanted, [liveRule(1, { expression: 'ssl' })], ALL, ignores).pairs).toEqual([[0, 0]]);
    expect(match(wanted, [liveRule(1, { expression: '(ssl)' })], ALL, ignores).pairs).toEqual([[0, 0]]);
    expect(match(wanted, [edited], ALL, ignores).pairs).toEqual([[0, 0]]);
    // A named rule is somebody's own and only looks alike.
    const named = liveRule(1, { ref: 'named', expression: 'ssl' });
    expect(match(wanted, [named], ALL, ignores).pairs).toEqual([]);
    const guessed = liveRule(1, { expression: 'ssl', action: 'log' });
    expect(match(wanted, [guessed], ALL, ignores).pairs).toEqual([]);
  });

  it('finds a respelled rule without a ref before one that only looks alike', () => {
    const live = [
      liveRule(1, { expression: 'http.host in {"a" "b"}', action: 'log', description: 'x' }),
      liveRule(2, { expression: 'http.host in {"b" "a"}', description: 'x' }),
      liveRule(3, { expression: '(http.host eq "x") or http.host eq "y"' }),
    ];
    const desired = [
      desiredRule({ expression: 'http.host in {"a" "b"}', description: 'x' }),
      desiredRule({ expression: 'http.host eq "x" or http.host eq "y"' }),
    ];
    expect(match(desired, live).pairs).toEqual([
      [0, 1],
      [1, 2],
    ]);
    const { changes, notes } = planRules(nameRules(desired.slice(1)), live.slice(2), ruleOptions());
    expect(changes).toEqual([]);
    expect(notes).toMatchObject([{ kind: 'respelled' }]);
  });

  it('adopts a rule whose condition is respelled, whatever else differs', () => {
    const live = [liveRule(1, { ref: 'theirs', expression: 'ip.src in {192.0.2.0/24 198.51.100.7}' })];
    const adopting = desiredRule({
      ref: 'ours-a',
      adopt: true,
      description: 'renamed',
      expression: 'ip.src in {198.51.100.7 192.0.2.0/24}',
    });
    expect(match([adopting], live, patterns('ours-*')).pairs).toEqual([[0, 0]]);
    expect(match([{ ...adopting, adopt: false }], live, patterns('ours-*')).pairs).toEqual([]);
  });

  it('tells rules without a ref that share a condition apart by fields that are not ignored', () => {
    const live = [liveRule(1, { enabled: false, action: 'log' }), liveRule(2, { enabled: false })];
    const desired = [desiredRule(), desiredRule({ action: 'log' })];
    expect(match(desired, live).pairs).toEqual([]);
    expect(match(desired, live, ALL, () => false, ['/enabled']).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('does not let a rule that may not be matched keep a live rule from another one', () => {
    const live = [liveRule(1, { ref: 'somebody-named-it' })];
    expect(match([desiredRule({ ref: 'x' }), desiredRule()], live).pairs).toEqual([[1, 0]]);
  });

  it('tells an edited rule without a ref from a new one with its old content', () => {
    const [old] = nameRules([desiredRule({ expression: 'ssl' })]);
    const live = [liveRule(1, { ref: old?.ref ?? '', expression: 'not ssl' })];
    const desired = [desiredRule({ expression: 'not ssl' }), desiredRule({ expression: 'ssl' })];
    expect(match(desired, live).pairs).toEqual([[0, 0]]);
    const { changes } = planRules(nameRules(desired), live, ruleOptions());
    expect(changes.map((change) => change.kind)).toEqual(['add']);
    expect(changes[0]?.ref).not.toBe(old?.ref);
  });

  it('finds a rule without a ref that somebody edited by its generated ref', () => {
    const [made] = nameRules([desiredRule({ expression: 'ssl' })]);
    const live = [liveRule(1, { ref: made?.ref ?? '', expression: 'ssl and cf.client.bot' })];
    expect(match([desiredRule({ expression: 'ssl' })], live).pairs).toEqual([[0, 0]]);
  });

  it('matches a rule without a ref by what it says before its generated ref', () => {
    const [made] = nameRules([desiredRule({ expression: 'ssl' })]);
    const live = [
      liveRule(1, { ref: made?.ref ?? '', expression: 'not ssl' }),
      liveRule(2, { expression: 'ssl' }),
    ];
    expect(match([desiredRule({ expression: 'ssl' })], live).pairs).toEqual([[0, 1]]);
  });

  it('never treats an unnamed live rule as ours under an ownership pattern', () => {
    const live = [liveRule(1)];
    expect(match([desiredRule({ ref: id(1) })], live, patterns('*')).pairs).toEqual([]);
  });
});

describe('nameRules', () => {
  it('gives equal rules distinct refs that depend only on their content and number', () => {
    const [first, second, third] = nameRules([desiredRule(), desiredRule({ action: 'log' }), desiredRule()]);
    expect(new Set([first?.ref, second?.ref, third?.ref]).size).toBe(3);
    expect(nameRules([desiredRule({ action: 'log' })])[0]?.ref).toBe(second?.ref);
  });
});
