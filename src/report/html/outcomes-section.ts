import { html } from 'hono/html';
import type { Outcome, OutcomesDocument } from '../../model/index.ts';
import { isAchieved } from '../../model/index.ts';
import { planDifferenceLines } from '../text/differences.ts';
import { alikeDifferences, alikeOutcomes } from '../group-outcomes.ts';
import { outcomesSummary } from '../outcomes-summary.ts';
import { outcomesLines, rollbackLines } from '../text/outcomes.ts';
import { linesHtml } from './text.ts';
import type { HtmlPart } from './text.ts';

/** The width for which lines are laid out; the page wraps them as needed. */
const WIDTH = 100;

/** The number of groups of scopes whose outcomes are shown in full, trouble first; each ruleset below shows its own outcome. */
const MOST = 100;

/** Renders the result of an apply: the summary, then what did not go as planned, then what did. */
export function outcomesSection(document: OutcomesDocument): HtmlPart {
  const { outcomes, differences = [], rollback } = document;
  const sorted = [...outcomes].sort((a, b) => weight(a) - weight(b));
  const groups = alikeOutcomes(sorted);
  const more = groups
    .slice(MOST)
    .reduce((sum, { members, others }) => sum + members.length * (others.length + 1), 0);
  return html`<section class="outcomes" aria-labelledby="outcomes">
    <h2 id="outcomes">What happened</h2>
    <p class="verdict">${outcomesSummary(document)}</p>
    ${
      differences.length === 0
        ? ''
        : html`<h3>Not the plan that was reviewed</h3>
            ${linesHtml(planDifferenceLines(alikeDifferences(differences), { width: WIDTH }))}`
    }
    ${sorted.length === 0 ? '' : linesHtml([...outcomesLines(groups.slice(0, MOST), WIDTH), ...rollbackLines(rollback, { width: WIDTH })])}
    ${more > 0 ? html`<p class="quiet">${more} more, at their rulesets below.</p>` : ''}
  </section>`;
}

function weight(outcome: Outcome): number {
  return isAchieved(outcome) ? 2 : outcome.kind === 'not-reached' ? 1 : 0;
}
