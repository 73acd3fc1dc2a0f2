import { expect, it } from 'vitest';
import { driftChanges } from '../../src/plan/drift-changes.ts';
import { add, content, move, patch, plan, remove, scope, update } from '../report/plan-builder.ts';

it('judges each change by what live has become, weakening first', () => {
  const found = driftChanges(
    plan(
      scope([
        update([
          remove('extra-block', { before: content({ expression: 'ssl' }) }),
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
  expect(by('weakening')).toEqual(['moved', 'softer-live', 'gone-live', 'extra-skip']);
  expect(by('neutral')).toEqual(['renamed']);
  expect(by('strengthening')).toEqual(['extra-block', 'firmer-live']);
  expect(found[0]).toMatchObject({
    severity: 'weakening',
    version: '7',
    lastUpdated: '2026-11-20T10:00:00Z',
  });
});

it('takes a rule that live has under another ref for neither missing nor more', () => {
  const neutral = { protection: { kind: 'neutral' } } as const;
  const changes = [add('new-name', neutral), remove('old-name', neutral)];
  const step = { ...update(changes), order: [{ kind: 'new', ref: 'new-name' }] } as const;
  const found = driftChanges(plan(scope([step])));
  expect(found.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
    'new-name neutral',
    'old-name neutral',
  ]);
});
