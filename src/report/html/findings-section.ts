import { html } from 'hono/html';
import type { GuardFinding, PlanNote } from '../../model/plan.ts';
import { untilReviewed } from '../allowing.ts';
import type { Alike, Scoped } from '../alike-scopes.ts';
import { alikeText, groupFindings, scopeNames } from '../alike-scopes.ts';
import { counted } from '../count.ts';
import { findingsOf } from '../lines/finding.ts';
import { warningNotes } from '../notes.ts';
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

/** What guards found, above everything else: what stops apply, then what to take care of; notes that warn with it. */
export function findingsSection(model: PageModel): Part | null {
  const findings = [...findingsOf(model.plan), ...warningNotes(model.plan).map(asFinding)];
  if (findings.length === 0 || model.telling.kind === 'drift') {
    return null;
  }
  const places = new Map(
    model.scopes.flatMap((scope) =>
      stepsOf(scope).flatMap((step) => [
        [step.id, model.anchors.get(step) ?? ''] as const,
        ...step.changes
          .filter((change) => model.listed.has(change))
          .map((change) => [`${step.id} ${change.ref}`, model.anchors.get(change) ?? ''] as const),
      ]),
    ),
  );
  return html`<section class="findings" aria-labelledby="findings">
    <h2 id="findings">${model.applied ? 'What the guards found' : 'Look here first'}</h2>
    ${group(model.applied ? STOPS : untilReviewed(), 'refuse', findings, places)}
    ${group('Take care', 'warn', findings, places)}
  </section>`;
}

function asFinding({ kind, step, rule, scope, message: text }: PlanNote & Scoped): Care {
  return { kind, effect: 'warn', step, rule, scope, message: rule === '' ? text : `${rule}: ${text}` };
}

function group(
  title: string,
  effect: GuardFinding['effect'],
  findings: readonly Care[],
  places: ReadonlyMap<string, string>,
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
          ...members.slice(0, MOST).map((finding) => item(finding, places)),
          ...(more > 0
            ? [html`<li class="quiet">${counted(more, 'more finding')}, at the rules below</li>`]
            : []),
        ] satisfies Parts
      }
    </ul>`;
}

function item({ item: finding, scopes }: Alike<Care>, places: ReadonlyMap<string, string>): Part {
  const { kind, step = '', rule, message: text } = finding;
  const anchor = places.get(`${step} ${rule ?? ''}`) ?? places.get(step);
  const label = html`<b>${kind}</b>`;
  return html`<li>
    ${anchor === undefined ? label : html`<a href="#${anchor}">${label}</a>`}
    ${message(alikeText(text, scopes))}${scopes.length === 0 ? '' : html` <span class="quiet">${scopeNames(scopes, safe)}</span>`}
  </li>`;
}
