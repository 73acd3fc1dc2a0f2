import type { MarkupValue } from './markup.ts';
import { markup, linesMarkup } from './markup.ts';
import type { Inline, StyledSpan } from './tree.ts';

/** Renders a text of spans. Changed words become `<del>` and `<ins>` elements. */
export function inlineMarkup(text: Inline): MarkupValue {
  return text.map((one) => (typeof one === 'string' ? one : spanMarkup(one)));
}

function spanMarkup(one: StyledSpan): MarkupValue {
  const { text, to, breaks } = one;
  const shown = styledMarkup(one, breaks === undefined ? text : linesMarkup(text));
  return to?.kind === 'anchor'
    ? markup`<a href="#${to.anchor}">${one.style === 'code' ? text : shown}</a>`
    : to?.kind === 'file'
      ? markup`<span class="source">${text}</span>`
      : shown;
}

function styledMarkup({ text, style }: StyledSpan, shown: MarkupValue): MarkupValue {
  switch (style) {
    case undefined:
      return shown;
    case 'name':
      return markup`<b class="ref">${shown}</b>`;
    case 'strong':
    case 'heading':
      return markup`<b>${shown}</b>`;
    case 'code':
      return markup`<code>${shown}</code>`;
    case 'removed-words':
      return markup`<del>${text}</del>`;
    case 'added-words':
      return markup`<ins>${text}</ins>`;
    default:
      return markup`<span class="t-${style}">${shown}</span>`;
  }
}
