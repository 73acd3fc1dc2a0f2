import { html } from 'hono/html';
import { alikeMessage, scopeNames } from '../alike-scopes.ts';
import { nameOf } from '../without-name.ts';
import { isGrave } from '../attention.ts';
import { counted } from '../../model/count.ts';
import type { FindingGroup, ShownFinding } from './page-findings.ts';
import type { PageModel } from './page-model.ts';
import type { Part } from './text.ts';
import { message, safe } from './text.ts';

/** Renders the findings, which come above everything else. */
export function findingsSection(groups: readonly FindingGroup[], { applied }: PageModel): Part | null {
  return groups.length === 0
    ? null
    : html`<section class="findings" aria-labelledby="findings">
        <h2 id="findings">${applied ? 'What the guards found' : 'Findings'}</h2>
        ${groups.map(group)}
      </section>`;
}

function group({ title, level, shown, more }: FindingGroup): Part {
  return html`<h3>${title}</h3>
    <ul class="${isGrave({ level }) ? 'refuse' : 'warn'}">
      ${shown.map(item)}
      ${more === 0 ? '' : html`<li class="quiet">${counted(more, 'more finding')}, at the rules below</li>`}
    </ul>`;
}

function item({ alike, anchor, places }: ShownFinding): Part {
  const { kind } = alike.item;
  const [place] = places.values();
  const label = html`<b>${kind}</b>`;
  return html`<li id="${anchor}">
    ${place === undefined ? label : html`<a href="#${place}">${label}</a>`} ${message(alikeMessage(alike))}
    ${alike.scopes.length === 0 ? '' : scopesOf(alike.scopes, places)}
  </li>`;
}

/** The number of scopes named in a finding; the others are at their rules. */
const MOST_NAMES = 200;

/** Renders all scopes of a grouped finding, folded. */
function scopesOf(labels: readonly string[], places: ReadonlyMap<string, string>): Part {
  const more = labels.length - MOST_NAMES;
  return html`<details class="names">
    <summary>${scopeNames(labels, safe)}</summary>
    <p>
      ${labels.slice(0, MOST_NAMES).map((label, index) => {
        const place = places.get(label);
        const name = safe(nameOf(label));
        return html`${index === 0 ? '' : ', '}${place === undefined ? name : html`<a href="#${place}">${name}</a>`}`;
      })}${more > 0 ? ` and ${more} more` : ''}
    </p>
  </details>`;
}
