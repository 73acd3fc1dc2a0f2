import type { Drift } from '../../src/model/drift.ts';
import type { OutcomesDocument, Outcome, Plan, PlanDifference, Preflight } from '../../src/model/index.ts';
import type { Permission } from '../../src/model/guard.ts';
import type { Look, SourceLinks } from '../../src/report/index.ts';
import {
  differencesDocument,
  diagnosticsDocument,
  driftDocument,
  explanationDocument,
  importDocument,
  markdownPieces,
  outcomesDocument,
  planDocument,
  printHtml,
  printMarkdown,
  printText,
  testResultsDocument,
  unfinishedDocument,
  validationDocument,
  versionsDocument,
  wholeText,
} from '../../src/report/index.ts';

/** Joins a rendering to one text. */
export function whole(pieces: Iterable<string>): string {
  return [...pieces].join('');
}

type PlanLook = Look & {
  readonly allowed?: Permission;
  readonly against?: string;
  readonly preflight?: Preflight;
};

export function planPieces(plan: Plan, { allowed, against, preflight, ...look }: PlanLook): Iterable<string> {
  return printText(planDocument(plan, { allowed, against, preflight, detail: look.detail }), look);
}

export function planText(plan: Plan, look: PlanLook): string {
  return whole(planPieces(plan, look));
}

export function driftPieces(drift: Drift, look: Look): Iterable<string> {
  return printText(driftDocument(drift, { detail: look.detail }), look);
}

export function planMarkdown(
  plan: Plan,
  links: SourceLinks,
  beside: Parameters<typeof planDocument>[1] = {},
): string {
  return whole(printMarkdown(planDocument(plan, beside), links));
}

export function driftMarkdown(drift: Drift, links: SourceLinks): string {
  return whole(printMarkdown(driftDocument(drift), links));
}

export function planPage(plan: Plan, beside: Parameters<typeof planDocument>[1] = {}): Iterable<string> {
  return printHtml(planDocument(plan, beside));
}

export function driftPage(drift: Drift): Iterable<string> {
  return printHtml(driftDocument(drift));
}

export function outcomesPage(plan: Plan, outcomes: OutcomesDocument): Iterable<string> {
  return printHtml(outcomesDocument(outcomes, { plan }));
}

export function outcomesMarkdown(outcomes: OutcomesDocument): string {
  return whole(printMarkdown(outcomesDocument(outcomes)));
}

export function outcomesText(
  {
    next,
    ...outcomes
  }: Pick<OutcomesDocument, 'outcomes' | 'dryRun'> &
    Partial<OutcomesDocument> & { readonly next?: string | null },
  look: Look,
): string {
  const document: OutcomesDocument = {
    kind: 'outcomes',
    formatVersion: 1,
    result: 'done',
    plan: { digest: '', summary: NO_SUMMARY, scopes: 1 },
    preflight: { kind: 'not-wanted' },
    refusals: [],
    failedScopes: [],
    ...outcomes,
  } as OutcomesDocument;
  return wholeText(outcomesDocument(document, { next: next ?? null, detail: look.detail }), look);
}

const NO_SUMMARY = {
  rules: { add: 0, patch: 0, move: 0, delete: 0 },
  rulesets: { create: 0, update: 0, delete: 0 },
};

export function differencesText(
  differences: readonly PlanDifference[],
  look: Look,
  outcomes: readonly Outcome[] = [],
): string {
  return wholeText(differencesDocument(differences, outcomes, look.detail), look);
}

type Of<Make extends (...given: never[]) => unknown> = Parameters<Make>[0];

export const planBlocks = (plan: Plan, links: SourceLinks) => markdownPieces(planDocument(plan), links);

export const unfinishedText = (run: Of<typeof unfinishedDocument>, look: Look): string =>
  wholeText(unfinishedDocument(run, look.detail), look);

export const diagnosticsText = (found: Of<typeof diagnosticsDocument>, look: Look): string =>
  wholeText(diagnosticsDocument(found, { detail: look.detail }), look);

export const diagnosticsMarkdown = (found: Of<typeof validationDocument>, links: SourceLinks): string =>
  whole(printMarkdown(validationDocument(found), links));

export const importText = (summary: Of<typeof importDocument>, look: Look): string =>
  wholeText(
    importDocument(summary, {
      detail: look.detail,
      commands: {
        again: 'rulewright import',
        plan: 'rulewright plan',
        convert: (command, zone, file) => `${command} ${zone} --out ${file}`,
      },
    }),
    look,
  );

export const versionsText = (versions: Of<typeof versionsDocument>, look: Look): string =>
  wholeText(versionsDocument(versions), look);

export const explanationText = (way: Of<typeof explanationDocument>, look: Look): string =>
  wholeText(explanationDocument(way), look);

export const testResultsText = (
  report: Of<typeof testResultsDocument>,
  look: Look,
  how: { readonly failuresOnly: boolean },
): string => wholeText(testResultsDocument(report, how), look);
