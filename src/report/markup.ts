import { memoiseWeakly } from '../data/index.ts';
import { escapeLines, escapeText } from './escape.ts';

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
