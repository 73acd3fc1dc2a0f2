import { html } from 'hono/html';
import { shownChange, changeKey, entryKey, orderAfter, orderBefore, phaseFacts } from '../../model/index.ts';
import type { PlanNote, Step, RuleChange } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { toldChanges } from '../folded-changes.ts';
import { isWarning, noteRules, shownNotes, toldNotes } from '../notes.ts';
import { stepOrigin } from '../step-origin.ts';
import type { Telling } from '../telling.ts';
import { momentText } from '../moment.ts';
import { fieldList, backTo, ruleItem, nameOf } from './rule-item.ts';
import type { ScopeModel } from './page-model.ts';
import type { HtmlPart, Parts } from './text.ts';
import { message, safe } from './text.ts';

/** The height of a row in pixels; the style sheet has the same. */
const ROW = 26;

/** The maximum number of rows: taller figures say less than the list of changes. */
const MOST_ROWS = 80;

/** A row: a numbered rule that is moved, added or deleted, or a run of rules that keep their relative order. */
type Row =
  | { readonly kind: 'rule'; readonly number: number; readonly key: string; readonly change: RuleChange }
  | { readonly kind: 'run'; readonly count: number };

/** Renders both orders of a ruleset side by side, with a line for each rule that moves; null when none does. */
function orderFigure({ before, after }: RuleOrder, { kind }: Telling): HtmlPart | null {
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

function column(title: string, rows: readonly Row[]): HtmlPart {
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

/** Renders a ruleset: its facts, the change of its order, and its rules from first to last. */
export function rulesetSection(step: Step, model: ScopeModel): HtmlPart {
  const { plan, telling, anchors, outcomes, listed, detailed } = model;
  const order = ruleOrder(step);
  const hidden = step.changes.filter((change) => !listed.has(change)).length;
  const outcome = outcomes.get(step.id);
  const id = anchors.get(step) ?? '';
  return html`<section class="ruleset" id="${id}" aria-labelledby="${`${id}h`}" data-group>
    <header>
      <h3 id="${`${id}h`}">${title(step)}</h3>
      <p class="facts">
        ${facts(step, telling).map((fact) => html`<span>${fact}</span>`)}
        <span class="source">${safe(stepOrigin(step))}</span>
        ${outcome === undefined ? '' : html`<span class="${`badge outcome ${outcome.kind}`}">${outcome.kind.replace('-', ' ')}</span>`}
        ${backTo(id, model)}
      </p>
    </header>
    ${descriptionOf(step, telling)}
    ${step.changes.some((change) => detailed.has(change)) ? orderFigure(order, telling) : ''}
    <ol class="rules">
      ${items(order, step, model)}
    </ol>
    ${hidden === 0 ? '' : html`<p class="quiet">${counted(hidden, 'more change of this ruleset is', 'more changes of this ruleset are')} left out here; the plan as JSON has all.</p>`}
    ${notesList(shownNotes(plan).filter((note) => note.step === step.id))}
  </section>`;
}

function title({ target }: Step): HtmlPart {
  const product = phaseFacts(target.phase)?.product ?? target.phase;
  return target.level === 'custom'
    ? html`${safe(target.name)} <small>custom ruleset of ${product}</small>`
    : html`${safe(product)}`;
}

function facts(step: Step, { kind }: Telling): Parts {
  const { base, operation, target } = step;
  const operations = {
    plan: { create: 'new ruleset', delete: `ruleset deleted, with ${counted(step.changes.length, 'rule')}` },
    drift: { create: 'missing live', delete: 'only live' },
  } as const;
  return [
    html`<code>${safe(target.phase)}</code>`,
    ...(operation === 'update' ? [] : [html`<b class="${operation}">${operations[kind][operation]}</b>`]),
    ...(base.kind === 'version' ? [`version ${safe(base.version)}`] : []),
    ...(base.kind === 'version' && kind === 'drift' && base.lastUpdated !== ''
      ? [html`changed <time>${safe(momentText(base.lastUpdated))}</time>`]
      : []),
  ];
}

function descriptionOf(step: Step, telling: Telling): HtmlPart | null {
  if (step.operation !== 'update' || step.description === undefined) {
    return null;
  }
  return fieldList(
    [{ label: 'description', group: '', value: { kind: 'differs', ...shownChange(step.description) } }],
    telling,
  );
}

/** Renders the changed rules in order, each deleted rule at its former place, and each run of unchanged rules as one line. */
function items(order: RuleOrder, step: Step, model: ScopeModel): Parts {
  const rules = withDeleted(order);
  const { graves, telling } = model;
  const open = new Set(toldChanges(step, { graves, telling: telling.kind }).changes);
  const placed = { ...model, open };
  const missing = step.changes.filter((change) => !rules.some((rule) => rule.change === change));
  const parts: (HtmlPart | string)[] = [];
  let unchanged = 0;
  const flush = (): void => {
    if (unchanged > 0) {
      parts.push(html`<li class="same">${unchanged} unchanged</li>`);
      unchanged = 0;
    }
  };
  for (const rule of [...rules, ...missing.map((change) => ({ key: changeKey(change), change }))]) {
    if (rule.change === undefined) {
      unchanged += 1;
    } else if (model.listed.has(rule.change)) {
      flush();
      parts.push(ruleItem(step, rule.change, placed));
    }
  }
  flush();
  return parts;
}

function withDeleted({ before, after }: RuleOrder): readonly OrderedRule[] {
  const behind = new Map<string, readonly OrderedRule[]>();
  let last = '';
  for (const rule of before) {
    if (rule.change?.kind === 'delete') {
      behind.set(last, [...(behind.get(last) ?? []), rule]);
    } else if (rule.change === undefined || rule.change.kind === 'patch') {
      last = rule.key;
    }
  }
  return [...(behind.get('') ?? []), ...after.flatMap((rule) => [rule, ...(behind.get(rule.key) ?? [])])];
}

/** Renders the notes of a ruleset, warnings first. */
export function notesList(notes: readonly PlanNote[]): HtmlPart | null {
  if (notes.length === 0) {
    return null;
  }
  const sorted = [
    ...notes.filter(({ kind }) => isWarning(kind)),
    ...notes.filter(({ kind }) => !isWarning(kind)),
  ];
  return html`<ul class="notes" aria-label="Notes">
    ${toldNotes(sorted).map((told) => {
      const { kind, message: text } = told.note;
      const about = noteRules(told, safe);
      return html`<li class="${isWarning(kind) ? 'warns' : 'tells'}">
        ${about === '' ? '' : html`<b>${about}</b> `}${message(text)}
      </li>`;
    })}
  </ul>`;
}

/** A rule in the order of a ruleset: its `entryKey`, and its change, if any. */
interface OrderedRule {
  readonly key: string;
  readonly change?: RuleChange;
}

/** The rules of a ruleset before and after a step. */
interface RuleOrder {
  readonly before: readonly OrderedRule[];
  readonly after: readonly OrderedRule[];
}

/** Returns both orders of a ruleset, with the change of each rule. */
export function ruleOrder(step: Step): RuleOrder {
  const changes = new Map(step.changes.map((change) => [changeKey(change), change]));
  const ordered = (key: string): OrderedRule => {
    const change = changes.get(key);
    return change === undefined ? { key } : { key, change };
  };
  return {
    before: orderBefore(step).map((id) => ordered(entryKey({ kind: 'live', id }))),
    after: orderAfter(step).map((entry) => ordered(entryKey(entry))),
  };
}
