import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type {
  Drift,
  ListStep,
  Plan,
  PlannedScope,
  OutcomesDocument,
  Preflight,
  ReplayDocument,
} from '../../model/index.ts';
import { changesAnything, failedScopes } from '../../model/index.ts';
import { countScopes, alikeCount, ALIKE } from '../alike-plans.ts';
import type { BesidePlan } from '../beside-plan.ts';
import { counted } from '../../text/index.ts';
import { groupFailed, driftSummary, planSummary } from '../summary.ts';
import { driftGraves, planGraves, graveCounts, graveParts } from '../severity.ts';
import { inPieces } from '../pieces.ts';
import { listCounts, listKindText, listStateText, listStepCounts, toldItems } from '../list-changes.ts';
import { DRIFT, PLAN, COUNT_WORDS, SYMBOLS } from '../telling.ts';
import { driftAttention, planAttention, isGrave, attentionCounts } from '../attention.ts';
import { blastRadius } from '../text/replay.ts';
import { preflightLines, preflightSummary, weighPreflight } from '../text/preflight.ts';
import { shownNotes } from '../notes.ts';
import { alikeMessage, scopeNames } from '../alike-scopes.ts';
import { nameOf } from '../without-name.ts';
import { filters } from './filters.ts';
import { outcomesSection } from './outcomes-section.ts';
import {
  backLinks,
  pageFindings,
  pageModel,
  scopeModel,
  NONE,
  addCounts,
  timesCounts,
} from './page-model.ts';
import type { PageModel, Section, ScopeModel, FindingGroup, ShownFinding } from './page-model.ts';
import { pipeline } from './pipeline.ts';
import type { HtmlPart } from './text.ts';
import { around, message, safe, linesHtml, partText } from './text.ts';
import { notesList, rulesetSection } from './ruleset-section.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** Renders the findings, which come above everything else. */
function findingsSection(groups: readonly FindingGroup[], { applied }: PageModel): HtmlPart | null {
  return groups.length === 0
    ? null
    : html`<section class="findings" aria-labelledby="findings">
        <h2 id="findings">${applied ? 'What the guards found' : 'Findings'}</h2>
        ${groups.map(group)}
      </section>`;
}

function group({ title, level, shown, more }: FindingGroup): HtmlPart {
  return html`<h3>${title}</h3>
    <ul class="${isGrave({ level }) ? 'refuse' : 'warn'}">
      ${shown.map(item)}
      ${more === 0 ? '' : html`<li class="quiet">${counted(more, 'more finding')}, at the rules below</li>`}
    </ul>`;
}

