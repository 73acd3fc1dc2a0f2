import { html, raw } from 'hono/html';
import { escapeLines, escapeText } from '../escape.ts';
import type { Line, StyledSpan } from '../layout.ts';

/** A piece of a page; every text in it is escaped. */
export type HtmlPart = ReturnType<typeof html>;

/** Pieces in sequence; hono accepts arrays inside a template. */
export type Parts = readonly (HtmlPart | string)[];

/** Returns the markup of a piece. Pieces are made of values that are available, so none is a promise. */
export function partText(part: HtmlPart): string {
  if (part instanceof Promise) {
    throw new TypeError('a piece of a page waits for something');
  }
  return String(part);
}

/** Stands for the inner pieces. No text of a page contains it, because control characters are spelled out. */
const INSIDE = '\u{0}';

/** Yields the markup of a piece around others, which are produced on demand. */
export function* around(outer: (inside: HtmlPart) => HtmlPart, inside: Iterable<string>): Iterable<string> {
  const [before = '', after = ''] = partText(outer(raw(INSIDE))).split(INSIDE);
  yield before;
  yield* inside;
  yield after;
}

/** Escapes untrusted text: characters that could reorder a line or hide in it are spelled out; the template escapes the rest. */
export function safe(text: string): string {
  return escapeText(text);
}

/** Renders a message of this program that may contain untrusted text; its line breaks stay. */
export function message(text: string): HtmlPart {
  return html`<span class="message">${escapeLines(text).join('\n')}</span>`;
}

/** Renders styled spans. Changed words become `<del>` and `<ins>` elements. */
export function spansHtml(spans: readonly StyledSpan[]): Parts {
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

/** Renders lines as preformatted text, as in a terminal. */
export function linesHtml(lines: readonly Line[]): HtmlPart {
  return html`<pre class="lines">
${lines.map(({ indent, spans }, index) => [
      index === 0 ? '' : '\n',
      ' '.repeat(indent),
      spansHtml(spans),
    ])}</pre>`;
}
