import { html } from 'hono/html';
import { alikeCount, countScopes } from '../alike-plans.ts';
import { counted } from '../count.ts';
import { loweringWord } from '../lowering.ts';
import type { PageModel, Section } from './page-model.ts';
import type { Part } from './text.ts';
import { safe } from './text.ts';

/** Up to so many scopes stand open; more are a fold. */
const FEW = 12;

const FIRST = {
  plan: 'those that weaken most first',
  drift: 'those that are weakest live first',
} as const;

/** All scopes with what changes in each, those first that lower protection: the way to one of many. */
export function scopeIndex({ sections, telling }: PageModel): Part | null {
  if (sections.length < 2) {
    return null;
  }
  const lowering = sections.some(({ counts }) => counts.lowering > 0);
  const sorted = sections.toSorted((a, b) => b.counts.lowering - a.counts.lowering);
  return html`<details class="index" ${sections.length <= FEW ? html` open` : ''}>
    <summary>
      ${counted(countScopes(sections), 'scope')} at a glance${lowering ? `, ${FIRST[telling.kind]}` : ''}
    </summary>
    <ol>
      ${sorted.map((section) => row(section, telling))}
    </ol>
  </details>`;
}

function row({ plan: { scope }, others, anchor, counts }: Section, telling: PageModel['telling']): Part {
  const { steps, changes, lowering } = counts;
  return html`<li>
    <a href="#${anchor}">${safe(scope.name)}</a>
    <span
      >${scope.kind}${alikeCount(scope.kind, others)}${steps === 0 ? '' : ` · ${changes === 0 ? counted(steps, 'ruleset') : counted(changes, 'change')}`}</span
    >
    ${lowering === 0 ? '' : html`<span class="lowers">${lowering} ${loweringWord(lowering, telling)}</span>`}
  </li>`;
}
