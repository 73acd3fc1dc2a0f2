import { html, raw } from 'hono/html';
import { escapeLines, escapeText } from '../escape.ts';
import type { Line, Span } from '../layout.ts';

/** A piece of a page; every text in it is escaped. */
export type Part = ReturnType<typeof html>;

/** Pieces one after the other; hono takes lists inside of a template. */
export type Parts = readonly (Part | string)[];

/** The markup of a piece. Pieces are made of values at hand, so none is a promise. */
export function partText(part: Part): string {
  if (part instanceof Promise) {
    throw new TypeError('a piece of a page waits for something');
  }
  return String(part);
}

/** Stands for what a piece goes around. No text of a page holds it, since control characters are spelled out. */
const INSIDE = '\u{0}';

/** The markup of a piece around others, which are made when they are asked for. */
export function* around(outer: (inside: Part) => Part, inside: Iterable<string>): Iterable<string> {
  const [before = '', after = ''] = partText(outer(raw(INSIDE))).split(INSIDE);
  yield before;
  yield* inside;
  yield after;
}

/** Untrusted text: what could reorder a line or hide in it is spelled out; the template escapes the rest. */
export function safe(text: string): string {
  return escapeText(text);
}

/** A message of ours that may hold untrusted text; its line breaks stay. */
export function message(text: string): Part {
  return html`<span class="message">${escapeLines(text).join('\n')}</span>`;
}

/** Styled pieces of text. Changed words are elements that say so themselves. */
export function spansHtml(spans: readonly Span[]): Parts {
  return spans.map(({ text, style }) => {
    switch (style) {
      case undefined:
        return safe(text);
      case 'removed-words':
        return html`<del>${safe(text)}</del>`;
      case 'added-words':
        return html`<ins>${safe(text)}</ins>`;
      default:
        return html`<span class="${`t-${style}`}">${safe(text)}</span>`;
    }
  });
}

/** Lines as the terminal has them, for what is read as text. */
export function linesHtml(lines: readonly Line[]): Part {
  return html`<pre class="lines">
${lines.map(({ indent, spans }, index) => [
      index === 0 ? '' : '\n',
      ' '.repeat(indent),
      spansHtml(spans),
    ])}</pre>`;
}
