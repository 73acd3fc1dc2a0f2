import { assertNever, isJsonArray } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import type { TextDifference } from './field-difference.ts';
import { foldBlanks, textDifference, fieldDifference } from './field-difference.ts';
import type { Markup, MarkupValue } from './markup.ts';
import { markup, inlineMarkup } from './markup.ts';
import type { DifferenceSides, FieldRow, ValuePair } from './tree.ts';
import { groupedRows, UNSET } from './tree.ts';
import { isExpression, loneValue } from './print-value.ts';

/** Longer values are cut. No expression is that long, and the result as JSON has every value whole. */
const LONGEST = 4_096;

/** The number of items shown of a longer list. */
const MOST_ITEMS = 40;

/** Renders fields with their names, grouped. */
export function fieldList(rows: readonly FieldRow[], sides: DifferenceSides): Markup {
  return markup`<dl class="fields">
    ${[...groupedRows(rows)].map(([group, members]) => [
      group === ''
        ? null
        : markup`<div class="group">
            <dt>${group}</dt>
            <dd></dd>
          </div>`,
      members.map(
        (row) =>
          markup`<div${group === '' ? null : markup` class="inner"`}><dt>${row.label}</dt><dd>${valueOf(row, sides)}</dd></div>
`,
      ),
    ])}
  </dl> `;
}

function valueOf({ label, value }: FieldRow, sides: DifferenceSides): MarkupValue {
  switch (value.kind) {
    case 'told':
      return inlineMarkup(value.spans);
    case 'is':
      return isJsonArray(value.value)
        ? markup`<ul class="items">
            ${limited(value.value.map((item) => markup`<li><code>${shown(loneValue(item))}</code></li>`))}
          </ul>`
        : markup`<code
            >${shown(isExpression(label, value.value) ? foldBlanks(value.value) : loneValue(value.value))}</code
          >`;
    case 'differs':
      return differenceMarkup(value, sides);
    default:
      return assertNever(value);
  }
}

function differenceMarkup(pair: ValuePair, sides: DifferenceSides): MarkupValue {
  const difference = fieldDifference(pair.before, pair.after);
  switch (difference.kind) {
    case 'words':
      return [bothSides(difference, sides), difference.cut ? inFull(pair, sides) : null];
    case 'items':
      return markup`<ul class="items">
        ${limited(
          difference.entries.map((entry) =>
            entry.kind === 'same'
              ? markup`<li class="quiet">… ${entry.count} unchanged</li>`
              : markup`<li>${side(entry.kind, sides, shown(entry.text))}</li>`,
          ),
        )}
      </ul>`;
    case 'values':
      return [side('before', sides, whole(pair.before)), side('after', sides, whole(pair.after))];
    default:
      return assertNever(difference);
  }
}

function bothSides(
  { before, after }: Pick<TextDifference, 'before' | 'after'>,
  sides: DifferenceSides,
): MarkupValue {
  return [side('before', sides, inlineMarkup(before)), side('after', sides, inlineMarkup(after))];
}

/** Renders both texts uncut: whoever is responsible for a rule must be able to read it. */
function inFull({ before, after }: ValuePair, sides: DifferenceSides): MarkupValue {
  return typeof before === 'string' && typeof after === 'string'
    ? markup`<details class="full">
        <summary>in full</summary>
        ${bothSides(textDifference(before, after, 'whole'), sides)}
      </details>`
    : null;
}

/** Renders one side of a difference, with a word for it, so that it can be told without colour. */
function side(which: 'before' | 'after', sides: DifferenceSides, content: MarkupValue): Markup {
  const { word, style } = sides[which];
  return markup`<span class="side ${style}"><b>${word}</b><code>${content}</code></span>`;
}

function whole(value: JsonValue | undefined): string {
  return value === undefined ? UNSET : shown(loneValue(value));
}

function shown(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} … (${text.length} characters)` : text;
}

function limited(items: readonly Markup[]): MarkupValue {
  return items.length <= MOST_ITEMS
    ? items
    : [...items.slice(0, MOST_ITEMS), markup`<li class="quiet">… ${items.length - MOST_ITEMS} more</li>`];
}
