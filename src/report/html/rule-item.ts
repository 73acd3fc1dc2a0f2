import { html } from 'hono/html';
import { descriptionOf, beginning, calledName, causeText } from '../../model/index.ts';
import type { RuleChange, Step } from '../../model/index.ts';
import { changeFields } from '../lines/rule-lines.ts';
import type { Grave } from '../severity.ts';
import { allowedWeakening, everyRequestClause, isGraveChange, MAY_END, MAY_OPEN } from '../severity.ts';
import type { PlanNames } from '../plan-names.ts';
import { KIND_WORDS, SYMBOLS, UNSET } from '../telling.ts';
import type { Telling } from '../telling.ts';
import { assertNever, isJsonArray } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { TextDifference } from '../expression-difference.ts';
import { foldBlanks, textDifference } from '../expression-difference.ts';
import { fieldDifference } from '../field-difference.ts';
import type { FieldRow } from '../field-rows.ts';
import { loneValue } from '../value.ts';
import type { ScopeModel } from './page-model.ts';
import type { HtmlPart, Parts } from './text.ts';
import { safe, spansHtml } from './text.ts';

/** Longer values are cut. No expression is that long, and the plan as JSON has every value whole. */
const LONGEST = 4_096;

/** The number of items shown of a longer list. */
const MOST_ITEMS = 40;

