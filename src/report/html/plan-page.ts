import { html } from 'hono/html';
import type { Drift } from '../../model/drift.ts';
import type { Plan } from '../../model/plan.ts';
import { changesAnything, failedScopes } from '../../model/scope-plans.ts';
import { countScopes } from '../alike-plans.ts';
import type { BesidePlan } from '../beside-plan.ts';
import { counted } from '../../model/count.ts';
import { groupFailed } from '../failed-scopes.ts';
import type { OutcomesDocument } from '../../model/result-documents.ts';
import { driftGraves, planGraves } from '../lowering.ts';
import { inPieces } from '../pieces.ts';
import { driftSummary, planSummary } from '../summary.ts';
import { DRIFT, PLAN } from '../telling.ts';
import { filters } from './filters.ts';
import { findingsSection } from './findings-section.ts';
import { outcomesSection } from './outcomes-section.ts';
import { driftAttention, planAttention } from '../attention.ts';
import { backLinks, pageFindings } from './page-findings.ts';
import type { PageModel } from './page-model.ts';
import { pageModel } from './page-model.ts';
import { page } from './page.ts';
import { pipeline } from './pipeline.ts';
import { preflightSection } from './preflight-section.ts';
import { scopeIndex } from './scope-index.ts';
import type { ScopeModel } from './scope-model.ts';
import { scopeModel } from './scope-model.ts';
import { scopeSection } from './scope-section.ts';
import type { Part } from './text.ts';
import { around, message, safe } from './text.ts';
import { tiles, verdict } from './verdict.ts';

/**
 * Renders a plan as a page in one file, for reviewers. Equal plans give equal bytes. The page is produced scope by scope as it is written.
 */
export function planPage(plan: Plan, { preflight = null, moment }: BesidePlan = {}): Iterable<string> {
  const items = planAttention(plan);
  return pageOf(
    'Plan',
    pageModel(plan, { telling: PLAN, graves: planGraves(plan), items, moment }),
    planSummary(plan),
    preflightSection(preflight),
  );
}

/** Renders drift as a page in one file. */
export function driftPage(drift: Drift): Iterable<string> {
  const { plan, changes } = drift;
  return pageOf(
    'Drift',
    pageModel(plan, {
      telling: DRIFT,
      graves: driftGraves(changes),
      items: driftAttention(drift),
    }),
    driftSummary(plan),
  );
}

/** Renders the result of an apply, and the plan that it carried out, as a page in one file. */
export function outcomesPage(plan: Plan, document: OutcomesDocument): Iterable<string> {
  return pageOf(
    document.dryRun ? 'Dry run' : 'Apply',
    pageModel(plan, {
      telling: PLAN,
      graves: planGraves(plan),
      items: planAttention(plan),
      outcomes: document.outcomes,
    }),
    planSummary(plan),
    outcomesSection(document),
  );
}

function pageOf(what: string, model: PageModel, summary: string, said: Part | null = null): Iterable<string> {
  const { plan, scopes, sections } = model;
  const findings = pageFindings(model);
  const changes = changesAnything(plan);
  const leftOut = countScopes(scopes) - countScopes(sections);
  const body = around(
    (inside) =>
      html`<a class="skip" href="#changes">Skip to the changes</a>
        <header class="top">
          <h1>${what} <small>${safe(plan.baseUrl)}</small></h1>
          <p class="verdict">${verdict(model, summary)}</p>
          ${changes ? tiles(model) : ''}
        </header>
        <div class="${changes ? 'layout' : 'layout alone'}">
          ${changes ? pipeline(model) : ''}
          <main id="changes">
            ${said} ${failedSection(plan)} ${findingsSection(findings, model)} ${scopeIndex(model)}
            ${filters(model)} ${inside}
            ${leftOut === 0 ? '' : html`<p class="quiet">${counted(leftOut, 'more scope')}: the plan as JSON has all.</p>`}
          </main>
        </div>
        <footer>
          Rules stand in the order in which they are evaluated. Plan digest:
          <code>${plan.digest.slice(0, 16)}</code>
        </footer>`,
    sectionTexts(model, backLinks(findings)),
  );
  return inPieces(page({ title: `${what} · ${safe(plan.baseUrl)}`, body }));
}

/** Renders section by section, so that only the steps of one section are in memory. */
function* sectionTexts(model: PageModel, found: ScopeModel['found']): Iterable<string> {
  for (const section of model.sections) {
    yield* scopeSection(section, scopeModel(section, model, found));
  }
}

/** Renders the scopes that could not be planned, by reason. */
function failedSection({ scopes }: Plan): Part | null {
  const failed = groupFailed(failedScopes(scopes));
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
