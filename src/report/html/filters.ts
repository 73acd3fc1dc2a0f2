import { html } from 'hono/html';
import type { RuleChange } from '../../model/index.ts';
import { KIND_WORDS } from '../telling.ts';
import type { PageModel } from './page-model.ts';
import type { HtmlPart } from './text.ts';
import { safe } from './text.ts';

const KINDS: readonly RuleChange['kind'][] = ['add', 'patch', 'move', 'delete'];

/** Renders the form that filters the changes of the page. It is hidden until the script, which implements it, shows it. */
export function filters({ plan, telling, sections, total }: PageModel): HtmlPart | null {
  const { rules } = plan.summary;
  if (total.changes < 2) {
    return null;
  }
  const lowers = telling.kind === 'plan' ? 'weakens' : 'is weaker live';
  return html`<form id="filters" class="filters" hidden aria-label="Show only some changes">
    <fieldset>
      <legend>Kinds of changes</legend>
      ${KINDS.filter((kind) => rules[kind] > 0).map(
        (kind) =>
          html`<label
            ><input type="checkbox" name="kind" value="${kind}" checked />
            ${KIND_WORDS[telling.kind][kind]}</label
          >`,
      )}
    </fieldset>
    <label><input type="checkbox" name="lowers" /> only what ${lowers} or affects every request</label>
    ${
      sections.length < 2
        ? ''
        : html`<label
            >scope
            <select name="scope">
              <option value="">all</option>
              ${sections.map(({ plan: first, others, anchor }) =>
                [first, ...others].map(
                  ({ scope }) => html`<option value="${anchor}">${safe(scope.name)}</option>`,
                ),
              )}
            </select></label
          >`
    }
    <label
      >find
      <input
        type="search"
        name="text"
        placeholder="${sections.length < 2 ? 'rule, field, value' : 'zone, rule, field, value'}"
    /></label>
    <button type="reset">Show all</button>
    <button type="button" name="fold" aria-pressed="false">Fold all</button>
    <output aria-live="polite"></output>
  </form>`;
}