/** Renders the fields of a rule with their names, grouped. */
export function fieldList(rows: readonly FieldRow[], telling: Telling): HtmlPart {
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

function valueOf({ label, value }: FieldRow, telling: Telling): HtmlPart {
  switch (value.kind) {
    case 'told':
      return html`${spansHtml(value.spans)}`;
    case 'is':
      return isJsonArray(value.value)
        ? html`<ul class="items">
            ${limited(value.value.map((item) => html`<li><code>${shown(loneValue(item))}</code></li>`))}
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
): HtmlPart {
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

function sides({ before, after }: Pick<TextDifference, 'before' | 'after'>, telling: Telling): HtmlPart {
  return html`${side('live', telling, spansHtml(before))}${side('files', telling, spansHtml(after))}`;
}

/** Renders both texts uncut: whoever is responsible for a rule must be able to read it. */
function inFull(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  telling: Telling,
): HtmlPart | '' {
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
function side(which: 'live' | 'files', { kind }: Telling, content: Parts): HtmlPart {
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

/** The scope of a rule, and which changes are unfolded. */
interface RulePlace extends ScopeModel {
  /** The changes whose fields are unfolded; those of many similar changes are folded. */
  readonly open: ReadonlySet<RuleChange>;
}

/** Renders a change of a rule: the kind of change and the rule, and below them the fields if there is room. */
export function ruleItem(step: Step, change: RuleChange, model: RulePlace): HtmlPart {
  const { telling, anchors, detailed, open, graves } = model;
  const anchor = anchors.get(change) ?? '';
  const told: ToldRule = {
    telling,
    phase: step.target.phase,
    names: model.names,
    grave: graves(step, change),
  };
  const look = SYMBOLS[telling.kind][change.kind].style;
  const attributes = html`id="${anchor}" class="${`rule ${look}`}"
  data-kind="${change.kind}"${isGraveChange(told.grave) ? html` data-lowers` : ''}`;
  if (!detailed.has(change)) {
    return html`<li ${attributes}>
      <div class="head">${head(change, told)} ${backTo(anchor, model)}</div>
    </li>`;
  }
  return html`<li ${attributes}>
    <details${open.has(change) ? html` open` : ''}>
      <summary>${head(change, told)}</summary>
      ${body(change, told)}${backTo(anchor, model)}
    </details>
  </li>`;
}

/** How to show a rule, and why its change is grave. */
interface ToldRule {
  readonly telling: Telling;
  /** The phase of its ruleset. */
  readonly phase: string;
  readonly names: PlanNames;
  readonly grave: Grave;
}

/**
 * Returns why a planned change strengthens protection; undefined for a grave change, because formally more protection is no merit if it is
 * an outage.
 */
function raisedBy({ protection }: RuleChange, told: ToldRule): string | undefined {
  return told.telling.kind === 'plan' && protection.kind === 'strengthening' && !isGraveChange(told.grave)
    ? protection.reason
    : undefined;
}

function head(change: RuleChange, told: ToldRule): HtmlPart {
  const { telling, grave } = told;
  const { lowers, ends, opens } = grave;
  const { sign } = SYMBOLS[telling.kind][change.kind];
  const about = aboutOf(change);
  return html`<span class="sign" aria-hidden="true">${sign}</span
    ><span class="word">${KIND_WORDS[telling.kind][change.kind]}</span>
    <b class="ref">${safe(nameOf(change))}</b>
    ${nameOf(change) === change.ref ? '' : html`<code class="id">${safe(change.ref)}</code>`}
    ${ends === undefined ? '' : html`<span class="badge lowers">${everyRequestClause(MAY_END, telling)}</span>`}
    ${opens === undefined ? '' : html`<span class="badge lowers">${everyRequestClause(MAY_OPEN, telling)}</span>`}
    ${lowers === undefined ? '' : html`<span class="badge lowers">${telling.kind === 'plan' ? 'weakens' : 'live is weaker'}</span>`}
    ${raisedBy(change, told) === undefined ? '' : html`<span class="badge raises">strengthens</span>`}
    ${about === '' ? '' : html`<span class="about">${safe(about)}</span>`}
    ${change.kind === 'delete' ? '' : html`<span class="source">${safe(causeText(change.cause))}</span>`}`;
}

/** Renders links back to the findings about a place. */
export function backTo(anchor: string, { found }: ScopeModel): HtmlPart | '' {
  const links = found.get(anchor) ?? [];
  return links.length === 0
    ? ''
    : html`<span class="back"
        >↑ see finding:
        ${links.map(({ kind, anchor: finding }, index) => html`${index === 0 ? '' : ', '}<a href="#${finding}">${kind}</a>`)}</span
      >`;
}

/** Returns the name of a rule: its `ref`, or its description if nobody chose the `ref`. */
export function nameOf(change: RuleChange): string {
  return calledName(change.ref, descriptionOf(change)) || change.ref;
}

/** Returns the beginning of the description for a change whose fields do not say what the rule is about. */
function aboutOf(change: RuleChange): string {
  return (change.kind === 'move' || change.kind === 'patch') && nameOf(change) === change.ref
    ? beginning(descriptionOf(change))
    : '';
}

function body(change: RuleChange, told: ToldRule): HtmlPart {
  const { telling, phase, names, grave } = told;
  const { lowers, ends, opens } = grave;
  const raises = raisedBy(change, told);
  const allowed = allowedWeakening(change, { kind: telling.kind, lowers });
  const reasons = [
    ...(ends === undefined ? [] : [reasonBar('lowers', 'Every request', everyRequestClause(ends, telling))]),
    ...(opens === undefined ? [] : [reasonBar('lowers', 'Unprotected', everyRequestClause(opens, telling))]),
    ...(lowers === undefined
      ? []
      : [reasonBar('lowers', telling.kind === 'plan' ? 'Weakens' : 'Live is weaker', lowers)]),
    ...(allowed === undefined ? [] : [reasonBar('allowed', 'Weakens', allowed)]),
    ...(raises === undefined ? [] : [reasonBar('raises', 'Strengthens', raises)]),
  ];
  return html`${reasons}${fieldList(changeFields(change, { telling, places: true, phase, names }), telling)}`;
}

function reasonBar(look: 'lowers' | 'raises' | 'allowed', what: string, reason: string): HtmlPart {
  return html`<p class="reason ${look}">${what}: ${safe(reason)}</p>`;
}