function item({ alike, anchor, places }: ShownFinding): HtmlPart {
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
function scopesOf(labels: readonly string[], places: ReadonlyMap<string, string>): HtmlPart {
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

/** Up to this many scopes the index is unfolded. */
const FEW = 12;

/** Renders an index of all scopes with the counts of their changes; null for a single scope. */
function scopeIndex({ sections, telling }: PageModel): HtmlPart | null {
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

function row({ plan: { scope }, others, anchor, counts }: Section, telling: PageModel['telling']): HtmlPart {
  const { steps, changes, grave } = counts;
  return html`<li>
    <a href="#${anchor}">${safe(scope.name)}</a>
    <span
      >${scope.kind}${alikeCount(scope.kind, others)}${steps === 0 ? '' : ` · ${changes === 0 ? counted(steps, 'ruleset') : counted(changes, 'change')}`}</span
    >
    ${grave === 0 ? '' : html`<span class="lowers">${graveCounts(counts, telling).join(', ')}</span>`}
  </li>`;
}

/** The width for which lines are laid out; the page wraps them as needed. */
const WIDTH = 100;

/** The number of steps for which the service's answer is shown, trouble first. */
const MOST = 100;

/** Renders the service's answers to the writes of a plan; null when it was not asked. */
function preflightSection(preflight: Preflight | null): HtmlPart | null {
  if (preflight === null || preflight.steps.length === 0) {
    return null;
  }
  const { error, warning, good } = weighPreflight(preflight);
  const steps = [...error, ...warning, ...good];
  const more = steps.length - MOST;
  return html`<section class="outcomes" aria-labelledby="preflight">
    <h2 id="preflight">What the service says to these writes</h2>
    <p class="verdict">${preflightSummary(steps)}</p>
    ${linesHtml(steps.slice(0, MOST).flatMap((step) => preflightLines(step, WIDTH)))}
    ${more > 0 ? html`<p class="quiet">${counted(more, 'more step')}: the plan as JSON has all.</p>` : ''}
  </section>`;
}

/** Renders what stands beside a plan; null when nothing does. */
function besideSections(preflight: Preflight | null, replay: ReplayDocument | null): HtmlPart | null {
  const sections = [preflightSection(preflight), replaySection(replay)].filter((section) => section !== null);
  return sections.length === 0 ? null : html`${sections}`;
}

/** Renders what the plan would have done to recorded requests; null when none were replayed. */
function replaySection(replay: ReplayDocument | null): HtmlPart | null {
  if (replay === null) {
    return null;
  }
  const { summary, lines, rules } = blastRadius(replay);
  return html`<section class="outcomes" aria-labelledby="blast-radius">
    <h2 id="blast-radius">Blast radius</h2>
    <p class="verdict">${summary}</p>
    ${linesHtml([...lines, ...rules])}
  </section>`;
}

/**
 * Renders a plan as a page in one file, for reviewers. Equal plans give equal bytes. The page is produced scope by scope as it is written.
 */
export function planPage(
  plan: Plan,
  { preflight = null, replay = null, moment }: BesidePlan = {},
): Iterable<string> {
  const items = planAttention(plan);
  return pageOf(
    'Plan',
    pageModel(plan, { telling: PLAN, graves: planGraves(plan), items, moment }),
    planSummary(plan),
    besideSections(preflight, replay),
  );
}

/** Renders drift as a page in one file. */
export function driftPage(drift: Drift): Iterable<string> {
  const { plan, changes } = drift;
  return pageOf(
    'Drift',
    pageModel(plan, {
      telling: DRIFT,
      graves: driftGraves(changes),
      items: driftAttention(drift),
    }),
    driftSummary(plan),
  );
}

/** Renders the result of an apply, and the plan that it carried out, as a page in one file. */
export function outcomesPage(plan: Plan, document: OutcomesDocument): Iterable<string> {
  return pageOf(
    document.dryRun ? 'Dry run' : 'Apply',
    pageModel(plan, {
      telling: PLAN,
      graves: planGraves(plan),
      items: planAttention(plan),
      outcomes: document.outcomes,
    }),
    planSummary(plan),
    outcomesSection(document),
  );
}

function pageOf(
  what: string,
  model: PageModel,
  summary: string,
  said: HtmlPart | null = null,
): Iterable<string> {
  const { plan, scopes, sections } = model;
  const findings = pageFindings(model);
  const changes = changesAnything(plan);
  const leftOut = countScopes(scopes) - countScopes(sections);
  const body = around(
    (inside) =>
      html`<a class="skip" href="#changes">Skip to the changes</a>
        <header class="top">
          <h1>${what} <small>${safe(plan.baseUrl)}</small></h1>
          <p class="verdict">${verdict(model, summary)}</p>
          ${changes ? tiles(model) : ''}
        </header>
        <div class="${changes ? 'layout' : 'layout alone'}">
          ${changes ? pipeline(model) : ''}
          <main id="changes">
            ${said} ${failedSection(plan)} ${findingsSection(findings, model)} ${scopeIndex(model)}
            ${filters(model)} ${inside}
            ${leftOut === 0 ? '' : html`<p class="quiet">${counted(leftOut, 'more scope')}: the plan as JSON has all.</p>`}
          </main>
        </div>
        <footer>
          Rules stand in the order in which they are evaluated. Plan digest:
          <code>${plan.digest.slice(0, 16)}</code>
        </footer>`,
    sectionTexts(model, backLinks(findings)),
  );
  return inPieces(page({ title: `${what} · ${safe(plan.baseUrl)}`, body }));
}

/** Renders section by section, so that only the steps of one section are in memory. */
function* sectionTexts(model: PageModel, found: ScopeModel['found']): Iterable<string> {
  for (const section of model.sections) {
    yield* scopeSection(section, scopeModel(section, model, found));
  }
}

/** Renders the scopes that could not be planned, by reason. */
function failedSection({ scopes }: Plan): HtmlPart | null {
  const failed = groupFailed(failedScopes(scopes));
  if (failed.length === 0) {
    return null;
  }
  return html`<section class="failed" aria-labelledby="failed">
    <h2 id="failed">Could not be planned</h2>
    <ul>
      ${failed.map(
        ({ scopes: members, error }) =>
          html`<li>
            <b
              >${safe(
                members
                  .slice(0, 10)
                  .map(({ name }) => name)
                  .join(', '),
              )}${members.length > 10 ? ` and ${members.length - 10} more` : ''}</b
            >
            <code>${safe(error.code)}</code> ${message(error.message)}${
              error.hint === undefined ? '' : html` ${message(error.hint)}`
            }
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Renders the extent of the changes, and how much of it needs attention. */
function verdict(model: PageModel, summary: string): HtmlPart {
  const counts = model.applied ? null : attentionCounts(model.items, { where: 'top' });
  return html`${changesAnything(model.plan) ? reach(model) : summary}${counts === null ? '' : html` <span class="counts">${counts}</span>`}`;
}

function reach({ plan, scopes, telling, applied }: PageModel): string {
  const { create, update, delete: gone } = plan.summary.rulesets;
  const changed = countScopes(scopes.filter(({ rulesets }) => rulesets.length > 0));
  const rulesets = create + update + gone;
  const differ = rulesets === 1 ? 'differs from the files' : 'differ from the files';
  const lists = listCounts(plan.summary.lists, telling.kind);
  return `${counted(rulesets, 'ruleset')} of ${counted(changed, 'scope')} ${applied ? 'in the plan' : telling.kind === 'plan' ? 'to change' : differ}.${lists === '' ? '' : ` ${lists}.`}`;
}

/** Renders the counts, the most important one first. */
function tiles({ plan, scopes, telling }: PageModel): HtmlPart {
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

/** Renders a scope with its rulesets, which are produced one after the other. */
function scopeSection({ plan, others, anchor, rulesets }: Section, model: ScopeModel): Iterable<string> {
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
        ${alikeDetails(others)} ${listSections(plan, 'first', model)} ${inside}
        ${listSections(plan, 'last', model)}
        ${more === 0 ? '' : html`<p class="quiet">${counted(more, 'more ruleset')}: the plan as JSON has all.</p>`}
        ${notesList(shownNotes(plan).filter((note) => !ids.has(note.step)))}
      </section>`,
    rulesetTexts(model),
  );
}

/** Renders the lists whose turn comes before the rulesets, or after them. */
function listSections(
  { objects = [] }: PlannedScope,
  turn: ListStep['turn'],
  { telling: { kind } }: ScopeModel,
): HtmlPart | null {
  const lists = objects.filter((step) => step.turn === turn);
  return lists.length === 0
    ? null
    : html`${lists.map((step) => {
        const { items, more } = toldItems(step, kind);
        const { protection, description, target } = step;
        const state = listStateText(step, kind);
        return html`<section class="ruleset">
          <h3>
            <b>${safe(target.name)}</b>
            <small
              >${listKindText(step)}${state === '' ? '' : ` · ${state}`} ·
              ${listStepCounts(step, kind)}</small
            >
          </h3>
          ${protection.kind === 'weakening' && kind === 'plan' ? html`<p class="lowers">weakens: ${safe(protection.reason)}</p>` : ''}
          ${description === undefined ? '' : html`<p>description: ${safe(description.before)} → ${safe(description.after)}</p>`}
          <ul>
            ${items.map((item) => html`<li class="${item.kind}">${SYMBOLS[kind][item.kind].sign} <code>${safe(item.text)}</code></li>`)}
          </ul>
          ${more === null ? '' : html`<p class="quiet">${more}: the plan as JSON has all.</p>`}
        </section>`;
      })}`;
}

function* rulesetTexts(model: ScopeModel): Iterable<string> {
  for (const step of model.steps) {
    yield partText(rulesetSection(step, model));
  }
}

/** Renders the names of all scopes that are grouped with another one. */
function alikeDetails(others: readonly PlannedScope[]): HtmlPart | null {
  return others.length === 0
    ? null
    : html`<details class="alike">
        <summary>${ALIKE}</summary>
        <p data-name>${safe(others.map(({ scope }) => scope.name).join(', '))}</p>
      </details>`;
}

/** The content of a page. */
interface PageContent {
  readonly title: string;
  /** The markup, in pieces that are produced on demand. */
  readonly body: Iterable<string>;
}

/**
 * Renders a page in one file. Its content security policy allows this style sheet and this script by their hashes and nothing else: even
 * injected markup could not load, run or send anything.
 */
function* page({ title, body }: PageContent): Iterable<string> {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield* around(
    (inside) =>
      html`<!DOCTYPE html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta http-equiv="Content-Security-Policy" content="${policy}" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="referrer" content="no-referrer" />
            <link rel="icon" href="data:," />
            <title>${title}</title>
            ${raw(`<style>${STYLE}</style>`)}
          </head>
          <body>
            ${inside} ${raw(`<script>${SCRIPT}</script>`)}
          </body>
        </html> `,
    body,
  );
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
