import { html } from 'hono/html';
import type { PlannedScope } from '../../model/plan.ts';
import { ALIKE, alikeCount } from '../alike-plans.ts';
import { counted } from '../../model/count.ts';
import { shownNotes } from '../notes.ts';
import type { Section } from './page-model.ts';
import { notesList, rulesetSection } from './ruleset-section.ts';
import type { ScopeModel } from './scope-model.ts';
import type { Part } from './text.ts';
import { around, partText, safe } from './text.ts';

/** Renders a scope with its rulesets, which are produced one after the other. */
export function scopeSection(
  { plan, others, anchor, rulesets }: Section,
  model: ScopeModel,
): Iterable<string> {
  const { scope } = plan;
  const more = rulesets.length - model.steps.length;
  const ids = new Set(rulesets.map(({ id }) => id));
  return around(
    (inside) =>
      html`<section class="scope" aria-labelledby="${anchor}" data-scope="${anchor}" data-group>
        <h2 id="${anchor}">
          <span data-name>${safe(scope.name)}</span>
          <small>${scope.kind}${alikeCount(scope.kind, others)}</small>
        </h2>
        ${alikeDetails(others)} ${inside}
        ${more === 0 ? '' : html`<p class="quiet">${counted(more, 'more ruleset')}: the plan as JSON has all.</p>`}
        ${notesList(shownNotes(plan).filter((note) => !ids.has(note.step)))}
      </section>`,
    rulesetTexts(model),
  );
}

function* rulesetTexts(model: ScopeModel): Iterable<string> {
  for (const step of model.steps) {
    yield partText(rulesetSection(step, model));
  }
}

/** Renders the names of all scopes that are grouped with another one. */
function alikeDetails(others: readonly PlannedScope[]): Part | null {
  return others.length === 0
    ? null
    : html`<details class="alike">
        <summary>${ALIKE}</summary>
        <p data-name>${safe(others.map(({ scope }) => scope.name).join(', '))}</p>
      </details>`;
}
