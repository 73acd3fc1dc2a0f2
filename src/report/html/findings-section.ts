import { html } from 'hono/html';
import type { GuardFinding, PlanNote } from '../../model/plan.ts';
import { scopeLabel } from '../../model/scope.ts';
import { untilReviewed } from '../allowing.ts';
import type { Alike } from '../alike-scopes.ts';
import { alikeText, groupFindings, scopeNames } from '../alike-scopes.ts';
import { counted } from '../count.ts';
import { findingsOf } from '../lines/finding.ts';
import { warningNotes } from '../notes.ts';
import type { Scoped } from '../own-ids.ts';
import type { PageModel } from './page-model.ts';
import { stepsOf } from './page-model.ts';
import type { Part, Parts } from './text.ts';
import { message, safe } from './text.ts';

/** So many findings of one sort are shown; the others stand at their rules. */
const MOST = 50;

/** Of an apply, whatever came of it. */
const STOPS = 'Stops apply unless allowed by --allow KIND, or the reviewed plan showed it';

/** What a guard found or a note warns of. */
type Care = Omit<GuardFinding, 'kind'> & Scoped & { readonly kind: GuardFinding['kind'] | PlanNote['kind'] };

/** What guards found, above everything else: what stops apply, then what needs attention, with notes that warn. */
export function findingsSection(model: PageModel): Part | null {
  const findings = [...findingsOf(model.plan), ...warningNotes(model.plan).map(asFinding)];
  if (findings.length === 0 || model.telling.kind === 'drift') {
    return null;
  }
  const places = new Map(
    model.shown.flatMap(({ plan }) =>
      stepsOf(plan).flatMap((step) => [
        [step.id, model.anchors.get(step) ?? ''] as const,
        ...step.changes
          .filter((change) => model.listed.has(change))
          .map((change) => [`${step.id} ${change.ref}`, model.anchors.get(change) ?? ''] as const),
      ]),
    ),
  );
  // Where a scope is told with another one, its place is there.
  const tellers = new Map(
    model.shown.flatMap(({ plan, others }) =>
      others.map(({ scope }) => [scopeLabel(scope), scopeLabel(plan.scope)] as const),
    ),
  );
  const placeOf = ({ step = '', rule = '', scope = '' }: Care): string | undefined => {
    const shown = tellers.get(scope);
    const id = shown === undefined ? step : `${shown}${step.slice(scope.length)}`;
    return places.get(`${id} ${rule}`) ?? places.get(id);
  };
  return html`<section class="findings" aria-labelledby="findings">
    <h2 id="findings">${model.applied ? 'What the guards found' : 'Look here first'}</h2>
    ${group(model.applied ? STOPS : untilReviewed(), 'refuse', findings, placeOf)}
    ${group('Attention', 'warn', findings, placeOf)}
  </section>`;
}

function asFinding({ kind, step, rule, scope, own, message: text }: PlanNote & Scoped): Care {
  return { kind, effect: 'warn', step, rule, scope, own, message: rule === '' ? text : `${rule}: ${text}` };
}

function group(
  title: string,
  effect: GuardFinding['effect'],
  findings: readonly Care[],
  placeOf: (finding: Care) => string | undefined,
): Part | null {
  const members = groupFindings(findings.filter((finding) => finding.effect === effect));
  if (members.length === 0) {
    return null;
  }
  const more = members.length - MOST;
  return html`<h3>${title}</h3>
    <ul class="${effect}">
      ${
        [
          ...members.slice(0, MOST).map((finding) => item(finding, placeOf(finding.item))),
          ...(more > 0
            ? [html`<li class="quiet">${counted(more, 'more finding')}, at the rules below</li>`]
            : []),
        ] satisfies Parts
      }
    </ul>`;
}

function item(alike: Alike<Care>, anchor: string | undefined): Part {
  const {
    item: { kind, message: text },
    scopes,
  } = alike;
  const label = html`<b>${kind}</b>`;
  return html`<li>
    ${anchor === undefined ? label : html`<a href="#${anchor}">${label}</a>`}
    ${message(alikeText(text, alike))}${scopes.length === 0 ? '' : html` <span class="quiet">${scopeNames(scopes, safe)}</span>`}
  </li>`;
}
