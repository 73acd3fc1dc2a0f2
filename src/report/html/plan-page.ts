import { html } from 'hono/html';
import { changesAnything } from '../../model/changes-anything.ts';
import type { Drift } from '../../model/drift.ts';
import type { Plan, PlannedScope } from '../../model/plan.ts';
import { ALIKE, alikeCount, countAll, countScopes } from '../alike-plans.ts';
import type { ShownPlan } from '../alike-plans.ts';
import { counted } from '../count.ts';
import { findingsOf } from '../lines/finding.ts';
import { groupFailed } from '../failed-scopes.ts';
import type { OutcomesDocument } from '../json-documents.ts';
import { countLowering, driftLowering, loweringWord, planLowering } from '../lowering.ts';
import { driftSummary, planSummary } from '../summary.ts';
import { COUNT_WORDS, DRIFT, PLAN } from '../telling.ts';
import { filters } from './filters.ts';
import { findingsSection } from './findings-section.ts';
import { outcomesSection } from './outcomes-section.ts';
import type { PageModel } from './page-model.ts';
import { anchorOf, pageModel, stepsOf } from './page-model.ts';
import { page } from './page.ts';
import { pipeline } from './pipeline.ts';
import { notesList, rulesetSection } from './ruleset-section.ts';
import type { Part } from './text.ts';
import { message, safe } from './text.ts';

/** So many scopes are shown. */
const MOST_SCOPES = 1_000;

/** A plan as a page in one file, for reviewers. The same plan gives the same bytes. */
export function planPage(plan: Plan): Promise<string> {
  return pageOf('Plan', pageModel(plan, { telling: PLAN, lowering: planLowering }), planSummary(plan));
}

/** Drift as a page in one file: how live has come to differ from the files. */
export function driftPage(drift: Drift): Promise<string> {
  const { plan, changes } = drift;
  return pageOf(
    'Drift',
    pageModel(plan, { telling: DRIFT, lowering: driftLowering(changes) }),
    driftSummary(plan),
  );
}

/** What an apply came to, and the plan that it carried out, as a page in one file. */
export function outcomesPage(plan: Plan, document: OutcomesDocument): Promise<string> {
  return pageOf(
    document.dryRun ? 'Dry run' : 'Apply',
    pageModel(plan, { telling: PLAN, lowering: planLowering, outcomes: document.outcomes }),
    planSummary(plan),
    outcomesSection(document),
  );
}

function pageOf(
  what: string,
  model: PageModel,
  summary: string,
  outcomes: Part | null = null,
): Promise<string> {
  const { plan, shown } = model;
  const more = countScopes(shown.slice(MOST_SCOPES));
  const alone = countScopes(changed(shown)) === 0;
  return page({
    title: `${what} · ${safe(plan.baseUrl)}`,
    body: html`<a class="skip" href="#changes">Skip to the changes</a>
      <header class="top">
        <h1>${what} <small>${safe(plan.baseUrl)}</small></h1>
        <p class="verdict">${changesAnything(plan) ? verdict(model) : summary}</p>
        ${tiles(model)}
      </header>
      <div class="${alone ? 'layout alone' : 'layout'}">
        ${alone ? '' : pipeline(model)}
        <main id="changes">
          ${outcomes} ${failedSection(plan)} ${findingsSection(model)} ${filters(model)}
          ${shown.slice(0, MOST_SCOPES).map((one, index) => scopeSection(one, anchorOf(index), model))}
          ${more > 0 ? html`<p class="quiet">${counted(more, 'more scope')}: the plan as JSON has all.</p>` : ''}
        </main>
      </div>
      <footer>
        Rules stand in the order in which they are evaluated. Digest of the effect:
        <code>${plan.digest.slice(0, 16)}</code>
      </footer>`,
  });
}

function changed(shown: readonly ShownPlan[]): readonly ShownPlan[] {
  return shown.filter(({ plan }) => plan.steps.length > 0);
}

