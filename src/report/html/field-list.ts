import { html } from 'hono/html';
import { assertNever } from '../../model/assert-never.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray } from '../../model/json.ts';
import type { TextDifference } from '../expression-difference.ts';
import { foldBlanks, textDifference } from '../expression-difference.ts';
import { fieldDifference } from '../field-difference.ts';
import type { FieldRow } from '../field-rows.ts';
import type { Telling } from '../telling.ts';
import { UNSET } from '../telling.ts';
import { inlineValue, loneValue } from '../value.ts';
import type { Part, Parts } from './text.ts';
import { safe, spansHtml } from './text.ts';

/** Longer values are cut. No expression is that long, and the plan as JSON has every value whole. */
const LONGEST = 4_096;

/** The number of items shown of a longer list. */
const MOST_ITEMS = 40;

/** Renders the fields of a rule with their names, grouped. */
export function fieldList(rows: readonly FieldRow[], telling: Telling): Part {
  const groups = [...new Set(['', ...rows.map((row) => row.group)])];
  return html`<dl class="fields">
    ${groups.flatMap((group): Parts => [
      group === ''
        ? ''
        : html`<div class="group">
            <dt>${safe(group)}</dt>
            <dd></dd>
          </div>`,
      ...rows
        .filter((row) => row.group === group)
        .map(
          (row) =>
            html`<div${group === '' ? '' : html` class="inner"`}><dt>${safe(row.label)}</dt><dd>${valueOf(row, telling)}</dd></div>`,
        ),
    ])}
  </dl>`;
}

function valueOf({ label, value }: FieldRow, telling: Telling): Part {
  switch (value.kind) {
    case 'told':
      return html`${spansHtml(value.spans)}`;
    case 'is':
      return isJsonArray(value.value)
        ? html`<ul class="items">
            ${limited(value.value.map((item) => html`<li><code>${shown(inlineValue(item))}</code></li>`))}
          </ul>`
        : html`<code>${shown(plainValue(label, value.value))}</code>`;
    case 'differs':
      return differenceHtml(value, telling);
    default:
      return assertNever(value);
  }
}

function differenceHtml(
  { before, after }: { readonly before?: JsonValue; readonly after?: JsonValue },
  telling: Telling,
): Part {
  const difference = fieldDifference(before, after);
  switch (difference.kind) {
    case 'words':
      return html`${sides(difference, telling)}${difference.cut ? inFull(before, after, telling) : ''}`;
    case 'items':
      return html`<ul class="items">
        ${limited(
          difference.entries.map((entry) =>
            entry.kind === 'same'
              ? html`<li class="quiet">… ${entry.count} unchanged</li>`
              : html`<li>
                  ${side(entry.kind === 'before' ? 'live' : 'files', telling, [shown(entry.text)])}
                </li>`,
          ),
        )}
      </ul>`;
    case 'values':
      return html`${side('live', telling, [whole(before)])}${side('files', telling, [whole(after)])}`;
    default:
      return assertNever(difference);
  }
}

function sides({ before, after }: Pick<TextDifference, 'before' | 'after'>, telling: Telling): Part {
  return html`${side('live', telling, spansHtml(before))}${side('files', telling, spansHtml(after))}`;
}

/** Renders both texts uncut: whoever is responsible for a rule must be able to read it. */
function inFull(before: JsonValue | undefined, after: JsonValue | undefined, telling: Telling): Part | '' {
  return typeof before === 'string' && typeof after === 'string'
    ? html`<details class="full">
        <summary>in full</summary>
        ${sides(textDifference(before, after, 'whole'), telling)}
      </details>`
    : '';
}

const WORDS = {
  plan: { live: 'before', files: 'after' },
  drift: { live: 'live', files: 'files' },
} as const;

/** Renders one side of a difference, with a word for it, so that it can be told without colour. */
function side(which: 'live' | 'files', { kind }: Telling, content: Parts): Part {
  return html`<span class="${`side ${which}`}"><b>${WORDS[kind][which]}</b><code>${content}</code></span>`;
}

function whole(value: JsonValue | undefined): string {
  return value === undefined ? UNSET : shown(loneValue(value));
}

function plainValue(label: string, value: JsonValue): string {
  return typeof value === 'string' && label.endsWith('expression') ? foldBlanks(value) : loneValue(value);
}

function shown(text: string): string {
  return safe(text.length > LONGEST ? `${text.slice(0, LONGEST)} … (${text.length} characters)` : text);
}

function limited(items: Parts): Parts {
  return items.length <= MOST_ITEMS
    ? items
    : [...items.slice(0, MOST_ITEMS), html`<li class="quiet">… ${items.length - MOST_ITEMS} more</li>`];
}
