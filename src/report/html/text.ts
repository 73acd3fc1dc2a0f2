import { html } from 'hono/html';
import { escapeLines, escapeText } from '../escape.ts';
import type { Line, Span } from '../layout.ts';

/** A piece of a page; every text in it is escaped. */
export type Part = ReturnType<typeof html>;

/** Pieces one after the other; hono takes lists inside of a template. */
export type Parts = readonly (Part | string)[];

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
