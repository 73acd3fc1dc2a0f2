import { createHash } from 'node:crypto';
import { assertNever } from '../data/index.ts';
import { counted, grouped } from '../text/index.ts';
import type { MarkupValue } from './markup.ts';
import { markup, Markup, markupText, inlineMarkup } from './markup.ts';
import { filterForm, orderFigure, pageMap, tiles } from './page-parts.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE } from './page-style.ts';
import { inPieces } from './pieces.ts';
import { fieldList } from './print-html-fields.ts';
import type {
  Block,
  CalloutBlock,
  EntryBlock,
  Filtered,
  Inline,
  NamesBlock,
  OverviewBlock,
  Document,
  SectionBlock,
} from './tree.ts';
import { MOST_LISTED, plainText } from './tree.ts';

/** Formats a document as a page in one file, in pieces. Equal documents give equal bytes. */
export function printHtml(document: Document): Iterable<string> {
  return inPieces(pageTexts(document));
}

/**
 * Yields a page. Its content security policy allows this style sheet and this script by their hashes and nothing else: even injected markup
 * could not load, run or send anything.
 */
function* pageTexts(document: Document): Iterable<string> {
  const { title, heading = [title], summary = [], page } = document;
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield markup`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>${plainText(heading)}</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <h1>${inlineMarkup(heading)}</h1>
          ${summary.map((text, index) => markup`<p class="${index === 0 ? 'verdict' : 'more'}">${inlineMarkup(text)}</p>`)}
          ${page === undefined ? null : tiles(page)}
        </header>
        `.text;
  const map = page === undefined ? null : pageMap(page);
  yield markup`<div class="${map === null ? 'layout alone' : 'layout'}">
    ${map}
    <main id="content">
    `.text;
  yield* mainTexts(document);
  yield markup`</main>
</div>
${page === undefined ? null : markup`<footer>${inlineMarkup(page.footer)}</footer>`}
${new Markup(`<script>${SCRIPT}</script>`)}
</body>
</html>
`.text;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The number of parts of rank 1 that are shown, and of entries that are shown with what is below them. */
const MOST_SECTIONS = 1_000;
const MOST_DETAILED = 400;

/** What is in no card of its own shares one with its neighbours. The filters come before the first part. */
function* mainTexts({ body, page }: Document): Iterable<string> {
  let isOpen = false;
  let isFiltered = false;
  let sections = 0;
  const left = new Map<string, number>();
  for (const block of unfolded(body)) {
    const isLoose = block.kind !== 'section' && block.kind !== 'callout' && block.kind !== 'overview';
    if (isLoose !== isOpen) {
      yield isLoose ? '<div class="card loose">\n' : '</div>\n';
      isOpen = isLoose;
    }
    if (block.kind === 'section' && block.rank === 1) {
      if (!isFiltered) {
        yield markupText(page === undefined ? null : filterForm(page, MOST_SECTIONS));
        isFiltered = true;
      }
      sections += 1;
      if (sections > MOST_SECTIONS) {
        const { count, noun } = block.stands ?? { count: 1, noun: 'part' };
        left.set(noun, (left.get(noun) ?? 0) + count);
        continue;
      }
    }
    yield* runTexts([block]);
  }
  yield isOpen ? '</div>\n' : '';
  yield* [...left].map(([noun, count]) => markup`<p class="quiet">${leftOut(count, noun)}</p> `.text);
}

/** Yields blocks, those that a page shows whole one by one. */
function* unfolded(blocks: Iterable<Block>): Iterable<Block> {
  for (const block of blocks) {
    yield* block.kind === 'either' ? block.whole : [block];
  }
}

function leftOut(count: number, noun: string): string {
  return `${counted(count, `more ${noun}`)}: the result as JSON has all.`;
}

/** Yields blocks; entries that follow one another, and what stands for some, are one list. */
function* runTexts(blocks: Iterable<Block>): Iterable<string> {
  let isList = false;
  for (const block of blocks) {
    const isGap = block.kind === 'paragraph' && block.gap === true;
    const isItem = isGap || block.kind === 'entry';
    if (isItem !== isList) {
      yield isItem ? '<ol class="entries">\n' : '</ol>\n';
      isList = isItem;
    }
    if (isGap) {
      yield markup`<li class="same">${inlineMarkup(block.text)}</li> `.text;
    } else {
      yield* blockTexts(block);
    }
  }
  yield isList ? '</ol>\n' : '';
}

function* blockTexts(block: Block): Iterable<string> {
  switch (block.kind) {
    case 'paragraph':
      yield markup`<p>${inlineMarkup(block.text)}</p> `.text;
      return;
    case 'entry':
      yield entryMarkup(block).text;
      return;
    case 'section':
      yield* sectionTexts(block);
      return;
    case 'fields':
      yield fieldList(block.rows, block.sides).text;
      return;
    case 'verbatim':
      yield verbatim(block.lines, block.language).text;
      return;
    case 'frame':
      yield markup`<pre class="lines">
${new Markup(
  block
    .frame(FRAME)
    .split('\n')
    .map((line) => markupText(line))
    .join('\n'),
)}</pre> `.text;
      return;
    case 'overview':
      yield markupText(overview(block));
      return;
    case 'callout':
      yield callout(block).text;
      return;
    case 'names':
      yield markup`<p data-name>${names(block)}</p> `.text;
      return;
    case 'order':
      yield markupText(orderFigure(block));
      return;
    case 'either':
      yield* runTexts(block.whole);
      return;
    default:
      assertNever(block);
  }
}

function blocksMarkup(blocks: Iterable<Block>): Markup {
  return new Markup([...runTexts(blocks)].join(''));
}

/** The width of the lines of a file. */
const FRAME = 110;

function verbatim(lines: readonly string[], language: string): Markup {
  const kindOf = (text: string): string =>
    language !== 'diff'
      ? ''
      : text.startsWith('+')
        ? 't-added'
        : text.startsWith('-')
          ? 't-removed'
          : 't-dim';
  return markup`<pre class="lines">
${lines.map((text, index) => [index === 0 ? '' : new Markup('\n'), markup`<span class="${kindOf(text)}">${text}</span>`])}</pre> `;
}

/** The number of names in a list. */
const MOST_NAMES = 200;

function names({ names: all }: NamesBlock): MarkupValue {
  const more = all.length - MOST_NAMES;
  return [
    all.slice(0, MOST_NAMES).map((name, index) => [index === 0 ? '' : ', ', inlineMarkup([name])]),
    more > 0 ? ` and ${grouped(more)} more` : '',
  ];
}

function* sectionTexts(one: SectionBlock): Iterable<string> {
  switch (one.rank) {
    case 1:
      yield* partTexts(one);
      return;
    case 2:
      yield* cardTexts(one);
      return;
    case 3:
      yield detailsMarkup(one).text;
      return;
    default:
      assertNever(one.rank);
  }
}

function idOf({ anchor }: Pick<SectionBlock, 'anchor'>): MarkupValue {
  return anchor === undefined ? null : markup` id="${anchor}"`;
}

/** Yields a part, without the things in it for which there is no room. */
function* partTexts(one: SectionBlock): Iterable<string> {
  const { title, facts = [], body, anchor = '' } = one;
  yield markup`<section class="part" data-part="${anchor}" data-group>
<h2${idOf(one)} data-name>${inlineMarkup(title)}${facts.map((fact) => markup` <small>${inlineMarkup(fact)}</small>`)}</h2>
`.text;
  let left = 0;
  for (const block of body) {
    const whole = block.kind === 'section' ? { ...block, body: [...block.body] } : block;
    if (whole.kind === 'section' && isOutOfRoom(whole.body)) {
      left += 1;
    } else {
      yield* runTexts([whole]);
    }
  }
  yield left === 0 ? '' : markup`<p class="quiet">${leftOut(left, 'thing')}</p> `.text;
  yield '</section>\n';
}

/** Whether there are entries, and none of them is listed. */
function isOutOfRoom(blocks: readonly Block[]): boolean {
  const entries = entriesIn(blocks);
  return entries.length > 0 && entries.every((one) => !isListed(one));
}

function entriesIn(blocks: readonly Block[]): readonly EntryBlock[] {
  return blocks.flatMap((block) =>
    block.kind === 'entry' ? [block] : block.kind === 'either' ? entriesIn([...block.whole]) : [],
  );
}

function isListed({ page }: EntryBlock): boolean {
  return page === undefined || page.rank < MOST_LISTED;
}

function isDetailed({ page }: EntryBlock): boolean {
  return page === undefined || page.rank < MOST_DETAILED;
}

function* cardTexts(one: SectionBlock): Iterable<string> {
  const { title, facts = [], badge, mentions = [], filtered, body } = one;
  const told = [
    facts.map((fact) => [
      fact.length === 1 ? inlineMarkup(fact) : markup`<span>${inlineMarkup(fact)}</span>`,
      ' ',
    ]),
    badge === undefined ? null : markup`<span class="badge ${badge.style ?? 'dim'}">${badge.text}</span>`,
    back(mentions),
  ];
  const isPlain = facts.length === 0 && badge === undefined && mentions.length === 0;
  yield markup`<section class="card"${idOf(one)}${filtered === undefined ? markup` data-group` : filterData(filtered)}>
    <header>
      <h3>${inlineMarkup(title)}</h3>
      ${isPlain ? null : markup`<p class="facts">${told}</p>`}
    </header>
    `.text;
  const blocks = [...body];
  const hidden = entriesIn(blocks).filter((block) => !isListed(block)).length;
  const detailed = entriesIn(blocks).some(isDetailed);
  yield* runTexts(
    blocks
      .filter(({ kind }) => kind !== 'order' || detailed)
      .map((block) =>
        block.kind === 'either' ? { ...block, whole: [...block.whole].filter(isShown) } : block,
      ),
  );
  yield hidden === 0
    ? ''
    : markup`<p class="quiet">
        ${counted(hidden, 'more of these is', 'more of these are')} left out here; the result as JSON has all.
      </p> `.text;
  yield '</section>\n';
}

function isShown(block: Block): boolean {
  return block.kind !== 'entry' || isListed(block);
}

/** Renders a fold, which is closed if there are only names in it. */
function detailsMarkup({ title, tally = [], folded, body }: SectionBlock): Markup {
  const blocks = [...body];
  const head = [title, ...tally].map((text, index) => [index === 0 ? '' : ' · ', inlineMarkup(text)]);
  return folded === true
    ? markup`<details class="fold" ${blocks.every(({ kind }) => kind === 'names') ? null : markup` open`}>
        <summary>${head}</summary>
        ${blocksMarkup(blocks)}
      </details> `
    : markup`<div class="fold">
        <h4>${head}</h4>
        ${blocksMarkup(blocks)}
      </div> `;
}

/** Renders an entry: the sign, the name and the facts, and below them what belongs to it, if there is room. */
function entryMarkup(one: EntryBlock): Markup {
  const { mark, body = [], notes = [], anchor, page } = one;
  const look = mark?.style ?? 'dim';
  const id = anchor === undefined ? null : markup` id="${anchor}"`;
  const inner = [
    ...notes.map(({ label, text, level }) => markup`<p class="reason ${level}">${label}: ${text}</p>`),
    blocksMarkup(body),
  ];
  if (page === undefined) {
    const below = body.length + notes.length === 0 ? null : markup`<div class="inner">${inner}</div>`;
    return markup`<li${id} class="item ${look}">${head(one)}${below}</li>
`;
  }
  const attributes = markup`${id} class="entry ${look}"${filterData(page)}`;
  return isDetailed(one)
    ? markup`<li${attributes}><details${page.open ? markup` open` : null}><summary>${head(one)}</summary>
${inner}${back(page.mentions)}</details></li>
`
    : markup`<li${attributes}><div class="head">${head(one)}${back(page.mentions)}</div></li>
`;
}

function filterData({ facet, isSevere }: Filtered): MarkupValue {
  return markup` data-kind="${facet}"${isSevere ? markup` data-severe` : null}`;
}

function head({ mark, title, facts = [], notes = [], page }: EntryBlock): MarkupValue {
  return [
    mark?.sign === undefined ? null : markup`<span class="sign" aria-hidden="true">${mark.sign}</span>`,
    mark?.word === undefined ? null : markup`<span class="word">${mark.word}</span> `,
    inlineMarkup(title),
    notes.map(({ badge, level }) =>
      badge === undefined ? null : markup` <span class="badge ${level}">${badge}</span>`,
    ),
    page === undefined || page.about === '' ? null : markup` <span class="fact">${page.about}</span>`,
    facts.map((fact) =>
      fact.some((part) => typeof part === 'object' && part.to?.kind === 'file')
        ? [' ', inlineMarkup(fact)]
        : markup` <span class="fact">${inlineMarkup(fact)}</span>`,
    ),
  ];
}

/** Renders links back to what mentions a thing. */
function back(mentions: Inline): MarkupValue {
  return mentions.length === 0 ? null : markup` <span class="back">${inlineMarkup(mentions)}</span>`;
}

/** Renders what must not be overlooked. */
function callout({ level, title, entries, most, more }: CalloutBlock): Markup {
  const rest = entries.length - entries.slice(0, most).length;
  return markup`<section class="callout ${level}">
    <h2>${inlineMarkup(title)}</h2>
    <ul>
      ${entries.slice(0, most).map(
        (one) =>
          markup`<li${idOf(one)}>${inlineMarkup(one.title)}${(one.facts ?? []).map((fact) => markup` · ${inlineMarkup(fact)}`)}${blocksMarkup(one.body ?? [])}</li>
`,
      )}${rest === 0 ? null : markup`<li class="quiet">and ${grouped(rest)} more${more === undefined ? '' : `, ${more}`}</li>`}
    </ul>
  </section> `;
}

/** Up to this many rows an overview is unfolded. */
const FEW = 12;

/** Renders an overview of several rows as links to what they are about. */
function overview({ title, rows, numbers, noun }: OverviewBlock): MarkupValue {
  return rows.length < 2
    ? null
    : markup`<details class="index" ${rows.length <= FEW ? markup` open` : null}>
        <summary>${inlineMarkup(title)}</summary>
        <ol>
          ${rows.slice(0, MOST_LISTED).map((row) => {
            const told = numbers.flatMap(({ words, isSevere }, at) => {
              const count = row.numbers[at] ?? 0;
              return count === 0 ? [] : [{ isSevere, text: `${grouped(count)} ${words(count)}` }];
            });
            const of = (severe: boolean): string =>
              told
                .filter(({ isSevere }) => isSevere === severe)
                .map(({ text }) => text)
                .join(', ');
            return markup`<li>
              ${row.words.map((text, index) => [index === 0 ? '' : ' · ', inlineMarkup(text)])}${of(false) === '' ? null : markup` <span>${of(false)}</span>`}${of(true) === '' ? null : markup` <span class="severe">${of(true)}</span>`}
            </li> `;
          })}
        </ol>
        ${rows.length <= MOST_LISTED ? null : markup`<p class="quiet">${leftOut(rows.length - MOST_LISTED, noun)}</p>`}
      </details> `;
}
