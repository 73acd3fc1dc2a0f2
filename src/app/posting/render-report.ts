import type { RenderedReport } from '../../forge/index.ts';
import { assertNever } from '../../data/index.ts';
import {
  box,
  diagnosticBlocks,
  code,
  proseLines,
  outcomesBlocks,
  driftBlocks,
  planBlocks,
} from '../../report/index.ts';
import type { SourceLinks } from '../../report/index.ts';
import { driftOf } from '../planning/drift.ts';
import type { ResultReport } from './result-document.ts';

/**
 * Renders a result for a comment, an issue or a step summary; `subject` is the command in the title of a result that is neither
 * plan, drift nor outcomes.
 */
export function renderReport(
  report: ResultReport,
  links: SourceLinks,
  subject: 'plan' | 'apply' = 'plan',
): RenderedReport {
  const title = `Rulewright ${subject}`;
  switch (report.kind) {
    case 'plan':
      return {
        title: 'Rulewright plan',
        blocks: [...planBlocks(report.plan, links, { preflight: report.preflight, replay: report.replay })],
        digest: report.plan.digest,
      };
    case 'drift':
      return {
        title: 'Rulewright drift',
        blocks: [...driftBlocks(driftOf(report.plan), links)],
        digest: report.plan.digest,
      };
    case 'outcomes':
      return { title: 'Rulewright apply', blocks: outcomesBlocks(report), digest: report.plan.digest };
    case 'validation':
      return { title, blocks: diagnosticBlocks(report, links), digest: null };
    case 'error': {
      const { code: name, message, hint } = report.error;
      const item = `${proseLines(message)} (${code(name)})${hint === undefined ? '' : `<br>${proseLines(hint)}`}`;
      return { title, blocks: box('caution', 'The command failed', [item]), digest: null };
    }
    default:
      return assertNever(report);
  }
}
