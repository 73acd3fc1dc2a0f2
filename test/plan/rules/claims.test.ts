import { describe, expect, it } from 'vitest';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { RuleOwnership } from '../../../src/model/ruleset.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { planRuleset } from '../../../src/plan/plan-ruleset.ts';
import { ALL, CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { SCOPE } from '../world.ts';

function plan(desired: readonly DesiredRule[], live: readonly LiveRule[], ownership: RuleOwnership = ALL) {
  return planRuleset({
    scope: SCOPE,
    desired: desiredRuleset(desired, { ownership }),
    rules: nameRules(desired),
    slot: { kind: 'present', ruleset: liveRuleset(live) },
  });
}

describe('a claim to a live rule', () => {
  const theirs = liveRule(1, { ref: 'team-b' });

  it('is refused without adopt for a rule of others, by id and by ref', () => {
    const [byId] = plan([desiredRule({ ref: 'ours-a', id: id(1) })], [theirs], patterns('ours-*')).problems;
    expect(byId).toBe(
      `zones/shop.example.yaml:1:1: rule ours-a names the live rule ${id(1)} (ref team-b), which is not ours; adopt: true takes it over`,
    );
    const [nameless] = plan([desiredRule({ id: id(1) })], [theirs], patterns('ours-*')).problems;
    expect(nameless).toContain('zones/shop.example.yaml:1:1: the rule names the live rule');
    const unnamed = liveRule(2);
    expect(plan([desiredRule({ ref: id(2) })], [unnamed], patterns('*')).problems).toHaveLength(1);
    const adopted = plan(
      [desiredRule({ ref: 'ours-a', id: id(1), adopt: true })],
      [theirs],
      patterns('ours-*'),
    );
    expect(adopted.problems).toEqual([]);
    expect(adopted.step?.changes).toMatchObject([{ kind: 'patch', adopts: 'team-b', id: id(1) }]);
  });

  it('is refused for a live rule that another rule already has', () => {
    const { problems } = plan(
      [desiredRule({ ref: 'team-b' }), desiredRule({ ref: 'other', id: id(1), adopt: true })],
      [theirs],
    );
    expect(problems).toMatchObject([
      expect.stringMatching(/: rule other names .* which another rule already has$/),
    ]);
  });

  it('needs adopt if it would change the ref of the live rule', () => {
    expect(plan([desiredRule({ ref: 'new', id: id(1) })], [theirs]).problems).toMatchObject([
      expect.stringContaining('would change its ref team-b; that needs adopt: true'),
    ]);
    expect(plan([desiredRule({ id: id(1), action: 'log' })], [theirs]).problems).toEqual([]);
  });

  it('is refused if its id and its ref belong to two live rules, one of which would be deleted', () => {
    const live = [liveRule(1, { ref: 'old' }), liveRule(2, { ref: 'other' })];
    for (const adopt of [true, false]) {
      for (const ownership of [ALL, patterns('old')]) {
        const { problems } = plan([desiredRule({ ref: 'old', id: id(2), adopt })], live, ownership);
        expect(problems).toEqual([
          expect.stringContaining(`names two live rules, ${id(2)} (ref other) by its id`),
        ]);
      }
    }
    const swapped = [
      desiredRule({ ref: 'other', id: id(1), adopt: true }),
      desiredRule({ ref: 'old', id: id(2), adopt: true }),
    ];
    expect(plan(swapped, live).problems).toHaveLength(2);
    expect(plan([desiredRule({ ref: 'old', id: id(1) }), desiredRule({ ref: 'other' })], live)).toMatchObject(
      {
        problems: [],
        step: null,
      },
    );
  });

  it('needs no adopt for an unnamed live rule, whatever the claiming rule says', () => {
    const { problems, step } = plan([desiredRule({ ref: 'new', id: id(1), action: 'log' })], [liveRule(1)]);
    expect(problems).toEqual([]);
    expect(step?.changes).toMatchObject([{ kind: 'patch', adopts: id(1), ref: 'new', id: id(1) }]);
  });
});

it('a new rule that stands behind one of ours gets no note', () => {
  const first = { ref: 'ours-a', expression: 'http.host eq "a.example"' };
  const { step, notes } = plan(
    [desiredRule(first), desiredRule({ ref: 'ours-b', expression: 'ssl' })],
    [liveRule(1, first)],
    patterns('ours-*'),
  );
  expect(step?.changes).toHaveLength(1);
  expect(notes).toEqual([]);
});

describe('a new rule behind rules of others', () => {
  const ours = (expression: string) => [desiredRule({ ref: 'ours-a', expression })];
  const notes = (expression: string, ...live: readonly LiveRule[]) =>
    plan(ours(expression), live, patterns('ours-*')).notes.map(({ kind, message, cause }) => {
      expect(cause).toEqual(CAUSE);
      return [kind, message];
    });

  it('gets a warning if one of them ends evaluation', () => {
    const block = liveRule(1, { ref: 'team-b', expression: 'http.host eq "a.example"' });
    expect(notes('ssl', block)).toEqual([
      ['shadowed', 'comes after rules of others that end evaluation: team-b'],
    ]);
  });

  it('gets a note with the descriptions of those that are unnamed', () => {
    const pass = { description: 'Partners may pass', action: 'skip' };
    const skip = { ...pass, action_parameters: { ruleset: 'current' } };
    expect(notes('ssl', liveRule(1, { ...skip, expression: 'http.host eq "a.example"' }))).toEqual([
      ['shadowed', `comes after rules of others that end evaluation: “Partners may pass” (${id(1)})`],
    ]);
    expect(notes('ssl', liveRule(1, { ...skip, expression: 'ssl' }))).toEqual([
      [
        'shadowed',
        `never runs: “Partners may pass” (${id(1)}) (not your rule) ends evaluation for every request that this rule matches`,
      ],
    ]);
  });

  it('never runs if one of them takes every request that it matches', () => {
    const skip = liveRule(1, {
      ref: 'team-s',
      action: 'skip',
      expression: 'ssl',
      action_parameters: { ruleset: 'current' },
    });
    expect(notes('ssl and http.host eq "a.example"', skip)).toEqual([
      [
        'shadowed',
        'never runs: team-s (not your rule) ends evaluation for every request that this rule matches',
      ],
    ]);
  });

  it('may be reached if one of them acts on less than it matches', () => {
    const shadowed = [['shadowed', 'comes after rules of others that end evaluation: team-b']];
    const challenge = liveRule(1, { ref: 'team-b', action: 'managed_challenge', expression: 'ssl' });
    expect(notes('ssl', challenge)).toEqual(shadowed);
    const byList = { from_list: { name: 'moved', key: 'http.request.full_uri' } };
    const redirect = { ref: 'team-b', action: 'redirect', expression: 'ssl', action_parameters: byList };
    expect(notes('ssl', liveRule(1, redirect))).toEqual(shadowed);
  });

  it('gets no note if no request meets both, or if the other rule does not end evaluation', () => {
    const other = liveRule(1, { ref: 'team-b', expression: 'http.host eq "b.example"' });
    expect(notes('http.host eq "a.example"', other)).toEqual([]);
    const either = '(http.host eq "b.example" and ssl) or http.host eq "c.example"';
    expect(notes('http.host eq "a.example"', liveRule(1, { ref: 'team-b', expression: either }))).toEqual([]);
    expect(notes('ssl', liveRule(1, { ref: 'team-b', action: 'log' }))).toEqual([]);
    const product = { action: 'skip', action_parameters: { products: ['bic'] } };
    expect(notes('ssl', liveRule(1, { ref: 'team-b', ...product }))).toEqual([]);
    expect(notes('ssl', liveRule(1, { ref: 'team-b', enabled: false }))).toEqual([]);
  });
});

describe('a rule of others in front of ours', () => {
  const SHOP = { ref: 'ours-shop', expression: 'ssl and http.host eq "shop.example"' };
  const PATH = { ref: 'ours-path', expression: 'ssl and http.request.uri.path eq "/a"' };
  const pass = {
    ref: 'team-s',
    action: 'skip',
    expression: 'ssl',
    action_parameters: { ruleset: 'current' },
  };
  const notes = (...live: readonly LiveRule[]) =>
    plan([desiredRule(SHOP), desiredRule(PATH)], live, patterns('ours-*')).notes;

  it('is noted once if it ends evaluation for all that ours match, whenever it came', () => {
    const found = notes(liveRule(1, pass), liveRule(2, SHOP), liveRule(3, PATH));
    expect(found).toEqual([
      {
        kind: 'shadowed',
        step: 'zone:shop.example/http_request_firewall_custom',
        rule: 'ours-shop',
        message:
          'never runs: team-s (not your rule) ends evaluation for every request that this rule matches; nor does ours-path',
        cause: CAUSE,
      },
    ]);
  });

  it('is noted with the names of all our rules that are switched on', () => {
    const more = { ref: 'ours-more', expression: 'ssl and http.request.uri.path eq "/b"' };
    const off = { ref: 'ours-off', expression: 'ssl and http.request.uri.path eq "/c"', enabled: false };
    const rules = [SHOP, PATH, more, off];
    const live = [liveRule(1, pass), ...rules.map((rule, at) => liveRule(at + 2, rule))];
    const { notes: found } = plan(rules.map(desiredRule), live, patterns('ours-*'));
    expect(found).toMatchObject([
      { message: expect.stringMatching(/matches; nor do ours-path, ours-more$/) },
    ]);
  });

  it('gets no note if it is behind ours, matches only a part, is off, or lets evaluation go on', () => {
    expect(notes(liveRule(2, SHOP), liveRule(3, PATH), liveRule(1, pass))).toEqual([]);
    const part = { ...pass, expression: 'ip.src eq 192.0.2.1' };
    for (const other of [part, { ...pass, enabled: false }, { ...pass, action: 'managed_challenge' }]) {
      expect(notes(liveRule(1, other), liveRule(2, SHOP), liveRule(3, PATH))).toEqual([]);
    }
  });
});

describe('a matched rule', () => {
  it('keeps its live ref if the files give it none', () => {
    const live = liveRule(1, { ref: 'theirs', expression: 'ssl' });
    expect(plan([desiredRule({ expression: 'ssl', action: 'log' })], [live]).step?.changes).toMatchObject([
      { kind: 'patch', id: id(1), ref: 'theirs' },
    ]);
  });

  it('keeps its live spelling, what the service filled in, and what this version does not know, with notes', () => {
    const spelled = liveRule(1, { ref: 'spelled', expression: '(ssl)' });
    const newer = liveRule(2, { ref: 'newer', action_parameters: { shiny: 1 } });
    const limit = liveRule(3, { ref: 'limit', ratelimit: { period: 60, mitigation_timeout: 0 } });
    const { step, notes } = plan(
      [
        desiredRule({ ref: 'spelled', expression: 'ssl' }),
        desiredRule({ ref: 'newer' }),
        desiredRule({ ref: 'limit', ratelimit: { period: 60 } }),
      ],
      [spelled, newer, limit],
    );
    expect(step).toBeNull();
    const said = { step: 'zone:shop.example/http_request_firewall_custom', cause: CAUSE };
    expect(notes).toEqual([
      {
        ...said,
        kind: 'respelled',
        rule: 'spelled',
        message: 'same meaning, other text: the live spelling stays',
      },
      {
        ...said,
        kind: 'carried',
        rule: 'newer',
        message: 'keeps what this version does not know, and does not watch it: /action_parameters/shiny',
        fields: ['/action_parameters/shiny'],
      },
    ]);
  });
});
