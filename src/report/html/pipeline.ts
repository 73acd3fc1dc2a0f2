import { html } from 'hono/html';
import { groupBy } from '../../model/group-by.ts';
import type { PhaseStage } from '../../model/phase.ts';
import { PHASES, phaseFacts } from '../../model/phase.ts';
import type { Step } from '../../model/plan.ts';
import { counted } from '../count.ts';
import { countLowering, loweringWord } from '../lowering.ts';
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
  const changes = model.shown.flatMap(({ plan, others }) =>
    stepsOf(plan).map((step): Change => ({ step, scopes: others.length + 1 })),
  );
  const byPhase = groupBy(changes, ({ step }) => step.target.phase);
  const kinds = new Set(model.shown.map(({ plan }) => plan.scope.kind));
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
              ${phases.map(({ name, product }) => station(product, byPhase.get(name) ?? [], model))}
            </ol>`,
      )}
  </nav>`;
}

/** A ruleset that changes, in so many scopes. */
interface Change {
  readonly step: Step;
  readonly scopes: number;
}

function station(product: string, members: readonly Change[], model: PageModel): Part {
  const [first] = members;
  if (first === undefined) {
    return html`<li>${safe(product)}</li>`;
  }
  const { anchors, lowering, telling } = model;
  const total = (count: (step: Step) => number): number =>
    members.reduce((sum, { step, scopes }) => sum + count(step) * scopes, 0);
  const changes = total((step) => step.changes.length);
  const lower = total((step) => countLowering(step, lowering));
  const count = changes === 0 ? 'description' : counted(changes, 'change');
  return html`<li class="${lower > 0 ? 'on lowers' : 'on'}">
    <a href="#${anchors.get(first.step) ?? ''}">${safe(product)}</a>
    <span>${count}${lower > 0 ? `, ${lower} ${loweringWord(lower, telling)}` : ''}</span>
  </li>`;
}
