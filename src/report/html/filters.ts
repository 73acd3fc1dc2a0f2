import { html } from 'hono/html';
import type { RuleChange } from '../../model/change.ts';
import { KIND_WORDS } from '../telling.ts';
import type { PageModel } from './page-model.ts';
import { anchorOf } from './page-model.ts';
import type { Part } from './text.ts';
import { safe } from './text.ts';

const KINDS: readonly RuleChange['kind'][] = ['add', 'patch', 'move', 'delete'];

/** What narrows the page to some changes. Hidden until the script, which does the work, has shown it. */
export function filters({ telling, shown, listed }: PageModel): Part | null {
  const present = new Set([...listed].map(({ kind }) => kind));
  if (listed.size < 2) {
    return null;
  }
  const lowers = telling.kind === 'plan' ? 'weakening only' : 'weaker live only';
  return html`<form id="filters" class="filters" hidden aria-label="Show only some changes">
    <fieldset>
      <legend>Kinds of changes</legend>
      ${KINDS.filter((kind) => present.has(kind)).map(
        (kind) =>
          html`<label
            ><input type="checkbox" name="kind" value="${kind}" checked />
            ${KIND_WORDS[telling.kind][kind]}</label
          >`,
      )}
    </fieldset>
    <label><input type="checkbox" name="lowers" /> ${lowers}</label>
    ${
      shown.length < 2
        ? ''
        : html`<label
            >scope
            <select name="scope">
              <option value="">all</option>
              ${shown.map(({ plan, others }, index) =>
                [plan, ...others].map(
                  ({ scope }) => html`<option value="${anchorOf(index)}">${safe(scope.name)}</option>`,
                ),
              )}
            </select></label
          >`
    }
    <label>find <input type="search" name="text" placeholder="rule, field, value" /></label>
    <button type="reset">Show all</button>
    <output aria-live="polite"></output>
  </form>`;
}
