import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import type { DeleteRule, Move } from '../../src/model/change.ts';
import { driftPage, planPage } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { driftPieces, planText } from './printed.ts';
import type { Detail } from '../../src/report/layout.ts';
import { planMarkdown } from './printed.ts';
import { content, endsLive, judged, move, patch, plan, remove, scope, update } from './plan-builder.ts';

const WEAKENING = { kind: 'weakening', reason: 'comes too late' } as const;

/** A plan that moves `count` rules of a ruleset; `last` overrides the last move. */
function moved(count: number, last: Partial<ReturnType<typeof move>> = {}) {
  const place = (index: number): Move['to'] => ({ index: index + 1, after: null });
  const changes = Array.from({ length: count }, (_, index) =>
    move(`r${index + 1}`, {
      id: String(index).padStart(32, '0'),
      move: { from: place(count - index - 1), to: place(index) },
      ...(index === count - 1 ? last : {}),
    }),
  );
  return plan(judged(scope([update(changes, { staying: ['f'.repeat(32)] })])));
}

function text(document: ReturnType<typeof moved>, detail: Detail = 'summed-up'): string {
  return planText(document, { width: 100, colour: false, detail });
}

it('shows each of twenty moves, and only the number of more', () => {
  expect(text(moved(20)).match(/^ {8}place/gm)).toHaveLength(20);
  const many = text(moved(995));
  expect(many).toContain('\n    > order changes: 995 of 996 rules; --verbose lists them\n\n');
  expect(many).not.toContain('place');
  expect(text(moved(995), 'each').match(/^ {8}place/gm)).toHaveLength(995);
});

it('shows only the number of many moves in Markdown and in drift', () => {
  const markdown = planMarkdown(moved(995), null);
  expect(markdown).toContain('**move** order changes: 995 of 996 rules; --verbose lists them\n\n');
  expect(markdown.split('\n').length).toBeLessThan(30);
  expect(joinPieces(driftPieces(driftOf(moved(995)), { width: 100, colour: false }))).toContain(
    '\n    > order differs: 995 of 996 rules; --verbose lists them\n',
  );
});

it('still shows a move among many that weakens protection', () => {
  const document = moved(30, { protection: WEAKENING });
  expect(text(document)).toContain(
    '    > order changes: 29 of 31 rules; --verbose lists them\n    > r30  zones/shop.yaml:30\n        place    1 → 30, first\n        weakens  comes too late\n',
  );
  expect(planMarkdown(document, null)).toContain('**move** `r30`');
});

it('still shows a move among many by which live ends every request', () => {
  const lets = 'lets rules together stop or redirect every request';
  const told = driftPieces(driftOf(moved(30, { ends: { back: lets } })), { width: 100, colour: false });
  expect(joinPieces(told)).toContain(
    `    > order differs: 29 of 31 rules; --verbose lists them\n    > r30  zones/shop.yaml:30\n        place  live 1, first · files 30, first\n        live   ${lets}\n`,
  );
});

/** Deletions of `count` rules of an action, each with the members of `more`. */
function gone(count: number, action = 'block', more: Partial<DeleteRule> = {}): readonly DeleteRule[] {
  return Array.from({ length: count }, (_, index) =>
    remove(`${action}-${index + 1}`, {
      id: `${index}`.padStart(32, action === 'log' ? 'e' : 'd'),
      before: content({ action }),
      place: { index: index + 1, after: null },
      ...more,
    }),
  );
}

const removes = { kind: 'weakening', reason: 'no longer blocks what it matches' } as const;
const names = gone(900).map(({ ref }) => ref);

it('shows each of twenty deletions, and only the names and what is common of more', () => {
  expect(text(plan(scope([update(gone(20))]))).match(/^ {4}- block/gm)).toHaveLength(20);
  const many = plan(
    judged(scope([update([...gone(900, 'block', { protection: removes }), ...gone(3, 'log')])])),
  );
  expect(text(many)).toContain(
    '    - 900 rules; --verbose shows each\n        action   block\n        weakens  no longer blocks what it matches\n        block-1, block-2,',
  );
  expect(
    text(many)
      .split('- 900 rules;')[1]
      ?.match(/block-[0-9]+/g),
  ).toEqual(names);
  expect(text(many).match(/^ {4}- log/gm)).toHaveLength(3);
  expect(text(many, 'each').match(/^ {4}- block/gm)).toHaveLength(900);
});

it('names deleted rules without a telling ref by their descriptions', () => {
  const some = gone(21, 'log', {
    ref: 'c'.repeat(32),
    before: content({ description: 'Old', enabled: false }),
  });
  const told = text(plan(scope([update(some)])));
  expect(told).toContain('enabled  false\n');
  expect(told).toContain('“Old”, '.repeat(10).trim());
});

it('shows many deletions at once in Markdown and in drift', () => {
  const document = plan(judged(scope([update(gone(900, 'block', { protection: removes }))])));
  const markdown = planMarkdown(document, null);
  expect(markdown).toContain(
    '**delete** **900 rules**; --verbose shows each · ⚠️ weakens: no longer blocks what it matches\n\n```diff\n  action: block\n```\n\n- `block-1`, `block-2`,',
  );
  const [, details = ''] = markdown.split('<details>');
  expect(details.match(/`block-[0-9]+`/g)).toEqual(names.map((name) => `\`${name}\``));
  const drift = joinPieces(driftPieces(driftOf(document), { width: 100, colour: false }));
  expect(drift).toContain('    + 900 rules; --verbose shows each\n');
});

it('lists many deletions by name in the page, each folded', () => {
  const few = patch('one', { before: { action: 'log' }, after: {} });
  const document = plan(judged(scope([update([few, ...gone(30, 'block', { protection: removes })])])));
  for (const page of [joinPieces(planPage(document)), joinPieces(driftPage(driftOf(document)))]) {
    expect(page.match(/<details>\s*<summary><span class="sign"/g)).toHaveLength(30);
    expect(page.match(/<details open>\s*<summary><span class="sign"/g)).toHaveLength(1);
  }
});

it('shows each of many rules that are only live and end every request', () => {
  const before = content({ expression: 'true' });
  const drift = driftOf(plan(scope([update(gone(30, 'block', { before, ...endsLive() }))])));
  const told = joinPieces(driftPieces(drift, { width: 100, colour: false }));
  expect(told.match(/^ {4}\+ block/gm)).toHaveLength(30);
});

it('says of a changed rule that it stays disabled', () => {
  const off = (enabled: boolean) =>
    plan(scope([update([patch('one', { before: { action: 'log', enabled: false }, after: { enabled } })])]));
  expect(text(off(false))).toContain('action   log → block\n        enabled  false, unchanged\n');
  expect(planMarkdown(off(false), null)).toContain('\n  enabled: false, unchanged\n');
  expect(text(off(true))).toContain('enabled  false → true\n');
});
