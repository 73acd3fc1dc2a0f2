import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownPieces, printHtml, printMarkdown, wholeText } from '../../src/report/index.ts';
import type { Document } from '../../src/report/index.ts';
import { piecesText } from '../../src/report/markdown-pieces.ts';
import type { Block, EntryBlock, Inline, Style } from '../../src/report/tree.ts';
import { CHANGE_SIDES, entry, message, paragraph, section, span } from '../../src/report/tree.ts';
import { propertyRuns } from '../property-runs.ts';
import { whole } from './printed.ts';

const STYLES: readonly Style[] = [
  'added',
  'heading',
  'strong',
  'name',
  'code',
  'dim',
  'error',
  'warning',
  'good',
  'removed-words',
  'added-words',
];

/** A document of every kind of block, with a text in every place. */
function documentOf(text: () => string): Document {
  const inline = (): Inline => [
    'a ',
    text(),
    ...STYLES.map((style) => span(style, text())),
    span('dim', text(), { kind: 'file', file: text(), line: 3 }),
    span('name', text(), { kind: 'anchor', anchor: text() }),
  ];
  const fields: Block = {
    kind: 'fields',
    sides: CHANGE_SIDES,
    rows: [
      { label: `l${text()}`, group: '', value: { kind: 'is', value: [text(), { [`k${text()}`]: text() }] } },
      { label: 'expression', group: `g${text()}`, value: { kind: 'differs', before: text() } },
      { label: 'value', group: '', value: { kind: 'told', spans: inline() } },
    ],
  };
  const one = (body: readonly Block[]): EntryBlock =>
    entry({ sign: '+', word: `w${text()}`, style: 'added' }, ['x', ...inline()], {
      facts: [['y', ...inline()]],
      notes: [{ label: `r${text()}`, text: text(), level: 'warning', badge: `b${text()}` }],
      body,
    });
  const row = { words: [['q', ...inline()]], numbers: [1], stands: 1 };
  const blocks = (): readonly Block[] => [
    paragraph('p', ...inline()),
    one([paragraph('p', ...inline()), { kind: 'names', names: [span('code', text()), { text: text() }] }]),
    paragraph('p'),
    one([fields]),
    { kind: 'verbatim', language: 'diff', lines: [`+ ${text()}`, `- ${text()}`] },
    {
      kind: 'callout',
      level: 'warning',
      title: ['t', ...inline()],
      entries: [one([paragraph('p', ...inline())]), one([])],
      most: 1,
      more: 'below',
    },
    {
      kind: 'overview',
      title: ['o', ...inline()],
      words: ['Scope'],
      numbers: [{ title: 'Add', words: () => 'to add', isSevere: true }],
      rows: [row, row],
      noun: 'row',
    },
  ];
  return {
    title: 'Rulewright',
    heading: ['h', ...inline()],
    summary: [['s', ...inline()]],
    body: [
      ...blocks(),
      section(1, ['z', ...inline()], [section(2, ['s', ...inline()], blocks(), { folded: true })]),
      section(3, ['n', ...inline()], [paragraph('p', ...inline())]),
    ],
  };
}

const HOSTILE = fc.string({
  maxLength: 12,
  unit: fc.constantFrom(
    ...'`*_[](){}<>#@!|~\\/:-&$%^+=.1 aw\n\r\t"\'\u{1b}\u{202e}\u{2028}'.split(''),
    '```',
    '</script>',
    '</details>',
    '<!--',
    '-->',
    '](https://x.example)',
    '@team',
    '::error::',
    '##[group]',
    '\n- ',
    '\n# ',
    '\n> ',
  ),
});

/** Documents with texts that do their worst, and the same one with harmless texts. */
const documents = fc.array(HOSTILE, { minLength: 1, maxLength: 7 }).map((texts) => {
  const make = (of: (text: string) => string): Document => {
    let next = 0;
    return documentOf(() => of(texts[next++ % texts.length] ?? ''));
  };
  // A text that is empty, or blank at its ends, is laid out differently whatever it says.
  return { hostile: make((text) => `w${text}w`), harmless: make(() => 'ww') };
});

const runs = { numRuns: propertyRuns() };

/** The tags of a page, in order. */
function tagsOf(page: string): readonly string[] {
  return [...page.matchAll(/<\/?[a-zA-Z][^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""'));
}

it('no text breaks out of its node in a page', () => {
  fc.assert(
    fc.property(documents, ({ hostile, harmless }) => {
      const page = whole(printHtml(hostile));
      expect(tagsOf(page)).toEqual(tagsOf(whole(printHtml(harmless))));
      expect(page).not.toMatch(/(?!\n)[\p{Cc}\u{202e}\u{2028}]|<!--/u);
    }),
    runs,
  );
});

/** Markdown without what code protects: the marks and tags that count, and the beginnings of lines. */
function skeletonOf(markdown: string): readonly string[] {
  return markdown
    .replaceAll(/^(`{3,})(\w*)\n[^]*?\n\1$/gm, 'FENCE $2')
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, 'CODE')
    .replaceAll(/<code>[^<>]*(?:<b><\/b>[^<>]*)*<\/code>/g, 'CODE')
    .replaceAll(/\[CODE\]\(<[^>\n]*>\)/g, 'LINK')
    .replaceAll(/&#?\w+;|\u{200b}/gu, '')
    .split('\n')
    .map(
      (line) =>
        `${/^[-#>|\s]*/.exec(line)?.[0] ?? ''} ${line.match(/CODE|FENCE|LINK|[@<>[\]*|~!]/g)?.join('') ?? ''}`,
    );
}

it('no text breaks out of its node in Markdown, whole or in parts', () => {
  const links = { base: 'https://forge.example/blob/1/' };
  fc.assert(
    fc.property(documents, ({ hostile, harmless }) => {
      const told = whole(printMarkdown(hostile, links));
      expect(skeletonOf(told)).toEqual(skeletonOf(whole(printMarkdown(harmless, links))));
      expect(told).not.toMatch(/(?!\n)[\p{Cc}\u{202e}\u{2028}]/u);
      expect(piecesText(markdownPieces(hostile, links))).toBe(told.split('\n').slice(2, -1).join('\n'));
    }),
    runs,
  );
});

it('no text breaks out of its line in a terminal, or is a command of a CI service', () => {
  fc.assert(
    fc.property(documents, ({ hostile, harmless }) => {
      const look = { width: 10_000, colour: false };
      const told = wholeText(hostile, look);
      expect(told.split('\n')).toHaveLength(wholeText(harmless, look).split('\n').length);
      expect(told).not.toMatch(/[^\P{Cc}\n]|[\u{202e}\u{2028}]|^\s*::|##\[/mu);
    }),
    runs,
  );
});

it('keeps the line breaks of messages, and of nothing else', () => {
  const document = { title: '', body: [paragraph(message('one\n# two'), ' ', span('name', 'a\nb'))] };
  expect(wholeText(document, { width: 80, colour: false })).toBe('one\n# two a\\nb\n');
  expect(piecesText(markdownPieces(document))).toBe('one<br>&#35; two `a\\nb`');
});

it('yields a long document in pieces, each made when it is written', () => {
  let made = 0;
  function* body(): Iterable<Block> {
    for (let index = 0; index < 5_000; index += 1) {
      made += 1;
      yield section(1, [`zone ${index}`], [paragraph('word '.repeat(20))]);
    }
  }
  for (const print of [printHtml, printMarkdown]) {
    made = 0;
    const [first = ''] = print({ title: 'x', body: body() });
    expect(first.length).toBeGreaterThan(0);
    expect(made).toBeLessThan(5_000);
  }
});
