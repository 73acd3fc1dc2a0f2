import { html } from 'hono/html';
import type { PhaseStage } from '../../model/index.ts';
import { PHASES, phaseFacts } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { graveCounts } from '../severity.ts';
import type { Telling } from '../telling.ts';
import type { PageModel, Counts } from './page-model.ts';
import { NONE, addCounts, stepAnchor, timesCounts } from './page-model.ts';
import type { HtmlPart } from './text.ts';
import { safe } from './text.ts';

const STAGES: readonly (readonly [stage: PhaseStage, title: string])[] = [
  ['network', 'Network'],
  ['request', 'Request'],
  ['response', 'Response'],
];

/**
 * Renders the phases in the order in which a request passes them, from the network to the response; phases with changes link to their
 * rulesets.
 */
export function pipeline(model: PageModel): HtmlPart {
  const byPhase = new Map<string, Counts>();
  for (const { rulesets, others } of model.scopes) {
    for (const { phase, counts } of rulesets) {
      byPhase.set(phase, addCounts(byPhase.get(phase) ?? NONE, timesCounts(counts, others.length + 1)));
    }
  }
  const places = new Map<string, string>();
  for (const { rulesets, before } of model.sections) {
    for (const [index, { phase }] of rulesets.entries()) {
      places.set(phase, places.get(phase) ?? stepAnchor(index, before));
    }
  }
  const kinds = new Set(model.scopes.map(({ plan }) => plan.scope.kind));
  const unknown = [...byPhase.keys()].filter((phase) => phaseFacts(phase) === undefined);
  const stages = STAGES.map(([stage, title]) => ({
    title,
    phases: PHASES.filter(
      (phase) =>
        phase.stage === stage &&
        ([...phase.entrypoints, ...phase.custom].some((kind) => kinds.has(kind)) || byPhase.has(phase.name)),
    ).map(({ name, product }) => ({ name, product })),
  }));
  const all = [...stages, { title: 'Other', phases: unknown.map((name) => ({ name, product: name })) }];
  return html`<nav class="pipeline" aria-label="Phases in the order that a request takes">
    ${all
      .filter(({ phases }) => phases.length > 0)
      .map(
        ({ title, phases }) =>
          html`<p>${title}</p>
            <ol>
              ${phases.map(({ name, product }) => station(product, byPhase.get(name), places.get(name), model.telling))}
            </ol>`,
      )}
  </nav>`;
}

/** Renders a phase with its changes and a link to its first ruleset. */
function station(
  product: string,
  counts: Counts | undefined,
  place: string | undefined,
  telling: Telling,
): HtmlPart {
  if (counts === undefined) {
    return html`<li>${safe(product)}</li>`;
  }
  const { changes, grave } = counts;
  const count = changes === 0 ? 'description' : counted(changes, 'change');
  return html`<li class="${grave > 0 ? 'on lowers' : 'on'}">
    ${place === undefined ? html`<b>${safe(product)}</b>` : html`<a href="#${place}">${safe(product)}</a>`}
    <span>${[count, ...graveCounts(counts, telling)].join(', ')}</span>
  </li>`;
}
