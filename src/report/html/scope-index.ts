import { html } from 'hono/html';
import { alikeCount, countScopes } from '../alike-plans.ts';
import { counted } from '../../model/count.ts';
import { graveCounts } from '../lowering.ts';
import type { PageModel, Section } from './page-model.ts';
import type { Part } from './text.ts';
import { safe } from './text.ts';

/** Up to so many scopes stand open; more are a fold. */
const FEW = 12;

/** All scopes with what changes in each: the way to one of many. */
export function scopeIndex({ sections, telling }: PageModel): Part | null {
  if (sections.length < 2) {
    return null;
  }
  const grave = sections.some(({ counts }) => counts.grave > 0);
  return html`<details class="index" ${sections.length <= FEW ? html` open` : ''}>
    <summary>
      ${counted(countScopes(sections), 'scope')} at a glance${grave ? ', the gravest first' : ''}
    </summary>
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
