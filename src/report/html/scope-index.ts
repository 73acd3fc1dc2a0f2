import { html } from 'hono/html';
import { alikeCount, countScopes } from '../alike-plans.ts';
import { counted } from '../../model/count.ts';
import { graveCounts } from '../lowering.ts';
import type { PageModel, Section } from './page-model.ts';
import type { Part } from './text.ts';
import { safe } from './text.ts';

/** Up to this many scopes the index is unfolded. */
const FEW = 12;

/** Renders an index of all scopes with the counts of their changes; null for a single scope. */
export function scopeIndex({ sections, telling }: PageModel): Part | null {
  if (sections.length < 2) {
    return null;
  }
  const grave = sections.some(({ counts }) => counts.grave > 0);
  return html`<details class="index" ${sections.length <= FEW ? html` open` : ''}>
    <summary>${counted(countScopes(sections), 'scope')} at a glance${grave ? ', worst first' : ''}</summary>
    <ol>
      ${sections.map((section) => row(section, telling))}
    </ol>
  </details>`;
}

function row({ plan: { scope }, others, anchor, counts }: Section, telling: PageModel['telling']): Part {
  const { steps, changes, grave } = counts;
  return html`<li>
    <a href="#${anchor}">${safe(scope.name)}</a>
    <span
      >${scope.kind}${alikeCount(scope.kind, others)}${steps === 0 ? '' : ` · ${changes === 0 ? counted(steps, 'ruleset') : counted(changes, 'change')}`}</span
    >
    ${grave === 0 ? '' : html`<span class="lowers">${graveCounts(counts, telling).join(', ')}</span>`}
  </li>`;
}
