import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift.ts';
import { packScope } from '../../src/app/planning/pack-scope.ts';
import { driftAnnotations } from '../../src/report/annotations/drift-annotations.ts';
import { planAnnotations } from '../../src/report/annotations/plan-annotations.ts';

import { driftPage, planPage } from '../../src/report/html/plan-page.ts';
import { wholeText } from '../../src/report/pieces.ts';
import { driftMarkdown, planMarkdown } from './markdown/whole.ts';
import { driftPieces, planText } from '../../src/report/text/plan.ts';
import { patch, plan, remove, scope, update } from './plan-builder.ts';

const weakening = { kind: 'weakening', reason: 'protects less' } as const;

/** Three zones, of which the first and the last change alike. */
const scopes = ['a', 'b', 'c'].map((letter) => {
  const name = `${letter}.example`;
  const changes = [
    remove(letter === 'b' ? 'other' : 'old', { protection: weakening }),
    patch('softer-live', { before: { action: 'log' }, after: {} }),
  ];
  return scope([update(changes, { id: `zone:${name}/http_request_firewall_custom` })], {
    scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
  });
});
const whole = plan(...scopes);
const packed = { ...whole, scopes: scopes.map((one) => packScope(one, JSON.stringify(one))) };

const LOOK = { width: 100, colour: false };

it.each([
  ['text', (one: typeof whole) => planText(one, LOOK)],
  ['Markdown', (one: typeof whole) => planMarkdown(one, null)],
  ['a page', (one: typeof whole) => wholeText(planPage(one))],
  ['annotations', (one: typeof whole) => planAnnotations(one, '')],
  ['text of drift', (one: typeof whole) => [...driftPieces(driftOf(one), LOOK)].join('')],
  ['Markdown of drift', (one: typeof whole) => driftMarkdown(driftOf(one), null)],
  ['a page of drift', (one: typeof whole) => wholeText(driftPage(driftOf(one)))],
  ['annotations of drift', (one: typeof whole) => driftAnnotations(driftOf(one), '')],
])('renders a packed plan like the plan itself: %s', (_what, render) => {
  expect(packed.scopes.every((one, index) => one !== scopes[index])).toBe(true);
  expect(render(packed)).toBe(render(whole));
});
