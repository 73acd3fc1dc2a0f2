import type { Markup, MarkupValue } from './markup.ts';
import { grouped } from '../text/index.ts';
import { markup } from './markup.ts';
import type { OrderBlock, OrderColumn, PageParts } from './tree.ts';

/** Renders the counts, the most important one first. */
export function tiles({ counts }: PageParts): MarkupValue {
  const shown = counts.filter(({ count }) => count > 0);
  return shown.length === 0
    ? null
    : markup`<ul class="tiles" aria-label="Counts">
        ${shown.map(({ count, what, style }) => markup`<li class="${style}"><b>${grouped(count)}</b> ${what}</li>`)}
      </ul>`;
}

/** Renders the stations on a way, in its order; those where something is link to it. */
export function pageMap({ map }: PageParts): MarkupValue {
  return map === null
    ? null
    : markup`<nav class="map" aria-label="${map.label}">
        ${map.groups.map(
          ({ title, stations }) =>
            markup`<p>${title}</p>
              <ol>
                ${stations.map(({ name, note, isSevere, anchor }) =>
                  note === null
                    ? markup`<li>${name}</li> `
                    : markup`<li class="${isSevere ? 'on severe' : 'on'}">
                        ${anchor === null ? markup`<b>${name}</b>` : markup`<a href="#${anchor}">${name}</a>`}
                        <span>${note}</span>
                      </li> `,
                )}
              </ol> `,
        )}
      </nav>`;
}

/** Renders the form that filters the entries of the page. It is hidden until the script, which implements it, shows it. */
export function filterForm({ filter }: PageParts, most: number): MarkupValue {
  if (filter === null) {
    return null;
  }
  const { facets, severe, sections } = filter;
  const anchors = new Set([...new Set(sections.map(([anchor]) => anchor))].slice(0, most));
  const isSeveral = anchors.size > 1;
  return markup`<form id="filters" class="filters" hidden aria-label="Show only some changes">
    <fieldset>
      <legend>Kinds of changes</legend>
      ${facets.map(
        ([facet, word]) =>
          markup`<label><input type="checkbox" name="kind" value="${facet}" checked /> ${word}</label> `,
      )}
    </fieldset>
    <label><input type="checkbox" name="severe" /> ${severe}</label>
    ${
      isSeveral
        ? markup`<label
            >scope
            <select name="part">
              <option value="">all</option>
              ${sections.filter(([anchor]) => anchors.has(anchor)).map(([anchor, name]) => markup`<option value="${anchor}">${name}</option>`)}
            </select></label
          >`
        : null
    }
    <label
      >find
      <input
        type="search"
        name="text"
        placeholder="${isSeveral ? 'zone, rule, field, value' : 'rule, field, value'}"
    /></label>
    <button type="reset">Show all</button>
    <button type="button" name="fold" aria-pressed="false">Fold all</button>
    <output aria-live="polite"></output>
  </form> `;
}

/** The height of a row in pixels; the style sheet has the same. */
const ROW = 26;

/** The maximum number of rows: taller figures say less than the list of changes. */
const MOST_ROWS = 80;

/** Renders both orders side by side, with a line for each thing that moves. */
export function orderFigure({ caption, before, after }: OrderBlock): Markup {
  const rows = Math.max(before.rows.length, after.rows.length);
  return rows > MOST_ROWS
    ? markup`<p class="quiet">${caption}: more than a drawing can show. The list has each from and to.</p> `
    : markup`<figure class="order">
        <figcaption>${caption}</figcaption>
        <div class="columns">
          ${column(before)}
          <svg
            viewBox="0 0 100 ${rows * ROW}"
            height="${rows * ROW}"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            ${moves(before, after)}
          </svg>
          ${column(after)}
        </div>
      </figure> `;
}

function column({ title, rows }: OrderColumn): Markup {
  return markup`<div>
    <p>${title}</p>
    <ol>
      ${rows.map((row) =>
        row.kind === 'run'
          ? markup`<li class="run">${row.text}</li>`
          : markup`<li class="${row.style}" title="${row.name}"><i>${row.number}</i> ${row.name}</li>`,
      )}
    </ol>
  </div>`;
}

function moves(before: OrderColumn, after: OrderColumn): MarkupValue {
  const target = new Map(
    after.rows.flatMap((row, index) => (row.kind === 'thing' && row.key !== null ? [[row.key, index]] : [])),
  );
  return before.rows.map((row, index) => {
    const to = row.kind === 'thing' && row.key !== null ? target.get(row.key) : undefined;
    if (to === undefined) {
      return null;
    }
    const [from, until] = [index * ROW + ROW / 2, to * ROW + ROW / 2];
    return markup`<path d="M0 ${from}C50 ${from} 50 ${until} 100 ${until}" />`;
  });
}
