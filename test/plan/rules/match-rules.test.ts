import { describe, expect, it } from 'vitest';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { RuleOwnership } from '../../../src/model/ruleset.ts';
import { matchRules } from '../../../src/plan/rules/match-rules.ts';
import { nameRules } from '../../../src/plan/rules/name-rules.ts';
import { planRules } from '../../../src/plan/rules/plan-rules.ts';
import { owns } from '../../../src/plan/rules/ownership.ts';
import { ALL, desiredRule, ruleOptions, id, liveRule, patterns } from '../build.ts';

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
  it('matches by ref whatever the content says', () => {
    const live = [liveRule(1, { ref: 'a', expression: 'x' }), liveRule(2, { ref: 'b', expression: 'y' })];
    expect(match([desiredRule({ ref: 'b', expression: 'x' })], live).pairs).toEqual([[0, 1]]);
  });

  it('matches by the id that the file carries only with leave to change the ref', () => {
    const live = [liveRule(1), liveRule(2)];
    expect(match([desiredRule({ id: id(2), adopt: true, ref: 'new' })], live).pairs).toEqual([[0, 1]]);
    expect(match([desiredRule({ id: id(2) })], live).pairs).toEqual([[0, 1]]);
  });

  it('gives nameless rules the live rule with identical content, copies in order', () => {
    const live = [liveRule(1), liveRule(2), liveRule(3, { action: 'log' })];
    expect(match([desiredRule(), desiredRule(), desiredRule({ action: 'log' })], live).pairs).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('falls back to description, then expression, where each is unique on both sides', () => {
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

  it('never guesses between two rules with one description', () => {
    const live = [
      liveRule(1, { description: 'x', expression: 'a' }),
      liveRule(2, { description: 'x', expression: 'b' }),
    ];
    expect(match([desiredRule({ description: 'x', expression: 'c' })], live).pairs).toEqual([]);
  });

  it('never guesses which of two rules with one description a live one is', () => {
    const live = [liveRule(1, { description: 'x', expression: 'a' })];
    const desired = [
      desiredRule({ description: 'x', expression: 'b' }),
      desiredRule({ description: 'x', expression: 'c' }),
    ];
    expect(match(desired, live).pairs).toEqual([]);
  });

  it('does not take two empty descriptions for the same', () => {
    const live = [liveRule(1, { expression: 'a' })];
    expect(match([desiredRule({ expression: 'b' })], live).pairs).toEqual([]);
  });

  it('does not take over a rule with another ref unless told to, and says that it could', () => {
    const live = [liveRule(1, { ref: 'old' })];
    expect(match([desiredRule({ ref: 'new' })], live)).toEqual({ pairs: [], adoptable: [[0, 0]] });
    expect(match([desiredRule({ ref: 'new', adopt: true })], live)).toEqual({
      pairs: [[0, 0]],
      adoptable: [],
    });
  });

  it('gives a name to a live rule that nobody named, as soon as the file has one', () => {
    const [made] = nameRules([desiredRule()]);
    for (const ref of [undefined, made?.ref]) {
      const live = [liveRule(1, ref === undefined ? {} : { ref })];
      expect(match([desiredRule({ ref: 'new' })], live)).toEqual({ pairs: [[0, 0]], adoptable: [] });
      // Another rule is another rule, and one that a file calls by its ref is taken.
      expect(match([desiredRule({ ref: 'new', action: 'log' })], live).pairs).toEqual([]);
      const taken = desiredRule({ ref: live[0]?.ref ?? '' });
      expect(match([desiredRule({ ref: 'new' }), taken], live).pairs).toEqual([[1, 0]]);
      expect(match([desiredRule({ ref: 'new' }), desiredRule()], live).pairs).toEqual([[1, 0]]);
    }
  });

  it('names copies in their order', () => {
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

  it('names a rule of the same meaning, with what only live says of it', () => {
    const limit = { ratelimit: { period: 60 } };
    const live = [
      liveRule(1, { expression: '(ssl)', description: 'spelled otherwise' }),
      liveRule(2, {
        expression: 'http.host eq "a.example"',
        ratelimit: { period: 60, mitigation_timeout: 60 },
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
    // As the service adds to each of them: those that are alike are told apart by what they say.
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

  it('names what says the same before a nameless rule is found by less', () => {
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

  it('names neither a rule of others nor one that may differ as a whole', () => {
    expect(match([desiredRule({ ref: 'ours-a' })], [liveRule(1)], patterns('ours-*')).pairs).toEqual([]);
    expect(match([desiredRule({ ref: 'a' })], [liveRule(1)], ALL, () => true).pairs).toEqual([]);
  });

  it('says of a rule that it writes under another name not that the live spelling stays', () => {
    const live = [liveRule(1, { expression: 'ssl' })];
    const { changes, notes } = planRules(
      nameRules([desiredRule({ ref: 'new', expression: '(ssl)' })]),
      live,
      ruleOptions(),
    );
    expect(changes).toMatchObject([{ kind: 'patch', adopts: id(1), content: { expression: '(ssl)' } }]);
    expect(notes).toEqual([]);
  });

  it('does not compare each new rule with each one that goes, however many have one description', () => {
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

  it('does not compare each nameless rule with each one of the same condition', () => {
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

  it('gives a live rule to the nameless one that says the same before one that would rename it', () => {
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

  it('never guesses that a nameless rule is one of others, or one that is ignored', () => {
    const theirs = [liveRule(1, { ref: 'team-b' })];
    expect(match([desiredRule()], theirs, patterns('ours-*')).pairs).toEqual([]);
    const ignored = [liveRule(1), liveRule(2)];
    expect(match([desiredRule()], ignored, ALL, (rule) => rule.id === id(1)).pairs).toEqual([[0, 1]]);
  });

  it('finds a nameless rule again that may differ as a whole, by what it says and by the name that we made for it', () => {
    const ignores = () => true;
    const [made] = nameRules([desiredRule({ expression: 'ssl' })]);
    const wanted = [desiredRule({ expression: 'ssl' })];
    const edited = liveRule(1, { ref: made?.ref ?? '', expression: 'not ssl' });
    expect(match(wanted, [liveRule(1, { expression: 'ssl' })], ALL, ignores).pairs).toEqual([[0, 0]]);
    expect(match(wanted, [liveRule(1, { expression: '(ssl)' })], ALL, ignores).pairs).toEqual([[0, 0]]);
    expect(match(wanted, [edited], ALL, ignores).pairs).toEqual([[0, 0]]);
    // It is somebody's own rule, which only looks alike.
    const named = liveRule(1, { ref: 'named', expression: 'ssl' });
    expect(match(wanted, [named], ALL, ignores).pairs).toEqual([]);
    const guessed = liveRule(1, { expression: 'ssl', action: 'log' });
    expect(match(wanted, [guessed], ALL, ignores).pairs).toEqual([]);
  });

  it('finds a nameless rule that is spelled otherwise, before one that only looks alike', () => {
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

  it('adopts a rule whose condition is spelled otherwise, whatever else it says', () => {
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

  it('tells nameless rules with one condition apart by what may not differ', () => {
    const live = [liveRule(1, { enabled: false, action: 'log' }), liveRule(2, { enabled: false })];
    const desired = [desiredRule(), desiredRule({ action: 'log' })];
    expect(match(desired, live).pairs).toEqual([]);
    expect(match(desired, live, ALL, () => false, ['/enabled']).pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it("lets a rule that may not be matched stand in nobody's way", () => {
    const live = [liveRule(1, { ref: 'somebody-named-it' })];
    expect(match([desiredRule({ ref: 'x' }), desiredRule()], live).pairs).toEqual([[1, 0]]);
  });

  it('keeps an edited nameless rule apart from a new one with its old content', () => {
    const [old] = nameRules([desiredRule({ expression: 'ssl' })]);
    const live = [liveRule(1, { ref: old?.ref ?? '', expression: 'not ssl' })];
    const desired = [desiredRule({ expression: 'not ssl' }), desiredRule({ expression: 'ssl' })];
    expect(match(desired, live).pairs).toEqual([[0, 0]]);
    const { changes } = planRules(nameRules(desired), live, ruleOptions());
    expect(changes.map((change) => change.kind)).toEqual(['add']);
    expect(changes[0]?.ref).not.toBe(old?.ref);
  });

  it('finds a nameless rule that somebody edited by the name that we made for it', () => {
    const [made] = nameRules([desiredRule({ expression: 'ssl' })]);
    const live = [liveRule(1, { ref: made?.ref ?? '', expression: 'ssl and cf.client.bot' })];
    expect(match([desiredRule({ expression: 'ssl' })], live).pairs).toEqual([[0, 0]]);
  });

  it('goes by what a nameless rule says before it goes by the name that we made for it', () => {
    const [made] = nameRules([desiredRule({ expression: 'ssl' })]);
    const live = [
      liveRule(1, { ref: made?.ref ?? '', expression: 'not ssl' }),
      liveRule(2, { expression: 'ssl' }),
    ];
    expect(match([desiredRule({ expression: 'ssl' })], live).pairs).toEqual([[0, 1]]);
  });

  it('never takes a rule that nobody named for ours under a pattern', () => {
    const live = [liveRule(1)];
    expect(match([desiredRule({ ref: id(1) })], live, patterns('*')).pairs).toEqual([]);
  });
});

describe('nameRules', () => {
  it('gives equal rules distinct refs that depend on nothing but their content and number', () => {
    const [first, second, third] = nameRules([desiredRule(), desiredRule({ action: 'log' }), desiredRule()]);
    expect(new Set([first?.ref, second?.ref, third?.ref]).size).toBe(3);
    expect(nameRules([desiredRule({ action: 'log' })])[0]?.ref).toBe(second?.ref);
  });
});
