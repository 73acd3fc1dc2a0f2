import { describe, expect, it } from 'vitest';
import type { ManagedLock } from '../../../src/model/managed-rulesets.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import type { Deployment } from '../../../src/plan/lock/managed-lock.ts';
import {
  lockNotes,
  movedSinceLock,
  lockText,
  parseLock,
  makeLock,
  selectorsOf,
} from '../../../src/plan/lock/managed-lock.ts';
import { CAUSE, id, liveRule, liveRuleset } from '../build.ts';

function managedRule(number: number, ...tags: string[]): LiveRule {
  return { ...liveRule(number, { ref: `m${number}` }), categories: tags };
}

function vendor(version: string, ...rules: readonly LiveRule[]): LiveRuleset {
  return { ...liveRuleset(rules, { id: id(0xe), name: 'Vendor Core', kind: 'managed' }), version };
}

function deployed(managed: LiveRuleset, overrides: Parameters<typeof selectorsOf>[0]): Deployment {
  return { step: 's', rule: 'core', cause: CAUSE, managed, selectors: selectorsOf(overrides) };
}

function lockOf(managed: LiveRuleset, ...deployments: readonly Deployment[]): ManagedLock {
  return makeLock(deployments, new Map([[managed.id, managed]]));
}

const OVERRIDES = {
  categories: [{ category: 'xss', action: 'log' }],
  rules: [{ id: id(3), enabled: false }],
};
const OLD = vendor('1', managedRule(1, 'xss'), managedRule(2, 'sqli'), managedRule(3));
const LOCK = lockOf(OLD, deployed(OLD, OVERRIDES));

function notesOn(managed: LiveRuleset, overrides: Parameters<typeof selectorsOf>[0] = OVERRIDES): string[] {
  const deployments = [deployed(managed, overrides)];
  const readings = movedSinceLock(deployments, LOCK).map(
    (moved) => [moved, { kind: 'found', ruleset: managed }] as const,
  );
  return lockNotes(deployments, LOCK, new Map(readings)).map(({ kind, message }) => `${kind}: ${message}`);
}

describe('the lock', () => {
  it('lists what each override meets, with the same bytes in any order of the files', () => {
    const whole = deployed(OLD, { enabled: true });
    const one = lockText(lockOf(OLD, whole, deployed(OLD, OVERRIDES)));
    expect(lockText(lockOf(OLD, deployed(OLD, OVERRIDES), whole))).toBe(one);
    expect(Object.fromEntries(parseLock(one).rulesets[0]?.meets ?? [])).toEqual({
      'category xss': [id(1)],
      rules: [id(3)],
      ruleset: [id(1), id(2), id(3)],
    });
  });

  it.each([
    '',
    '[]',
    '{"version":2}',
    '{"version":1,"rulesets":{}}',
    '{"version":1,"rulesets":[1]}',
    '{"version":1,"rulesets":[{"id":"a","name":"b","version":3}]}',
    '{"version":1,"rulesets":[{"id":"a","name":"b","version":"3","meets":[]}]}',
    '{"version":1,"rulesets":[{"id":"a","name":"b","version":"3","meets":{"rules":[1]}}]}',
  ])('is refused when it is %s', (text) => {
    expect(() => parseLock(text)).toThrow(/^rulewright\.lock cannot be read: /u);
  });
});

describe('lockNotes', () => {
  it('gives no note, and needs no ruleset read, while the version is the same', () => {
    expect(movedSinceLock([deployed(OLD, OVERRIDES)], LOCK)).toEqual([]);
    expect(notesOn(OLD)).toEqual([]);
  });

  it('gives no note for new rules that no override meets', () => {
    expect(notesOn(vendor('2', ...OLD.rules, managedRule(4, 'sqli')))).toEqual([]);
  });

  it('notes rules that a category newly meets, and rules that it no longer meets', () => {
    const notes = notesOn(vendor('2', managedRule(2, 'xss'), managedRule(3)));
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(
      new RegExp(`^override-lock: .*category xss \\(action log\\) affect 1 more managed rule.*${id(2)}`, 'u'),
    );
    expect(notes[1]).toMatch(new RegExp(`category xss .* affect 1 fewer managed rule.*${id(1)}`, 'u'));
  });

  it('notes a gone rule that an override names, but not for overrides that do not name it', () => {
    const gone = vendor('2', managedRule(1, 'xss'));
    expect(notesOn(gone)).toEqual([expect.stringMatching(`rules affect 1 fewer managed rule.*${id(3)}`)]);
    expect(notesOn(gone, { rules: [{ id: id(1), enabled: false }] })).toEqual([]);
  });

  it('notes an override that the lock lacks, and a ruleset that cannot be read', () => {
    expect(notesOn(OLD, { action: 'log' })).toEqual([
      expect.stringMatching(/^override: .*lacks what overrides of ruleset affect: .*catalog --lock/u),
    ]);
    const moved = vendor('2');
    const failed = new Map([[moved.id, { kind: 'failed', message: 'forbidden' } as const]]);
    expect(lockNotes([deployed(moved, OVERRIDES)], LOCK, failed)).toEqual([
      expect.objectContaining({ kind: 'override-lock', message: expect.stringContaining('forbidden') }),
    ]);
  });
});
