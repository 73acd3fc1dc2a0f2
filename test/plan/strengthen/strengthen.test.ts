import { describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { DesiredRuleset } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { onlyStrengthening } from '../../../src/plan/strengthen/only-strengthening.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import type { World } from '../world.ts';
import { planned, read } from '../world.ts';

const CUSTOM = 'http_request_firewall_custom';
const ENTRY = { kind: 'entrypoint', phase: CUSTOM } as const;
const INNER = { kind: 'custom', phase: CUSTOM, name: 'Inner' } as const;

function part(world: World, rulesets: readonly DesiredRuleset[]): PlannedScope {
  const desired: DesiredScope = {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
  };
  const live = read(
    world,
    rulesets.map(({ address }) => address),
  );
  return planned(onlyStrengthening({ plan: planned(planScope(desired, live)), desired, live }));
}

const changes = ({ steps }: PlannedScope) =>
  steps.flatMap((step) => step.changes.map(({ kind, ref }) => `${step.operation} ${kind} ${ref}`));
const left = ({ notes }: PlannedScope) =>
  notes.flatMap(({ kind, rule, message }) => (kind === 'left-out' ? [`${rule}: ${message}`] : []));

const skip = (ref: string) =>
  desiredRule({ ref, action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } });
const run = desiredRule({
  ref: 'run',
  action: 'execute',
  expression: 'true',
  action_parameters: { id: 'custom:inner' },
});

