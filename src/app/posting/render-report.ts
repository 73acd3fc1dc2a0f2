import { assertNever } from '../../data/index.ts';
import type { RenderedReport } from '../../forge/index.ts';
import {
  driftDocument,
  errorReport,
  markdownPieces,
  outcomesDocument,
  planDocument,
  validationDocument,
} from '../../report/index.ts';
import type { Document, SourceLinks } from '../../report/index.ts';
import { driftOf } from '../planning/drift-of.ts';
import type { ResultReport } from './result-document.ts';

/**
 * Renders a result for a comment, an issue or a step summary; `subject` is the command in the title of a result that is neither
 * plan, drift nor outcomes. `now` is in milliseconds since 1970.
 */
export function renderReport(
  report: ResultReport,
  links: SourceLinks,
  { subject = 'plan', now }: { readonly subject?: 'plan' | 'apply'; readonly now?: number } = {},
): RenderedReport {
  const { title, ...document } = documentOf(report, now);
  const isNamed = report.kind === 'plan' || report.kind === 'drift' || report.kind === 'outcomes';
  return {
    title: isNamed ? title : `Rulewright ${subject}`,
    blocks: [...markdownPieces({ title, ...document }, links)],
    digest:
      report.kind === 'plan' || report.kind === 'drift' || report.kind === 'outcomes'
        ? report.plan.digest
        : null,
  };
}

function documentOf(report: ResultReport, now: number | undefined): Document {
  switch (report.kind) {
    case 'plan':
      return planDocument(report.plan, { preflight: report.preflight });
    case 'drift':
      return driftDocument(driftOf(report.plan, { ...report, now }), { now });
    case 'outcomes':
      return outcomesDocument(report);
    case 'validation':
      return validationDocument(report);
    case 'error':
      return errorReport(report.error);
    default:
      return assertNever(report);
  }
}
