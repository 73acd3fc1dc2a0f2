import { repositoryFolder } from '../app/project/repository-folder.ts';
import type { FileFindings } from '../app/run/results.ts';
import type { Selection } from '../app/project/selection.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Drift } from '../model/drift.ts';
import type { Plan } from '../model/plan.ts';
import type { OutcomesDocument } from '../model/result-documents.ts';
import type { BesidePlan } from '../report/beside-plan.ts';
import { driftDocument } from '../report/json-documents.ts';
import type { SourceLinks } from '../report/markdown/block.ts';
import type { CliContext } from './context.ts';
import type { BasicFormat, PlanFormat, ValidationFormat } from './formats.ts';
import type { Result } from './result.ts';

/** The formats of a result other than text and JSON, each of which loads its code when it is needed. */
type Renderings<F extends string> = Omit<Result<Extract<F, PlanFormat | ValidationFormat>>, BasicFormat>;

/** Renders a plan in its formats. */
export function planRenderings(
  plan: Plan,
  selection: Selection,
  { env, ...beside }: Pick<CliContext, 'env'> & BesidePlan,
): Renderings<PlanFormat> {
  return {
    markdown: async () => {
      const { planMarkdown } = await import('../report/markdown/plan-markdown.ts');
      return planMarkdown(plan, await linksFor(selection, env), beside);
    },
    html: async () => (await import('../report/html/plan-page.ts')).planPage(plan, beside),
    github: async () => {
      const { planAnnotations } = await import('../report/annotations/plan-annotations.ts');
      return planAnnotations(plan, await repositoryFolder(selection), beside);
    },
  };
}

/** Renders drift, which is a plan read the other way, in all of its formats. */
export function driftResult(
  drift: Drift,
  selection: Selection,
  { env }: Pick<CliContext, 'env'>,
): Result<PlanFormat> {
  return {
    text: async (look) => (await import('../report/text/plan.ts')).driftPieces(drift, look),
    json: () => driftDocument(drift),
    markdown: async () => {
      const { driftMarkdown } = await import('../report/markdown/plan-markdown.ts');
      return driftMarkdown(drift, await linksFor(selection, env));
    },
    html: async () => (await import('../report/html/plan-page.ts')).driftPage(drift),
    github: async () => {
      const { driftAnnotations } = await import('../report/annotations/plan-annotations.ts');
      return driftAnnotations(drift, await repositoryFolder(selection));
    },
  };
}

/** Renders the outcomes of an apply in their formats. */
export function outcomesRenderings(
  plan: Plan,
  document: OutcomesDocument,
  selection: Selection,
): Renderings<PlanFormat> {
  return {
    markdown: async () =>
      (await import('../report/markdown/outcomes-markdown.ts')).outcomesMarkdown(document),
    html: async () => (await import('../report/html/plan-page.ts')).outcomesPage(plan, document),
    github: async () => {
      const { outcomesAnnotations } = await import('../report/annotations/outcomes-annotations.ts');
      return outcomesAnnotations(plan, document, await repositoryFolder(selection));
    },
  };
}

/** Renders findings about the files in their formats. */
export function findingsRenderings(
  findings: FileFindings,
  selection: Selection,
  { env, version }: Pick<CliContext, 'env' | 'version'>,
): Renderings<ValidationFormat> {
  return {
    markdown: async () => {
      const { diagnosticsMarkdown } = await import('../report/markdown/diagnostics-markdown.ts');
      const valid = !hasErrors(findings.diagnostics);
      return diagnosticsMarkdown({ ...findings, valid }, await linksFor(selection, env));
    },
    sarif: async () => {
      const { diagnosticsSarif } = await import('../report/documents/sarif.ts');
      const { codeHelp } = await import('../app/code-help.ts');
      const folder = await repositoryFolder(selection);
      return diagnosticsSarif(findings, { version: version(), folder, help: codeHelp });
    },
    junit: async () => (await import('../report/documents/junit.ts')).diagnosticsJunit(findings),
    github: async () => {
      const { diagnosticsAnnotations } = await import('../report/annotations/diagnostics-annotations.ts');
      return diagnosticsAnnotations(findings.diagnostics, await repositoryFolder(selection));
    },
  };
}

/** Returns links to the project's files on the forge that runs this process; null when no forge does. */
async function linksFor(selection: Selection, env: CliContext['env']): Promise<SourceLinks> {
  const { sourceLinks } = await import('../app/posting/forge-run.ts');
  return sourceLinks(env, selection);
}
