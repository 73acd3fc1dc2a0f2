import { describe, expect, test } from 'vitest';
import { stepSecrets } from '../../../src/plan/redaction/written-secrets.ts';
import { journalWrite } from '../../../src/apply/journal/journal-entry.ts';
import type { RuleChange } from '../../../src/model/change.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { PlannedScope, UpdateStep } from '../../../src/model/plan.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { hideInOutcome } from '../../../src/plan/redaction/redact-outcome.ts';
import { hide, hideText } from '../../../src/plan/redaction/redact-text.ts';
import { hideInVersion } from '../../../src/plan/redaction/redact-version.ts';
import { hideReplaced } from '../../../src/plan/redaction/redact-replaced.ts';

const ID = '1'.repeat(32);
const OLD = 'old-secret-4711';
const REFERENCE = '<sensitive:SECRET>';
const PLACE = { index: 1, after: null };
const COMMON = {
  place: PLACE,
  protection: { kind: 'neutral' },
  cause: { file: 'a.yaml', line: 1, column: 1 },
} as const;

function content(value: string): RuleContent {
  return {
    action: 'rewrite',
    expression: `http.host eq "${value}"`,
    description: `Says ${value}`,
    enabled: true,
    action_parameters: { headers: { 'X/Auth': { operation: 'set', value } } },
  };
}

function patch(before: string, after: string): RuleChange {
  const path = '/action_parameters/headers/X~1Auth/value';
  const fields = [{ kind: 'changed', path, before, after }] as const;
  const [from, to] = [content(before), content(after)];
  return { ...COMMON, kind: 'patch', id: ID, ref: 'say', before: from, content: to, fields };
}

function stepWith(...changes: readonly RuleChange[]): UpdateStep {
  return {
    ...COMMON,
    id: 'zone:shop.example/http_request_late_transform',
    operation: 'update',
    target: { level: 'zone', kind: 'ruleset', name: 'default', phase: 'http_request_late_transform' },
    base: { kind: 'version', id: '2'.repeat(32), version: '1', lastUpdated: '' },
    description: { before: `For ${OLD}`, after: `For ${REFERENCE}` },
    after: [],
    staying: [],
    changes,
  };
}

function planWith(...changes: readonly RuleChange[]): PlannedScope {
  return {
    kind: 'planned',
    scope: { kind: 'zone', id: '3'.repeat(32), name: 'shop.example', accountId: '4'.repeat(32) },
    bases: [],
    steps: [stepWith(...changes)],
    notes: [],
    findings: [],
  };
}

function ruleset(value: string): LiveRuleset {
  return {
    id: '2'.repeat(32),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_late_transform',
    version: '1',
    lastUpdated: '',
    rules: [{ id: ID, ref: 'say', content: content(value) }],
  };
}