describe('the part of a plan that only strengthens', () => {
  it('creates a ruleset with those of its rules that protect, and the rule that executes it', () => {
    const plan = part(new Map(), [
      desiredRuleset([skip('s'), desiredRule({ ref: 'b' })], { address: INNER }),
      desiredRuleset([run]),
    ]);
    expect(changes(plan)).toEqual(['create add b', 'create add run']);
    expect(left(plan)).toEqual(['s: is not added: skips the rules after it']);
  });

  it('leaves out rules that would end every request', () => {
    const wide = 'http.request.uri.path eq "/.env" or starts_with(http.request.uri.path, "/")';
    const plan = part(
      new Map([
        [
          addressKey(ENTRY),
          liveRuleset([liveRule(1, { ref: 'env', expression: 'http.request.uri.path eq "/.env"' })]),
        ],
      ]),
      [
        desiredRuleset([
          desiredRule({ ref: 'env', action: 'block', expression: wide }),
          desiredRule({ ref: 'office', action: 'block', expression: 'not ip.src in {203.0.113.0/24}' }),
          desiredRule({ ref: 'admin', action: 'block', expression: 'http.request.uri.path eq "/admin"' }),
        ]),
      ],
    );
    expect(changes(plan)).toEqual(['update add admin']);
    expect(left(plan)).toEqual([
      'env: stays as it is: from then on it blocks every request',
      'office: is not added: from then on it blocks every ordinary request that was tried',
    ]);
  });

  it('creates no ruleset without rules, nor a rule that refers to it', () => {
    const plan = part(new Map(), [desiredRuleset([skip('s')], { address: INNER }), desiredRuleset([run])]);
    expect(plan.steps).toEqual([]);
    expect(left(plan)).toEqual([
      ': is not made: none of its rules is',
      's: is not added: skips the rules after it',
      ': is not made: none of its rules is',
      'run: is not added: it names custom:inner, which is not made',
    ]);
    expect(plan.bases).toHaveLength(2);
  });

  it('deletes no ruleset and adopts no rule', () => {
    const inner = liveRuleset([liveRule(9)], { id: id(0xc), kind: 'custom', name: 'Inner' });
    const theirs = liveRule(1, { ref: 'theirs' });
    const world: World = new Map([
      [addressKey(INNER), inner],
      [addressKey(ENTRY), liveRuleset([theirs])],
    ]);
    const plan = part(world, [
      desiredRuleset([], { address: INNER, presence: 'absent' }),
      desiredRuleset([{ ref: 'ours-1', id: theirs.id, adopt: true, content: theirs.content, cause: CAUSE }], {
        ownership: patterns('ours-*'),
      }),
    ]);
    expect(plan.steps).toEqual([]);
    expect(left(plan).sort()).toEqual([
      ': is still live with 1 rule: this mode deletes nothing',
      'ours-1: is not taken over from theirs: only the service can say that it keeps its id',
    ]);
  });

  it('deletes no undeclared ruleset of a scope that owns all rulesets', () => {
    const inner = liveRuleset([liveRule(9)], { id: id(0xc), kind: 'custom', name: 'Inner' });
    const live = read(new Map([[addressKey(INNER), inner]]), [INNER, ENTRY]);
    const desired: DesiredScope = {
      scope: { kind: 'zone', name: 'shop.example' },
      rulesetOwnership: 'all',
      rulesets: [desiredRuleset([desiredRule({ ref: 'b' })])],
      cause: CAUSE,
    };
    const whole = planned(planScope(desired, live));
    expect(whole.steps.map(({ operation }) => operation).sort()).toEqual(['create', 'delete']);
    const plan = planned(onlyStrengthening({ plan: whole, desired, live }));
    expect(changes(plan)).toEqual(['create add b']);
    expect(left(plan)).toEqual([': is still live with 1 rule: this mode deletes nothing']);
  });

  it('notes each change that it leaves out with its place in the files, and each ignored rule once', () => {
    const live = liveRuleset([liveRule(1, { ref: 'free', expression: 'ssl' })]);
    const cause = { ...CAUSE, line: 7 };
    const plan = part(new Map([[addressKey(ENTRY), live]]), [
      desiredRuleset([desiredRule({ ref: 'free', expression: 'not ssl' }), { ...skip('s'), cause }], {
        ignore: [{ rule: 'free', field: '/expression', reason: 'a test', until: '2099-01-01', cause: CAUSE }],
      }),
    ]);
    expect(plan.steps).toEqual([]);
    expect(plan.notes).toMatchObject([
      { kind: 'left-out', step: 'zone:shop.example/http_request_firewall_custom', rule: 's', cause },
      { kind: 'ignored', rule: 'free' },
    ]);
  });

  it('leaves out a move that weakens, and nothing else', () => {
    const live = liveRuleset([
      liveRule(1, { ref: 'b', action: 'block', expression: 'ssl' }),
      liveRule(2, { ref: 's', action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } }),
      liveRule(3, { ref: 'c', action: 'block', expression: 'not ssl' }),
    ]);
    const plan = part(new Map([[addressKey(ENTRY), live]]), [
      desiredRuleset([
        skip('s'),
        desiredRule({ ref: 'b', action: 'block', expression: 'ssl' }),
        desiredRule({ ref: 'n', action: 'block', expression: 'ip.src eq 192.0.2.9' }),
        desiredRule({ ref: 'c', action: 'block', expression: 'not ssl' }),
      ]),
    ]);
    expect(changes(plan)).toEqual(['update add n']);
    expect(left(plan)).toEqual([
      'b: stays where it is: now runs after s, so that requests that s skips may no longer reach this rule',
    ]);
  });

  it('judges a place beside the changes that are left out', () => {
    // The challenge that the files no longer want stays live, and counts for the place of the new rule.
    const live = liveRuleset([
      liveRule(1, { ref: 'old', action: 'managed_challenge', expression: 'ssl' }),
      liveRule(2, { ref: 'b', action: 'block', expression: 'not ssl' }),
    ]);
    const plan = part(new Map([[addressKey(ENTRY), live]]), [
      desiredRuleset([
        desiredRule({ ref: 'b', action: 'block', expression: 'not ssl' }),
        desiredRule({ ref: 'n', action: 'block', expression: 'ip.src eq 192.0.2.9' }),
      ]),
    ]);
    expect(plan.steps).toMatchObject([
      { changes: [{ kind: 'add', ref: 'n', place: { index: 3, after: 'b' } }], base: { version: '1' } },
    ]);
    expect(left(plan)).toEqual([
      'old: is still live and challenges what it matches: this mode deletes nothing',
    ]);
  });
});
