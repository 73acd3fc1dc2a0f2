import { changesAnything } from '../../model/scope-plans.ts';
import type { Drift } from '../../model/drift.ts';
import type { Plan, PlannedScope } from '../../model/plan.ts';
import { readStepId } from '../../model/step-id.ts';
import { counted } from '../../model/count.ts';
import type { ToldNote } from '../notes.ts';
import { isWarning, noteRules, shownNotes, toldNotes } from '../notes.ts';
import { byGravity, driftGraves, gravityOf, planGraves } from '../lowering.ts';
import { inPieces, inTurn } from '../pieces.ts';
import { rulesetNames } from '../ruleset-names.ts';
import { driftSummary, planSummary } from '../summary.ts';
import { ALIKE, alikeCount, shownPlans } from '../alike-plans.ts';
import type { ShownPlan } from '../alike-plans.ts';
import type { BesidePlan } from '../beside-plan.ts';
import { driftAttention, planAttention } from '../attention.ts';
import { attentionBoxes, countBlocks } from './attention.ts';
import type { Block } from './block.ts';
import { blockTexts, fold, heading, list, paragraph, nameRows, scopeHeading } from './block.ts';
import { code, proseLines } from './escape-markdown.ts';
import { preflightBlocks } from './preflight-blocks.ts';
import type { MarkdownTelling } from './rule-block.ts';
import type { SourceLinks } from './source-links.ts';
import { causeLink } from './source-links.ts';
import { stepFold } from './step-fold.ts';
import { summaryTable } from './summary-table.ts';

/** Formats a plan as Markdown, for a pull request. */
export function planMarkdown(plan: Plan, links: SourceLinks, beside: BesidePlan = {}): Iterable<string> {
  return markdown(inTurn([heading('Rulewright plan')], planBlocks(plan, links, beside)));
}

/** Formats drift as Markdown, for an issue. */
export function driftMarkdown(drift: Drift, links: SourceLinks): Iterable<string> {
  return markdown(inTurn([heading('Rulewright drift')], driftBlocks(drift, links)));
}

/** Formats blocks one by one as they are written. */
function markdown(blocks: Iterable<Block>): Iterable<string> {
  return inPieces(inTurn(blockTexts(blocks), ['\n']));
}

/**
 * Yields what a plan changes: counts, what must not be overlooked, a table, the service's answers, then the scopes, gravest first, with
 * each ruleset in a fold. Everything before the scopes is enough to decide.
 */
export function* planBlocks(
  plan: Plan,
  links: SourceLinks,
  { preflight = null, moment }: BesidePlan = {},
): Iterable<Block> {
  const telling: MarkdownTelling = {
    kind: 'plan',
    links,
    graves: planGraves(plan),
    names: rulesetNames(plan),
  };
  const shown = gravestPlans(plan, telling);
  const items = planAttention(plan);
  yield paragraph(`**${planSummary(plan)}**`);
  yield* countBlocks(items);
  yield* attentionBoxes(items, { links, moment, of: plan.scopes.length });
  yield* summaryTable(shown, telling);
  yield* preflightBlocks(preflight);
  yield* scopeBlocks(shown, telling);
}

/** Yields how live differs from the files: the changes of the plan, seen from the other side. */
export function* driftBlocks(drift: Drift, links: SourceLinks): Iterable<Block> {
  const { plan, changes } = drift;
  const telling: MarkdownTelling = {
    kind: 'drift',
    links,
    graves: driftGraves(changes),
    names: rulesetNames(plan),
  };
  const shown = gravestPlans(plan, telling);
  const items = driftAttention(drift);
  yield paragraph(`**${driftSummary(plan)}**`);
  yield* countBlocks(items);
  yield* attentionBoxes(items, { links, of: plan.scopes.length });
  yield* summaryTable(shown, telling);
  if (changesAnything(plan)) {
    yield paragraph('In the differences below, `-` is what the files say and `+` is what is live.');
  }
  yield* scopeBlocks(shown, telling);
}

/** Returns the plans to show, gravest first; each plan is examined once for that. */
function gravestPlans({ scopes }: Plan, { graves }: MarkdownTelling): readonly ShownPlan[] {
  return shownPlans(scopes)
    .map((one) => ({ one, gravity: gravityOf(one.plan.steps, graves) }))
    .toSorted((a, b) => byGravity(a.gravity, b.gravity))
    .map(({ one }) => one);
}

function* scopeBlocks(shown: readonly ShownPlan[], telling: MarkdownTelling): Iterable<Block> {
  for (const { plan, others } of shown) {
    const { kind, name } = plan.scope;
    yield scopeHeading(`${kind} ${code(name)}${alikeCount(kind, others)}`, others.length + 1);
    yield* alikeBlocks(others.map(({ scope }) => scope.name));
    yield* plan.steps.map((step) => stepFold(step, telling));
    yield* notesFold(plan, telling.links);
  }
}

/** Returns the names of all scopes that are grouped with another one, in a fold when they are many. */
export function alikeBlocks(names: readonly string[]): readonly Block[] {
  const rows = nameRows(names.map(code));
  return rows.length > 1 ? fold(ALIKE, list(rows)) : rows.map((row) => paragraph(`${ALIKE}: ${row}`));
}

function notesFold(plan: PlannedScope, links: SourceLinks): readonly Block[] {
  const notes = shownNotes(plan);
  const warnings = notes.filter(({ kind }) => isWarning(kind)).length;
  const counts = [
    ...(warnings === 0 ? [] : [`⚠️ ${counted(warnings, 'warning')}`]),
    ...(warnings === notes.length ? [] : [counted(notes.length - warnings, 'note')]),
  ];
  return fold(counts.join(', '), list(toldNotes(notes).map((note) => noteItem(note, links))));
}

function noteItem(told: ToldNote, links: SourceLinks): string {
  const { kind, step, message, cause } = told.note;
  const about = noteRules(told, code);
  return [
    `${isWarning(kind) ? '⚠️ ' : ''}${about === '' ? '' : `${about} in `}${code(readStepId(step).ruleset)}`,
    ...(cause === undefined || told.rules.length > 0 ? [] : [causeLink(cause, links)]),
    proseLines(message),
  ].join(' · ');
}
