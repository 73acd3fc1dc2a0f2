/**
 * Renderings of plans, outcomes, findings and all other results, for `cli`, `app` and `forge`: text, Markdown, HTML, annotations, JSON, SARIF, JUnit.
 *
 * Promises: pure; same result, same bytes; everything that comes from files or live is escaped where it is shown.
 * Never: decides what is right or wrong; it draws.
 */
export { guardRefusal, refusedBy } from './allowing.ts';
export { diagnosticsAnnotations } from './annotations/diagnostics-annotations.ts';
export { outcomesAnnotations } from './annotations/outcomes-annotations.ts';
export { driftAnnotations, planAnnotations } from './annotations/plan-annotations.ts';
export { attentionGroups, findingsAttention, isFoundGroup } from './attention.ts';
export type { BesidePlan } from './beside-plan.ts';
export { diagnosticsJunit, testResultsJunit } from './documents/junit.ts';
export { openMetricsText } from './documents/open-metrics.ts';
export { diagnosticsSarif } from './documents/sarif.ts';
export { escapeLines, escapeText } from './escape.ts';
export { driftPage, outcomesPage, planPage } from './html/plan-page.ts';
export {
  checkedPlanDocument,
  desiredDocument,
  driftDocument,
  errorDocument,
  outcomesDocument,
  validationDocument,
} from './json-documents.ts';
export { BLANK, hanging, layOut, line, padTo, paintFor, span, widthOf } from './layout.ts';
export type { Detail, Line, Look, Style, StyledSpan } from './layout.ts';
export { findingLines, hintLines, messageLines } from './lines/finding-lines.ts';
export { failedLines } from './lines/step-lines.ts';
export { box } from './markdown/attention.ts';
export { blocksText, code, htmlCode, proseLines } from './markdown/block.ts';
export type { Block, SourceLinks } from './markdown/block.ts';
export { diagnosticBlocks, diagnosticsMarkdown } from './markdown/diagnostics-markdown.ts';
export { fitBlocks } from './markdown/fit-blocks.ts';
export { outcomesBlocks, outcomesMarkdown } from './markdown/outcomes-markdown.ts';
export { driftBlocks, driftMarkdown, planBlocks, planMarkdown } from './markdown/plan-markdown.ts';
export { bytes } from './markdown/split-blocks.ts';
export { momentText } from './moment.ts';
export { FATE_WORDS, fateOf } from './outcomes-summary.ts';
export { inTurn, isPieces, jsonPieces } from './pieces.ts';
export type { Pieces } from './pieces.ts';
export { countFailed, driftSummary, groupFailed, isIncomplete, lacksShards } from './summary.ts';
export { catalogDocument, catalogText, lockDocument, lockedText } from './text/catalog.ts';
export { diagnosticsText } from './text/diagnostics.ts';
export { differencesText } from './text/differences.ts';
export { doctorDocument, doctorText, isHealthy } from './text/doctor.ts';
export { bugText, errorText } from './text/error.ts';
export { explanationText } from './text/explanation.ts';
export { fixesText, formatDocument, formatSummaryText, notFixedText } from './text/format.ts';
export { importDocument, importText, leftOutText } from './text/import.ts';
export { FATE_STYLES, outcomesText, stepOutcomesText } from './text/outcomes.ts';
export { driftPieces, planPieces, planText } from './text/plan.ts';
export { notCheckedReasons, preflightSummary, preflightText } from './text/preflight.ts';
export { replayText } from './text/replay.ts';
export { broughtBackText, takenAlongText } from './text/taken-along.ts';
export { testResultsDocument, testResultsText } from './text/test-results.ts';
export { unfinishedText } from './text/unfinished.ts';
export { versionsText } from './text/versions.ts';
