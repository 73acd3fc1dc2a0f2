import { html } from 'hono/html';
import type { PhaseStage } from '../../model/phase.ts';
import { PHASES, phaseFacts } from '../../model/phase.ts';
import type { Step } from '../../model/plan.ts';
import { counted } from '../count.ts';
import { countLowering } from '../lowering.ts';
import type { PageModel } from './page-model.ts';
import { stepsOf } from './page-model.ts';
import type { Part } from './text.ts';
import { safe } from './text.ts';

const STAGES: readonly (readonly [stage: PhaseStage, title: string])[] = [
  ['network', 'Network'],
  ['request', 'Request'],
  ['response', 'Response'],
];

/** The phases as the line that a request travels, from the network to the response; those that change lead to their rulesets. */
export function pipeline(model: PageModel): Part {
  const steps = model.scopes.flatMap((scope) => stepsOf(scope));
  const kinds = new Set(model.scopes.map(({ scope }) => scope.kind));
  const unknown = [...new Set(steps.map(({ target }) => target.phase))].filter(
    (phase) => phaseFacts(phase) === undefined,
  );
  const stages = STAGES.map(([stage, title]) => ({
    title,
    phases: PHASES.filter(
      (phase) =>
        phase.stage === stage &&
        ([...phase.entrypoints, ...phase.custom].some((kind) => kinds.has(kind)) ||
          steps.some(({ target }) => target.phase === phase.name)),
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
              ${phases.map(({ name, product }) =>
                station(
                  product,
                  steps.filter(({ target }) => target.phase === name),
                  model,
                ),
              )}
            </ol>`,
      )}
  </nav>`;
}

function station(product: string, steps: readonly Step[], model: PageModel): Part {
  const [first] = steps;
  if (first === undefined) {
    return html`<li>${safe(product)}</li>`;
  }
  const changes = steps.flatMap((step) => step.changes);
  const lower = countLowering(changes, model.lowering);
  const count = changes.length === 0 ? 'description' : counted(changes.length, 'change');
  return html`<li class="${lower > 0 ? 'on lowers' : 'on'}">
    <a href="#${model.anchors.get(first) ?? ''}">${safe(product)}</a>
    <span
      >${count}${lower > 0 ? `, ${lower} ${model.telling.kind === 'plan' ? (lower === 1 ? 'weakens' : 'weaken') : 'weaker live'}` : ''}</span
    >
  </li>`;
}