describe('a text that a sensitive value replaces', () => {
  test.each([
    [OLD, REFERENCE, '<sensitive>'],
    [`Bearer ${OLD}.`, `Bearer ${REFERENCE}.`, 'Bearer <sensitive>.'],
    ['Basic abc', `Bearer ${REFERENCE}`, '<sensitive>'],
    ['Bear', `Bearer ${REFERENCE}r`, '<sensitive>'],
    [`${OLD}-${OLD}`, `${REFERENCE}-${REFERENCE}`, '<sensitive>'],
    [`Bearer ${OLD}`, 'Bearer <looks like a secret>', 'Bearer <sensitive>'],
    [`a ${OLD} b ${OLD} c`, `a ${REFERENCE} b <looks like another secret> c`, 'a <sensitive> c'],
    [REFERENCE, REFERENCE, REFERENCE],
    ['public', 'another', 'public'],
  ])('%s replaced by %s is shown as %s', (before, after, shown) => {
    expect(hide(before, after, 'all')).toBe(shown);
  });

  test('is hidden by "like" only if it equals its model around the secret', () => {
    expect(hideText(`Basic ${OLD}`, 'Bearer <looks like a secret>', 'like')).toBe(`Basic ${OLD}`);
    expect(hideText(`Bearer ${OLD}`, 'Bearer <looks like a secret>', 'like')).toBe('Bearer <sensitive>');
  });

  test('is hidden in verdicts, notes and findings, also in those of other rules', () => {
    const reason = `removes a redirect to ${OLD.toUpperCase()}.example.org`;
    const changed = patch(OLD, REFERENCE);
    const moved: RuleChange = {
      ...COMMON,
      kind: 'move',
      id: '6'.repeat(32),
      ref: 'go',
      description: 'public',
      move: { from: PLACE, to: { ...PLACE, index: 2 }, back: { kind: 'weakening', reason } },
      protection: { kind: 'weakening', reason },
      ends: { forth: reason, back: reason },
    };
    const { id: step } = stepWith();
    const plan: PlannedScope = {
      ...planWith(changed, moved),
      notes: [{ kind: 'shadowed', step, rule: 'go', description: OLD, message: `comes after “Says ${OLD}”` }],
      findings: [{ kind: 'quota', effect: 'warn', step, description: OLD, reason, message: reason }],
    };
    const shown = hideReplaced(plan);
    expect(JSON.stringify(shown)).not.toMatch(/secret-4711/iu);
    expect(shown.steps[0]?.changes[1]?.protection).toEqual({
      kind: 'weakening',
      reason: 'removes a redirect to <sensitive>',
    });
    expect(shown.notes[0]?.message).toBe('comes after “Says <sensitive>”');
  });

  test('is hidden in lists and mappings, at its own place only', () => {
    expect(hide({ a: ['x', OLD], b: OLD }, { a: ['y', REFERENCE], b: 'z' }, 'all')).toEqual({
      a: ['x', '<sensitive>'],
      b: OLD,
    });
  });

  test('is hidden in the whole step of a plan', () => {
    const hidden = JSON.stringify(hideReplaced(planWith(patch(OLD, REFERENCE))));
    expect(hidden).not.toContain(OLD);
    expect(hidden).toContain(REFERENCE);
  });

  test('is hidden in a rule that is deleted while another one is added with the value', () => {
    const { place, cause, protection } = COMMON;
    const gone: RuleChange = {
      kind: 'delete',
      id: ID,
      ref: 'say',
      before: content(OLD),
      place,
      protection,
    };
    const come: RuleChange = {
      kind: 'add',
      ref: 'tell',
      content: content(REFERENCE),
      place,
      protection,
      cause,
    };
    expect(JSON.stringify(hideReplaced(planWith(gone, come)))).not.toContain(OLD);
  });

  test('is hidden in the descriptions of rules that places refer to', () => {
    const before = { index: 2, after: '5'.repeat(32), description: `Says ${OLD}` };
    const { cause: _cause, ...common } = COMMON;
    const gone: RuleChange = {
      ...common,
      kind: 'delete',
      id: ID,
      ref: 'say',
      before: content('x'),
      place: before,
    };
    const moved: RuleChange = {
      ...COMMON,
      kind: 'move',
      id: '6'.repeat(32),
      ref: 'go',
      description: '',
      move: { from: before, to: PLACE },
    };
    const come: RuleChange = { ...COMMON, kind: 'add', ref: 'tell', content: content(REFERENCE) };
    const [hidden] = hideReplaced(planWith(gone, moved, come)).steps;
    expect(JSON.stringify(hidden)).not.toContain(OLD);
    expect(JSON.stringify(hidden)).toContain('Says <sensitive>');
  });

  test('is shown if no sensitive value replaces it', () => {
    const plan = planWith(patch('one', 'another'));
    expect(JSON.stringify(hideReplaced(plan).steps[0]?.changes)).toBe(JSON.stringify(plan.steps[0]?.changes));
  });

  test('is hidden in outcomes that tell what was live meanwhile', () => {
    const path = '/action_parameters/headers/X~1Auth/value';
    const name = { id: ID, ref: ID, description: `Says ${OLD}` };
    const difference = {
      from: '1',
      to: '2',
      added: [{ id: '7'.repeat(32), ref: '7'.repeat(32), description: `Another ${OLD}` }],
      removed: [name],
      moved: [name],
      complete: true,
      description: { before: `For ${OLD}`, after: 'For nobody' },
      changed: [
        {
          ...name,
          fields: [
            { kind: 'changed', path, before: OLD, after: 'somebody-elses' },
            { kind: 'changed', path: '/description', before: 'Says something', after: `Says ${OLD}` },
          ],
        },
      ],
    } as const;
    const common = { step: 'x', message: '', hint: '', writes: 0 };
    const outcomes: readonly Outcome[] = [
      { ...common, kind: 'refused', code: 'apply/stale', difference },
      {
        ...common,
        kind: 'conflict',
        message: `somebody else made it ${OLD.toUpperCase()}`,
        others: [{ version: '2', lastUpdated: '', difference, lost: [name], atRisk: [name] }],
        broughtBack: [name],
      },
    ];
    for (const outcome of outcomes) {
      const shown = JSON.stringify(hideInOutcome(outcome, stepWith(patch('x', REFERENCE))));
      expect(shown).not.toMatch(/old-secret|somebody-/iu);
      const plain = { ...stepWith(), description: { before: '', after: 'plain' } };
      expect(hideInOutcome(outcome, plain)).toBe(outcome);
    }
  });

  test('is hidden in fields that the service normalised, by a plan and by its way back', () => {
    const path = '/action_parameters/headers/X~1Auth/value';
    const fields = [{ kind: 'changed', path, before: OLD, after: OLD.toUpperCase() }] as const;
    const common = { kind: 'done', step: 'x', version: '2', writes: 1 } as const;
    const done: Outcome = { ...common, normalised: [{ rule: 'say', fields }] };
    for (const change of [patch('x', REFERENCE), patch(REFERENCE, OLD)]) {
      expect(JSON.stringify(hideInOutcome(done, stepWith(change)))).not.toMatch(/secret-4711/iu);
    }
  });

  test('is hidden in the journal of a write that restores it, but not if live has no reference', () => {
    const rule = { ref: 'say', expression: 'true', action_parameters: content(OLD).action_parameters ?? {} };
    const before = ruleset(REFERENCE);
    // Response headers are public, so none of them looks like a secret.
    const step = stepWith();
    const shown = { ...step, target: { ...step.target, phase: 'http_response_headers_transform' } };
    for (const write of [
      { kind: 'patch-rule', id: before.id, ruleId: ID, rule, behind: null },
      { kind: 'patch-rule', id: before.id, ruleId: ID, rule: { ...rule, ref: 'renamed' }, behind: null },
      { kind: 'patch-rule', id: before.id, ruleId: ID, rule: null, behind: { kind: 'first' } },
      { kind: 'put-ruleset', id: before.id, description: null, rules: [{ id: ID }, rule] },
      { kind: 'put-ruleset', id: before.id, description: null, rules: [{ ...rule, id: ID }] },
    ] as const) {
      expect(JSON.stringify(journalWrite(write, before, stepSecrets(stepWith())))).not.toContain(OLD);
      expect(journalWrite(write, ruleset(OLD), stepSecrets(shown))).toEqual(write);
    }
  });

  test('is hidden in an earlier version, and restored as the reference', () => {
    for (const name of [{ ref: 'say' }, { id: ID, ref: 'renamed' }]) {
      const today = { rules: [{ ...name, content: content(REFERENCE) }], descriptions: [] };
      const [shown] = hideInVersion(ruleset(OLD), today, 'show').rules;
      expect(shown?.content.description).toBe('Says <sensitive>');
      expect(hideInVersion(ruleset(OLD), today, 'restore').rules[0]?.content).toEqual(content(REFERENCE));
    }
    const rules = [{ id: '9'.repeat(32), ref: 'other', content: content(REFERENCE) }];
    const others = { rules, descriptions: ['Ours'] };
    const [beside] = hideInVersion(ruleset(OLD), others, 'show').rules;
    expect(JSON.stringify(beside)).not.toContain(OLD);
    expect(hideInVersion(ruleset(OLD), others, 'restore')).toEqual(ruleset(OLD));
  });

  test('is hidden in the description of an earlier version, and restored as the reference', () => {
    const version = { ...ruleset(REFERENCE), description: `Made for ${OLD}` };
    const model = `Made for ${REFERENCE}`;
    const today = { rules: [], descriptions: ['Made elsewhere', model] };
    expect(hideInVersion(version, today, 'show').description).toBe('Made for <sensitive>');
    expect(hideInVersion(version, today, 'restore').description).toBe(model);
    const other = { ...version, description: `Of old ${OLD}` };
    expect(hideInVersion(other, today, 'show').description).toBe('<sensitive>');
    expect(hideInVersion(other, today, 'restore').description).toBe(model);
  });
});
