import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/drift.ts';
import { driftAnnotations } from '../../src/report/annotations/drift-annotations.ts';
import { driftPage } from '../../src/report/html/plan-page.ts';
import { driftMarkdown } from './markdown/whole.ts';
import { wholeText } from '../../src/report/pieces.ts';
import { driftPieces } from '../../src/report/text/plan.ts';
import { add, content, move, patch, plan, remove, scope, update } from './plan-builder.ts';

const strengthening = { kind: 'strengthening', reason: 'in the plan' } as const;
const weakening = { kind: 'weakening', reason: 'in the plan' } as const;
const skip = content({ action: 'skip', action_parameters: { ruleset: 'current' } });

/** Drift of every kind, in both directions; what the plan would do says nothing about what live has become. */
const drift = driftOf(
  plan(
    scope([
      update([
        add('lost-block', { protection: strengthening }),
        add('lost-skip', { content: skip, protection: weakening }),
        remove('extra-block', { protection: weakening }),
        remove('extra-skip', { before: skip, protection: strengthening }),
        patch('softer-live', { before: { action: 'log' }, after: {} }, { protection: strengthening }),
        patch('harder-live', { before: {}, after: { action: 'log' } }, { protection: weakening }),
        patch('text', { before: { description: 'a' }, after: { description: 'b' } }),
        // Proven in neither direction.
        patch(
          'other',
          { before: { expression: 'ip.src eq 192.0.2.7' }, after: {} },
          { protection: weakening },
        ),
        move('moved', { protection: weakening }),
        move('moved-freely'),
      ]),
    ]),
  ),
);

const weaker = drift.changes.filter(({ severity }) => severity === 'weakening').map(({ rule }) => rule);

it('judges from the files to live', () => {
  expect(weaker).toEqual(['lost-block', 'extra-skip', 'softer-live', 'other', 'moved']);
});

it.each([
  ['text', () => linesOf(wholeText(driftPieces(drift, { width: 200, colour: false })), /^ {2}! (\S+) in /)],
  ['the box of Markdown', () => linesOf(driftMarkdown(drift, null), /^> - `(\S+)`: /)],
  [
    'the rules of Markdown',
    () => linesOf(driftMarkdown(drift, null), /^\*\*.*?\*\* `(\S+)`.*live is weaker: /),
  ],
  ['annotations', () => linesOf(driftAnnotations(drift, ''), /^::warning .*title=drift%3A (\S+)::/)],
  [
    'the page',
    () =>
      [
        ...wholeText(driftPage(drift)).matchAll(/<b class="ref">([^<]+)<\/b>\s*<span class="badge lowers">/g),
      ].map(([, name]) => name ?? ''),
  ],
])('%s says of the same rules that live is weaker', (_what, told) => {
  expect([...told()].sort()).toEqual([...weaker].sort());
});

function linesOf(text: string, pattern: RegExp): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [, name] = pattern.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
}
