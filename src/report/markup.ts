import { memoiseWeakly } from '../data/index.ts';
import { escapeLines, escapeText } from './escape.ts';
import type { Inline, StyledSpan } from './tree.ts';

/** Finished HTML. Only `markup` makes it of untrusted text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template: texts are escaped, lists are joined, null is nothing. */
export type MarkupValue = Markup | string | number | null | readonly MarkupValue[];

/** Returns HTML of a template, in which every text is escaped. The indentation of the template is not content. */
export function markup(template: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  const parts = partsOf(template);
  return new Markup(
    parts.reduce((text, part, index) => `${text}${markupText(values[index - 1] ?? null)}${part}`),
  );
}

const partsOf = memoiseWeakly((template: TemplateStringsArray): readonly string[] =>
  template.map((part) => part.replaceAll(/\n\s*/g, '\n')),
);

/** Formats a value as HTML. Characters that could reorder a line or hide in it are spelled out. */
export function markupText(value: MarkupValue): string {
  if (value === null) {
    return '';
  }
  if (typeof value === 'string') {
    return entities(escapeText(value));
  }
  if (value instanceof Markup) {
    return value.text;
  }
  return typeof value === 'number' ? String(value) : value.map(markupText).join('');
}

/** Renders a message of this program that may contain untrusted text; its line breaks stay. */
export function linesMarkup(text: string): Markup {
  return new Markup(`<span class="message">${escapeLines(text).map(entities).join('\n')}</span>`);
}

function entities(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES.get(char) ?? char);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

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
