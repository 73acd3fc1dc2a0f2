import { describe, expect, it } from 'vitest';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import type { LiveEntry } from '../../../src/model/state.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { SCOPE, planned } from '../world.ts';

const PHASE = 'http_request_firewall_custom';
const ENTRY = { kind: 'entrypoint', phase: PHASE } as const;
const LOGIN = { kind: 'custom', phase: PHASE, name: 'Login protection' } as const;
const STEP = `zone:shop.example/${PHASE}/custom:login-protection`;

const inner = liveRuleset([liveRule(7)], { id: id(0xa), kind: 'custom', name: LOGIN.name });
const runsIt = liveRule(1, {
  ref: 'team-run',
  action: 'execute',
  expression: 'true',
  action_parameters: { id: inner.id },
});

/** What planning finds when the files delete the custom ruleset. */
function findings(
  rulesets: readonly DesiredRuleset[],
  live: {
    readonly entries?: readonly LiveEntry[];
    readonly users?: readonly LiveRuleset[];
    readonly rulesets?: 'all';
  },
): readonly unknown[] {
  const desired = {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: live.rulesets ?? 'declared',
    rulesets,
    cause: CAUSE,
  } as const;
  const { rules: _rules, ...head } = inner;
  const plan = planScope(desired, {
    scope: SCOPE,
    entries: [{ address: LOGIN, slot: { kind: 'present', ruleset: inner } }, ...(live.entries ?? [])],
    catalogue: [head],
    ...(live.users === undefined ? {} : { users: live.users }),
  });
  return planned(plan).findings;
}

function entrypoint(...rules: LiveRuleset['rules']): LiveEntry {
  return { address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset(rules) } };
}

const GONE = desiredRuleset([], { address: LOGIN, presence: 'absent' });
const refused = (message: string): unknown => ({ kind: 'referenced', effect: 'refuse', step: STEP, message });

describe('a custom ruleset that is deleted while a rule still refers to it', () => {
  it('is refused, with the rule of others that refers to it', () => {
    const ours = desiredRuleset([], { ownership: patterns('ours-*') });
    expect(findings([GONE, ours], { entries: [entrypoint(runsIt)] })).toEqual([
      refused(
        `${STEP} would be deleted, but rule team-run of ${PHASE} still names it, and the service refuses that. Remove that rule first`,
      ),
    ]);
  });

  it('is refused when the rule is in a phase that no file declares', () => {
    expect(findings([GONE], { users: [liveRuleset([liveRule(2), runsIt])] })).toHaveLength(1);
  });

  it('is refused when no file declares the ruleset either', () => {
    expect(findings([], { rulesets: 'all', users: [liveRuleset([runsIt])] })).toHaveLength(1);
  });

  it('is refused when a rule of the files refers to it', () => {
    const still = desiredRule({
      ref: 'ours-run',
      action: 'execute',
      action_parameters: { id: 'custom:login-protection' },
    });
    const ours = desiredRuleset([still], { ownership: patterns('ours-*') });
    expect(findings([GONE, ours], { entries: [entrypoint()] })).toHaveLength(1);
  });

  it('is refused with the number of rules and the names of a few', () => {
    const many = Array.from({ length: 5 }, (_, index) => ({
      ...runsIt,
      id: id(index + 1),
      ref: `r${index}`,
    }));
    expect(findings([GONE], { users: [liveRuleset(many)] })).toEqual([
      refused(
        `${STEP} would be deleted, but 5 rules still name it, and the service refuses that: r0 of ${PHASE}, r1 of ${PHASE}, r2 of ${PHASE} and 2 more. Remove them first`,
      ),
    ]);
  });

  it('is not refused when the plan deletes or changes those rules, or deletes their ruleset', () => {
    const empty = desiredRuleset([]);
    expect(findings([GONE, empty], { entries: [entrypoint(runsIt)] })).toEqual([]);
    const changed = desiredRuleset([desiredRule({ ref: 'team-run', action: 'log' })]);
    expect(findings([GONE, changed], { entries: [entrypoint(runsIt)] })).toEqual([]);
    const other = { kind: 'custom', phase: PHASE, name: 'Other' } as const;
    const user = liveRuleset([runsIt], { id: id(0xb), kind: 'custom', name: 'Other' });
    const both = [GONE, desiredRuleset([], { address: other, presence: 'absent' })];
    expect(
      findings(both, { entries: [{ address: other, slot: { kind: 'present', ruleset: user } }] }),
    ).toEqual([]);
  });
});
