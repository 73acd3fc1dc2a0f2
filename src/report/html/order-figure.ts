import { html } from 'hono/html';
import type { RuleChange } from '../../model/change.ts';
import { counted } from '../../model/count.ts';
import type { OrderedRule, RuleOrder } from '../rule-order.ts';
import type { Telling } from '../telling.ts';
import { nameOf } from './rule-item.ts';
import type { Part, Parts } from './text.ts';
import { safe } from './text.ts';

/** The height of a row in pixels; the style sheet has the same. */
const ROW = 26;

/** The maximum number of rows: taller figures say less than the list of changes. */
const MOST_ROWS = 80;

/** A row: a numbered rule that is moved, added or deleted, or a run of rules that keep their relative order. */
type Row =
  | { readonly kind: 'rule'; readonly number: number; readonly key: string; readonly change: RuleChange }
  | { readonly kind: 'run'; readonly count: number };

/** Renders both orders of a ruleset side by side, with a line for each rule that moves; null when none does. */
export function orderFigure({ before, after }: RuleOrder, { kind }: Telling): Part | null {
  const moves = after.filter(isMoved).length;
  if (moves === 0) {
    return null;
  }
  const left = rowsOf(before);
  const right = rowsOf(after);
  const rows = Math.max(left.length, right.length);
  const caption =
    kind === 'plan'
      ? counted(moves, 'rule moves', 'rules move')
      : `${counted(moves, 'rule')} in another place`;
  if (rows > MOST_ROWS) {
    return html`<p class="quiet">
      ${caption}: more than a drawing can show. The list has each from and to.
    </p>`;
  }
  const [now, then] = kind === 'plan' ? ['Now', 'After apply'] : ['Live', 'Files'];
  return html`<figure class="order">
    <figcaption>${caption}</figcaption>
    <div class="columns">
      ${column(now, left)}
      <svg
        viewBox="0 0 100 ${rows * ROW}"
        height="${rows * ROW}"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        ${lines(left, right)}
      </svg>
      ${column(then, right)}
    </div>
  </figure>`;
}

function isMoved({ change }: Pick<OrderedRule, 'change'>): boolean {
  return change?.kind === 'move' || (change?.kind === 'patch' && change.move !== undefined);
}

function rowsOf(rules: readonly OrderedRule[]): readonly Row[] {
  const rows: Row[] = [];
  for (const [index, { key, change }] of rules.entries()) {
    const last = rows.at(-1);
    if (change !== undefined && (isMoved({ change }) || change.kind === 'add' || change.kind === 'delete')) {
      rows.push({ kind: 'rule', number: index + 1, key, change });
    } else if (last?.kind === 'run') {
      rows[rows.length - 1] = { kind: 'run', count: last.count + 1 };
    } else {
      rows.push({ kind: 'run', count: 1 });
    }
  }
  return rows;
}

function column(title: string, rows: readonly Row[]): Part {
  return html`<div>
    <p>${title}</p>
    <ol>
      ${rows.map((row) =>
        row.kind === 'run'
          ? html`<li class="run">${counted(row.count, 'stays', 'stay')}</li>`
          : html`<li class="${kindOf(row.change)}" title="${safe(nameOf(row.change))}">
              <i>${row.number}</i> ${safe(nameOf(row.change))}
            </li>`,
      )}
    </ol>
  </div>`;
}

/** A patched rule has a row only when it also moves. */
function kindOf({ kind }: RuleChange): string {
  return kind === 'patch' ? 'move' : kind;
}

function lines(left: readonly Row[], right: readonly Row[]): Parts {
  const target = new Map(
    right.flatMap((row, index) => (row.kind === 'rule' && isMoved(row) ? [[row.key, index]] : [])),
  );
  return left.flatMap((row, index): Parts => {
    const to = row.kind === 'rule' && isMoved(row) ? target.get(row.key) : undefined;
    if (to === undefined) {
      return [];
    }
    const [y1, y2] = [index * ROW + ROW / 2, to * ROW + ROW / 2];
    return [html`<path d="M0 ${y1}C50 ${y1} 50 ${y2} 100 ${y2}" />`];
  });
}
