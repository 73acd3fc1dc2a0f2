import { describe, expect, test } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { hideSecrets } from '../../../src/plan/redaction/redact-secrets.ts';

const OLD = 'correct horse';
const NEW = 'battery staple';
const TOKEN = ['gh', 'p_', 'abcdefghij0123456789ABCD'].join('');
const COMMON = {
  ref: 'say',
  place: { index: 2, after: 'rw-0123456789abcdef', description: `Made with ${TOKEN}` },
  protection: { kind: 'weakening', reason: `no longer sends ${OLD}` },
  cause: { file: 'a.yaml', line: 1, column: 1 },
} as const;
const PATH = '/action_parameters/headers/X-Auth/value';

function content(value: string): RuleContent {
  return {
    action: 'rewrite',
    expression: 'true',
    description: `Sends ${value}`,
    enabled: true,
    action_parameters: { headers: { 'X-Auth': { operation: 'set', value } } },
  };
}

function patch(before: string, after: string): RuleChange {
  const fields = before === after ? [] : ([{ kind: 'changed', path: PATH, before, after }] as const);
  return {
    ...COMMON,
    kind: 'patch',
    id: '1'.repeat(32),
    before: content(before),
    content: content(after),
    fields,
  };
}

function planWith(...changes: readonly RuleChange[]): PlannedScope {
  return {
    kind: 'planned',
    scope: { kind: 'zone', id: '3'.repeat(32), name: 'shop.example', accountId: '4'.repeat(32) },
    bases: [],
    steps: [
      {
        id: 'zone:shop.example/http_request_late_transform',
        operation: 'update',
        target: { level: 'zone', kind: 'ruleset', name: 'default', phase: 'http_request_late_transform' },
        base: { kind: 'version', id: '2'.repeat(32), version: '1', lastUpdated: '' },
        description: { before: `For ${TOKEN}`, after: 'For nobody' },
        after: [],
        staying: [],
        changes,
      },
    ],
    notes: [
      {
        kind: 'shadowed',
        step: 'zone:shop.example/http_request_late_transform',
        rule: 'say',
        message: `says ${OLD}`,
      },
    ],
    findings: [],
  };
}

describe('what looks like a secret in a plan', () => {
  test('is hidden in all that the plan says of live', () => {
    const gone: RuleChange = { ...COMMON, kind: 'delete', id: '5'.repeat(32), before: content(OLD) };
    const shown = hideSecrets(planWith(patch(OLD, 'none'), gone));
    expect(JSON.stringify(shown)).not.toMatch(/horse|ghp_/u);
    expect(JSON.stringify(shown)).toContain('no longer sends <looks like a secret>');
    expect(shown.steps[0]).toMatchObject({
      description: { before: 'For <looks like a secret>', after: 'For nobody' },
    });
  });

  test('is shown as another secret when it changes, and in clear where the files write it', () => {
    const [change] = hideSecrets(planWith(patch(OLD, NEW))).steps[0]?.changes ?? [];
    expect(change).toMatchObject({
      before: content('<looks like a secret>'),
      content: content(NEW),
      fields: [{ before: '<looks like a secret>', after: '<looks like another secret>' }],
    });
  });

  test('is not hidden if the files say it too', () => {
    const [change] = hideSecrets(planWith(patch(OLD, OLD))).steps[0]?.changes ?? [];
    expect(change).toMatchObject({ before: content(OLD), content: content(OLD), fields: [] });
  });

  test('is not looked for in an empty plan, which stays the same object', () => {
    const plain = { ...planWith(), steps: [], notes: [] };
    expect(hideSecrets(plain)).toBe(plain);
  });
});
