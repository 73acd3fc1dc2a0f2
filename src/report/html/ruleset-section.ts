import { html } from 'hono/html';
import { shownChange } from '../../model/conceal.ts';
import { changeKey } from '../../model/rule-order.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { PlanNote, Step } from '../../model/plan.ts';
import { counted } from '../../model/count.ts';
import { toldChanges } from '../folded-changes.ts';
import { isWarning, noteRules, shownNotes, toldNotes } from '../notes.ts';
import { stepOrigin } from '../step-origin.ts';
import { ruleOrder } from '../rule-order.ts';
import type { OrderedRule, RuleOrder } from '../rule-order.ts';
import type { Telling } from '../telling.ts';
import { fieldList } from './field-list.ts';
import { orderFigure } from './order-figure.ts';
import { momentText } from '../moment.ts';
import { backTo, ruleItem } from './rule-item.ts';
import type { ScopeModel } from './scope-model.ts';
import type { Part, Parts } from './text.ts';
import { message, safe } from './text.ts';

/** Renders a ruleset: its facts, the change of its order, and its rules from first to last. */
export function rulesetSection(step: Step, model: ScopeModel): Part {
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

function title({ target }: Step): Part {
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

function descriptionOf(step: Step, telling: Telling): Part | null {
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
  const parts: (Part | string)[] = [];
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
export function notesList(notes: readonly PlanNote[]): Part | null {
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