/** How far the changes reach, and whether apply would carry them out. */
function verdict({ plan, shown, telling, applied }: PageModel): string {
  const { create, update, delete: gone } = plan.summary.rulesets;
  const reach = `${counted(create + update + gone, 'ruleset')} of ${counted(countScopes(changed(shown)), 'scope')} ${applied ? 'in the plan' : telling.kind === 'plan' ? 'to change' : 'differ from the files'}.`;
  const refusing = findingsOf(plan).filter(({ effect }) => effect === 'refuse').length;
  return refusing === 0 || applied || telling.kind === 'drift'
    ? reach
    : `${reach} ${counted(refusing, 'finding')} ${refusing === 1 ? 'stops' : 'stop'} apply unless allowed; merging this reviewed plan allows ${refusing === 1 ? 'it' : 'them'}.`;
}

/** The counts, the one that matters most first. */
function tiles({ plan, shown, telling, lowering }: PageModel): Part | null {
  if (!changesAnything(plan)) {
    return null;
  }
  const lower = countAll(shown, ({ steps }) =>
    steps.reduce((sum, step) => sum + countLowering(step, lowering), 0),
  );
  const counts: readonly (readonly [number, string, string])[] = [
    [lower, loweringWord(lower, telling), 'lowers'],
    ...COUNT_WORDS[telling.kind].map(([kind, word]) => [plan.summary.rules[kind], word, kind] as const),
  ];
  return html`<ul class="tiles" aria-label="Counts">
    ${counts
      .filter(([count]) => count > 0)
      .map(([count, word, look]) => html`<li class="${look}"><b>${count}</b> ${word}</li>`)}
  </ul>`;
}

function scopeSection({ plan, others }: ShownPlan, id: string, model: PageModel): Part {
  const { scope, notes } = plan;
  const steps = stepsOf(plan);
  const listed = steps.filter(
    ({ changes }) => changes.length === 0 || changes.some((change) => model.listed.has(change)),
  );
  return html`<section class="scope" aria-labelledby="${id}" data-scope="${id}" data-group>
    <h2 id="${id}">${safe(scope.name)} <small>${scope.kind}${alikeCount(scope.kind, others)}</small></h2>
    ${alikeDetails(scope.name, others)} ${listed.map((step) => rulesetSection(step, plan, model))}
    ${listed.length === steps.length ? '' : html`<p class="quiet">${counted(steps.length - listed.length, 'more ruleset')}: the plan as JSON has all.</p>`}
    ${notesList(notes.filter((note) => steps.every((step) => step.id !== note.step)))}
  </section>`;
}

/** The scopes that are told with another one: all of them. What their rules are called that stay may differ. */
function alikeDetails(first: string, others: readonly PlannedScope[]): Part | null {
  return others.length === 0
    ? null
    : html`<details class="alike">
        <summary>${ALIKE}; rules that stay have their names in ${safe(first)}</summary>
        <p>${safe(others.map(({ scope }) => scope.name).join(', '))}</p>
      </details>`;
}

/** Scopes without a plan, by their reasons. */
function failedSection({ scopes }: Plan): Part | null {
  const failed = groupFailed(scopes.filter((scope) => scope.kind === 'failed'));
  if (failed.length === 0) {
    return null;
  }
  return html`<section class="failed" aria-labelledby="failed">
    <h2 id="failed">Could not be planned</h2>
    <ul>
      ${failed.map(
        ({ scopes: members, error }) =>
          html`<li>
            <b
              >${safe(
                members
                  .slice(0, 10)
                  .map(({ name }) => name)
                  .join(', '),
              )}${members.length > 10 ? ` and ${members.length - 10} more` : ''}</b
            >
            <code>${safe(error.code)}</code> ${message(error.message)}${
              error.hint === undefined ? '' : html` ${message(error.hint)}`
            }
          </li>`,
      )}
    </ul>
  </section>`;
}
