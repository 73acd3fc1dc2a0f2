import { html } from 'hono/html';
import type { Preflight } from '../../model/preflight.ts';
import { counted } from '../../model/count.ts';
import { preflightLines, preflightSummary, weighPreflight } from '../text/preflight.ts';
import { linesHtml } from './text.ts';
import type { Part } from './text.ts';

/** The width for which lines are laid out; the page wraps them as needed. */
const WIDTH = 100;

/** The number of steps for which the service's answer is shown, trouble first. */
const MOST = 100;

/** Renders the service's answers to the writes of a plan; null when it was not asked. */
export function preflightSection(preflight: Preflight | null): Part | null {
  if (preflight === null || preflight.steps.length === 0) {
    return null;
  }
  const { error, warning, good } = weighPreflight(preflight);
  const steps = [...error, ...warning, ...good];
  const more = steps.length - MOST;
  return html`<section class="outcomes" aria-labelledby="preflight">
    <h2 id="preflight">What the service says to these writes</h2>
    <p class="verdict">${preflightSummary(steps)}</p>
    ${linesHtml(steps.slice(0, MOST).flatMap((step) => preflightLines(step, WIDTH)))}
    ${more > 0 ? html`<p class="quiet">${counted(more, 'more step')}: the plan as JSON has all.</p>` : ''}
  </section>`;
}
