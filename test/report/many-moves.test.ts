import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/drift.ts';
import type { Move } from '../../src/model/change.ts';
import { wholeText } from '../../src/report/pieces.ts';
import { driftPieces, planText } from '../../src/report/text/plan.ts';
import type { Detail } from '../../src/report/theme.ts';
import { planMarkdown } from './markdown/whole.ts';
import { move, plan, scope, update } from './plan-builder.ts';

const WEAKENING = { kind: 'weakening', reason: 'comes too late' } as const;

/** A ruleset of which so many rules move, the last of them with these words. */
function moved(count: number, last: Partial<ReturnType<typeof move>> = {}) {
  const place = (index: number): Move['to'] => ({ index: index + 1, after: null });
  const changes = Array.from({ length: count }, (_, index) =>
    move(`r${index + 1}`, {
      id: String(index).padStart(32, '0'),
      move: { from: place(count - index - 1), to: place(index) },
      ...(index === count - 1 ? last : {}),
    }),
  );
  return plan(scope([update(changes, { staying: ['f'.repeat(32)] })]));
}

function text(document: ReturnType<typeof moved>, detail: Detail = 'summed-up'): string {
  return planText(document, { width: 100, colour: false, detail });
}

it('tells each of twenty moves, and of more how many there are', () => {
  expect(text(moved(20)).match(/^ {8}place/gm)).toHaveLength(20);
  const many = text(moved(995));
  expect(many).toContain('\n    > order changes: 995 of 996 rules; --verbose lists them\n\n');
  expect(many).not.toContain('place');
  expect(text(moved(995), 'each').match(/^ {8}place/gm)).toHaveLength(995);
});

it('does the same in a pull request and for drift', () => {
  const markdown = planMarkdown(moved(995), null);
  expect(markdown).toContain('\n\norder changes: 995 of 996 rules; `--verbose` in a terminal lists them\n\n');
  expect(markdown.split('\n').length).toBeLessThan(30);
  expect(wholeText(driftPieces(driftOf(moved(995)), { width: 100, colour: false }))).toContain(
    '\n    > order differs: 995 of 996 rules; --verbose lists them\n',
  );
});

it('tells a move that weakens protection all the same', () => {
  const document = moved(30, { protection: WEAKENING });
  expect(text(document)).toContain(
    '    > order changes: 29 of 31 rules; --verbose lists them\n    > r30  zones/shop.yaml:30\n        place    1 → 30, first\n        weakens  comes too late\n',
  );
  expect(planMarkdown(document, null)).toContain('**move** `r30`');
});
