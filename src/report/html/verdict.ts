import { html } from 'hono/html';
import { changesAnything } from '../../model/scope-plans.ts';
import { countScopes } from '../alike-plans.ts';
import { counted } from '../../model/count.ts';
import { attentionCounts } from '../attention-counts.ts';
import { graveParts } from '../lowering.ts';
import { COUNT_WORDS } from '../telling.ts';
import type { PageModel } from './page-model.ts';
import { NONE, addCounts, timesCounts } from './placed-changes.ts';
import type { Part } from './text.ts';

/** Renders the extent of the changes, and how much of it needs attention. */
export function verdict(model: PageModel, summary: string): Part {
  const counts = model.applied ? null : attentionCounts(model.items, { where: 'top' });
  return html`${changesAnything(model.plan) ? reach(model) : summary}${counts === null ? '' : html` <span class="counts">${counts}</span>`}`;
}

function reach({ plan, scopes, telling, applied }: PageModel): string {
  const { create, update, delete: gone } = plan.summary.rulesets;
  const changed = countScopes(scopes.filter(({ rulesets }) => rulesets.length > 0));
  const rulesets = create + update + gone;
  const differ = rulesets === 1 ? 'differs from the files' : 'differ from the files';
  return `${counted(rulesets, 'ruleset')} of ${counted(changed, 'scope')} ${applied ? 'in the plan' : telling.kind === 'plan' ? 'to change' : differ}.`;
}

/** Renders the counts, the most important one first. */
export function tiles({ plan, scopes, telling }: PageModel): Part {
  const gravity = scopes.map((one) => timesCounts(one.counts, one.others.length + 1)).reduce(addCounts, NONE);
  const counts: readonly (readonly [number, string, string])[] = [
    ...graveParts(gravity, telling).map(([count, does]) => [count, does, 'lowers'] as const),
    ...COUNT_WORDS[telling.kind].map(([kind, word]) => [plan.summary.rules[kind], word, kind] as const),
  ];
  return html`<ul class="tiles" aria-label="Counts">
    ${counts
      .filter(([count]) => count > 0)
      .map(([count, word, look]) => html`<li class="${look}"><b>${count}</b> ${word}</li>`)}
  </ul>`;
}
