import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { driftAnnotations } from '../../src/report/plan-annotations.ts';
import { driftPage, driftPieces, driftMarkdown } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { add, content, endsLive, move, patch, plan, remove, scope, update } from './plan-builder.ts';

const strengthening = { kind: 'strengthening', reason: 'in the plan' } as const;
const weakening = { kind: 'weakening', reason: 'in the plan' } as const;
const skip = content({ action: 'skip', action_parameters: { ruleset: 'current' } });

/** Drift of every kind, in both directions. The protection that a change of the plan has says nothing about live. */
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
        // Neither side is proven to protect less.
        patch(
          'other',
          { before: { expression: 'ip.src eq 192.0.2.7' }, after: {} },
          { protection: weakening },
        ),
        move('moved', { protection: weakening }),
        move('moved-freely'),
        remove('all', { before: content({ expression: 'true' }), ...endsLive() }),
        patch(
          'away',
          { before: { action: 'redirect', expression: 'true' }, after: { action: 'redirect' } },
          endsLive('redirect'),
        ),
        patch(
          'skipped',
          { before: { expression: 'true' }, after: { action: 'skip', expression: 'true' } },
          endsLive(),
        ),
        // What the plan itself would do is no drift.
        patch('later', { before: {}, after: { description: 'b' } }, { ends: { forth: 'in the plan' } }),
        // Files and live alike.
        patch('calm', {
          before: { expression: 'true', description: 'a' },
          after: { expression: 'true', description: 'b' },
        }),
      ]),
    ]),
  ),
);

const weaker = drift.changes.filter(({ severity }) => severity === 'weakening').map(({ rule }) => rule);
const ending = drift.changes.flatMap(({ rule, everyRequest }) => (everyRequest === undefined ? [] : [rule]));

it('judges what live has become compared with the files, not what the plan would do', () => {
  expect(weaker).toEqual(['lost-block', 'extra-skip', 'softer-live', 'other', 'moved']);
  expect(ending).toEqual(['all', 'away', 'skipped']);
});

const text = joinPieces(driftPieces(drift, { width: 200, colour: false }));
const markdown = driftMarkdown(drift, null);
const annotations = driftAnnotations(drift, '');
const page = joinPieces(driftPage(drift));

it.each([
  ['text', linesOf(part(text, 'Live protects less') + part(text, 'Not proven harmless'), /^ {2}! (\S+) in /)],
  ['the rules of the text', rulesAbove(/^ {8}weaker +\S/)],
  [
    'the box of Markdown',
    linesOf(
      part(markdown, '**Live protects less') + part(markdown, '**Not proven harmless'),
      /^> - `(\S+)` in /,
    ),
  ],
  ['the rules of Markdown', linesOf(markdown, /^\*\*.*?\*\* `(\S+)`.*⚠️ weaker: /)],
  ['annotations', linesOf(annotations, /^::warning .*title=drift%3A (\S+)::.*Live protects less/)],
  ['the top of the page', [...findingsOf('Live protects less'), ...findingsOf('Not proven harmless')]],
  [
    'the page',
    [...page.matchAll(/<b class="ref">([^<]+)<\/b>\s*<span class="badge warning">live is weaker/g)].map(
      ([, name]) => name ?? '',
    ),
  ],
])('%s names exactly the rules that are weaker live', (_what, told) => {
  expect([...told].sort()).toEqual([...weaker].sort());
});

it.each([
  ['text', linesOf(part(text, 'Live stops or redirects every request'), /^ {2}! (\S+) in /)],
  ['the rules of the text', rulesAbove(/^ {8}live +applies \w+ to every request/)],
  [
    'the box of Markdown',
    linesOf(part(markdown, '**Live stops or redirects every request'), /^> - `(\S+)` in /),
  ],
  ['the rules of Markdown', linesOf(markdown, /^\*\*.*?\*\* `(\S+)`.*⚠️ live: applies \w+ to every request/)],
  ['annotations', linesOf(annotations, /^::warning .*title=drift%3A (\S+)::.*Live applies \w+ to every req/)],
  ['the top of the page', findingsOf('Live stops or redirects')],
  [
    'the page',
    [
      ...page.matchAll(
        /<b class="ref">([^<]+)<\/b>\s*<span class="badge warning">live may stop or redirect every request/g,
      ),
    ].map(([, name]) => name ?? ''),
  ],
])('%s names exactly the rules that end every request live', (_what, told) => {
  expect([...told].sort()).toEqual([...ending].sort());
});

it.each([
  ['text', text, ['Live stops or redirects every', 'Live protects less', 'zone shop']],
  ['Markdown', markdown, ['**Live stops or redirects every', '**Live protects less', '#### zone']],
  ['the page', page, ['<h2>Live stops or redirects every', '<h2>Live protects less', '<h3>']],
])(
  '%s shows rules that end every request first, then weaker ones, then all changes',
  (_what, whole, order) => {
    const places = order.map((title) => whole.indexOf(title));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  },
);

it('counts rules in the fold of Markdown and in a tile of the page', () => {
  expect(markdown).toMatch(
    /<summary>.*⚠️ 3 may stop or redirect every request · ⚠️ 5 weaker live<\/summary>/,
  );
  expect(page).toContain('<li class="warning"><b>3</b> may stop or redirect every request</li>');
});

it('counts rules one by one in a tile of the page, even if one line stands for many', () => {
  const changes = Array.from({ length: 7 }, (_, index) =>
    remove(`all${index}`, { before: content({ expression: 'true' }), ...endsLive() }),
  );
  expect(joinPieces(driftPage(driftOf(plan(scope([update(changes)])))))).toContain(
    '<li class="warning"><b>7</b> may stop or redirect every request</li>',
  );
});

/** The text from a title to the next empty line. */
function part(whole: string, title: string): string {
  const [, rest = ''] = whole.split(title);
  return rest.split(/\n\n/)[0] ?? '';
}

/** The rules of the text that have a matching line below them. */
function rulesAbove(row: RegExp): readonly string[] {
  return text
    .split(/\n(?= {4}\S)/)
    .filter((rule) => rule.split('\n').some((line) => row.test(line)))
    .flatMap((rule) => linesOf(rule, /^ {4}\S (\S+)/));
}

/** The rules under a title at the top of the page, each with a link to the rule. */
function findingsOf(title: string): readonly string[] {
  const [, box = ''] = page.split(`<h2>${title}`);
  const [list = ''] = box.split('</ul>');
  return [...list.matchAll(/<a href="#r\d+"><b class="ref">([^<]*)</g)].map(([, name = '']) => name);
}

function linesOf(whole: string, pattern: RegExp): readonly string[] {
  return whole.split('\n').flatMap((line) => {
    const [, name] = pattern.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
}
