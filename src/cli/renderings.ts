import { repositoryFolder } from '../app/index.ts';
import type { FileFindings, Selection } from '../app/index.ts';
import type { Drift, Plan, OutcomesDocument } from '../model/index.ts';
import type { ApplyAct, BesidePlan, SourceLinks } from '../report/index.ts';
import { driftJson } from '../report/index.ts';
import type { CliContext } from './context.ts';
import type { BasicFormat, PlanFormat, ValidationFormat } from './formats.ts';
import type { Result } from './result.ts';

/** The formats of a result other than JSON, each of which loads its code when it is needed. */
type Renderings<F extends string> = Omit<Result<Extract<F, PlanFormat | ValidationFormat>>, BasicFormat>;

/** Renders a plan in its formats. */
export function planRenderings(
  plan: Plan,
  selection: Selection,
  { env, ...beside }: Pick<CliContext, 'env'> & BesidePlan,
): Renderings<PlanFormat> {
  return {
    document: async (detail) =>
      (await import('../report/index.ts')).planDocument(plan, { ...beside, detail }),
    links: () => linksFor(selection, env),
    github: async () => {
      const { planAnnotations } = await import('../report/index.ts');
      return planAnnotations(plan, await repositoryFolder(selection), beside);
    },
  };
}

/** Renders drift, which is a plan read the other way, in all of its formats. */
export function driftResult(
  drift: Drift,
  selection: Selection,
  { env, clock }: Pick<CliContext, 'env' | 'clock'>,
): Result<PlanFormat> {
  return {
    document: async (detail) =>
      (await import('../report/index.ts')).driftDocument(drift, { detail, now: clock.now() }),
    links: () => linksFor(selection, env),
    json: () => driftJson(drift),
    github: async () => {
      const { driftAnnotations } = await import('../report/index.ts');
      return driftAnnotations(drift, await repositoryFolder(selection));
    },
  };
}

/** Renders the outcomes of an apply in their formats. */
export function outcomesRenderings(
  plan: Plan,
  outcomes: OutcomesDocument,
  { selection, act }: { readonly selection: Selection; readonly act: ApplyAct | undefined },
): Renderings<PlanFormat> {
  return {
    document: async (detail) =>
      (await import('../report/index.ts')).outcomesDocument(outcomes, { act, plan, detail }),
    github: async () => {
      const { outcomesAnnotations } = await import('../report/index.ts');
      return outcomesAnnotations(plan, outcomes, await repositoryFolder(selection));
    },
  };
}

/** Renders findings about the files in their formats. */
export function findingsRenderings(
  findings: FileFindings,
  selection: Selection,
  { env, version }: Pick<CliContext, 'env' | 'version'>,
): Omit<Renderings<ValidationFormat>, 'document'> {
  return {
    links: () => linksFor(selection, env),
    sarif: async () => {
      const { diagnosticsSarif } = await import('../report/index.ts');
      const { codeHelp } = await import('../app/index.ts');
      const folder = await repositoryFolder(selection);
      return diagnosticsSarif(findings, { version: version(), folder, help: codeHelp });
    },
    junit: async () => (await import('../report/index.ts')).diagnosticsJunit(findings),
    github: async () => {
      const { diagnosticsAnnotations } = await import('../report/index.ts');
      return diagnosticsAnnotations(findings.diagnostics, await repositoryFolder(selection));
    },
  };
}

/** Returns links to the project's files on the forge that runs this process; null when no forge does. */
async function linksFor(selection: Selection, env: CliContext['env']): Promise<SourceLinks> {
  const { sourceLinks } = await import('../app/index.ts');
  return sourceLinks(env, selection);
}
