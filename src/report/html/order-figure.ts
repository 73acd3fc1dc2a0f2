import { html } from 'hono/html';
import { counted } from '../count.ts';
import type { OrderedRule, RuleOrder } from '../rule-order.ts';
import type { Telling } from '../telling.ts';
import { nameOf } from './rule-item.ts';
import type { Part, Parts } from './text.ts';
import { safe } from './text.ts';

/** Height of a row in pixels; the style sheet has the same. */
const ROW = 26;

/** Taller figures say less than the list of changes. */
const MOST_ROWS = 80;

/** A row: one rule with its number, or a run of rules that keep their places among themselves. */
type Row =
  | { readonly kind: 'rule'; readonly number: number; readonly rule: OrderedRule }
  | { readonly kind: 'run'; readonly count: number };

/** Both orders of a ruleset side by side with a line for each rule that moves; nothing where none does. */
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
      ? `${counted(moves, 'rule')} ${moves === 1 ? 'moves' : 'move'}`
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

function isMoved({ change }: OrderedRule): boolean {
  return change?.kind === 'move' || (change?.kind === 'patch' && change.move !== undefined);
}

function rowsOf(rules: readonly OrderedRule[]): readonly Row[] {
  const rows: Row[] = [];
  for (const [index, rule] of rules.entries()) {
    const last = rows.at(-1);
    const stays = !isMoved(rule) && rule.change?.kind !== 'add' && rule.change?.kind !== 'delete';
    if (stays && last?.kind === 'run') {
      rows[rows.length - 1] = { kind: 'run', count: last.count + 1 };
    } else if (stays && last?.kind === 'rule' && staysAt(last)) {
      rows[rows.length - 1] = { kind: 'run', count: 2 };
    } else {
      rows.push({ kind: 'rule', number: index + 1, rule });
    }
  }
  return rows;
}

function staysAt({ rule }: Extract<Row, { readonly kind: 'rule' }>): boolean {
  return !isMoved(rule) && rule.change?.kind !== 'add' && rule.change?.kind !== 'delete';
}

function column(title: string, rows: readonly Row[]): Part {
  return html`<div>
    <p>${title}</p>
    <ol>
      ${rows.map((row) =>
        row.kind === 'run'
          ? html`<li class="run">${row.count} stay</li>`
          : html`<li class="${kindOf(row.rule)}" title="${safe(titleOf(row.rule))}">
              <i>${row.number}</i> ${safe(titleOf(row.rule))}
            </li>`,
      )}
    </ol>
  </div>`;
}

function titleOf({ ref, change }: OrderedRule): string {
  return change === undefined ? ref : nameOf(change);
}

function kindOf(rule: OrderedRule): string {
  return isMoved(rule)
    ? 'move'
    : rule.change?.kind === 'add' || rule.change?.kind === 'delete'
      ? rule.change.kind
      : 'stay';
}

function lines(left: readonly Row[], right: readonly Row[]): Parts {
  const target = new Map(
    right.flatMap((row, index) => (row.kind === 'rule' && isMoved(row.rule) ? [[row.rule.ref, index]] : [])),
  );
  return left.flatMap((row, index): Parts => {
    const to = row.kind === 'rule' && isMoved(row.rule) ? target.get(row.rule.ref) : undefined;
    if (to === undefined) {
      return [];
    }
    const [y1, y2] = [index * ROW + ROW / 2, to * ROW + ROW / 2];
    return [html`<path d="M0 ${y1}C50 ${y1} 50 ${y2} 100 ${y2}" />`];
  });
}
