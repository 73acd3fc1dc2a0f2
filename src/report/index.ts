/**
 * Makes a document of each result, once, and prints documents as text, Markdown and HTML; and JSON, SARIF, JUnit and annotations for programs.
 *
 * Promises: pure; same result, same bytes; everything that comes from files or live is escaped where it is shown.
 * Never: decides what is right or wrong; it draws.
 */
export { guardRefusal, refusedBy } from './allowing.ts';
export { diagnosticsAnnotations } from './annotation.ts';
export { actorNames } from './authors.ts';
export { outcomesAnnotations, driftAnnotations, planAnnotations } from './plan-annotations.ts';
export { failedCallouts, groupCallouts } from './attention-callouts.ts';
export { attentionGroups, findingsAttention, isFoundGroup } from './attention.ts';
export { catalogDocument, catalogJson, lockDocument, lockJson } from './catalog-document.ts';
export { diagnosticsDocument, validationDocument } from './diagnostics-document.ts';
export { doctorDocument, doctorJson, isHealthy } from './doctor-document.ts';
export { diagnosticsJunit, testResultsJunit } from './junit.ts';
export { openMetricsText } from './open-metrics.ts';
export { diagnosticsSarif } from './sarif.ts';
export {
  restoredEditsDocument,
  bugReport,
  errorReport,
  lostRulesDocument,
  notPutBackDocument,
  unfinishedDocument,
} from './error-document.ts';
export { escapeLines, escapeText } from './escape.ts';
export { codeDocument } from './code-document.ts';
export { explanationDocument } from './explanation-document.ts';
export { formatDocument, formatJson } from './format-document.ts';
export { WAVE_WORDS } from './rollout-document.ts';
export { healthBlocks } from './health-blocks.ts';
export { importDocument, importJson, leftOutText } from './import-document.ts';
export {
  checkedPlanJson,
  desiredJson,
  driftJson,
  errorJson,
  outcomesJson,
  validationJson,
} from './json-documents.ts';
export { padTo, paintFor, widthOf } from './layout.ts';
export type { Detail, Look } from './layout.ts';
export { code, htmlCode } from './markdown-escape.ts';
export { bytes, fitPieces, piecesText } from './markdown-pieces.ts';
export type { MarkdownPiece } from './markdown-pieces.ts';
export { momentText, placeSpan } from './print-value.ts';
export { differencesDocument, finishedRollbackDocument, outcomesDocument } from './outcomes-document.ts';
export { FATE_STYLES, FATE_WORDS, fateOf } from './outcomes-summary.ts';
export type { ApplyAct } from './outcomes-document.ts';
export { inTurn, isPieces, jsonPieces } from './pieces.ts';
export type { Pieces } from './pieces.ts';
export { driftDocument, planDocument } from './plan-document.ts';
export type { BesidePlan } from './plan-document.ts';
export { notCheckedReasons, preflightSummary } from './preflight-document.ts';
export { printHtml } from './print-html.ts';
export { markdownPieces, printMarkdown } from './print-markdown.ts';
export type { SourceLinks } from './print-markdown.ts';
export { printText, wholeText } from './print-text.ts';
export { replayDocument } from './replay-document.ts';
export { countFailed, driftSummary, endsSummary, groupFailed, isIncomplete, lacksShards } from './summary.ts';
export { legendEntry } from './perspective.ts';
export { testResultsDocument, testResultsJson } from './test-results-document.ts';
export {
  CHANGE_SIDES,
  entry,
  hintBlocks,
  messageBlocks,
  paragraph,
  section,
  sentences,
  span,
} from './tree.ts';
export type {
  Block,
  Document,
  EntryBlock,
  EntryMark,
  Inline,
  SectionBlock,
  Style,
  StyledSpan,
} from './tree.ts';
export { versionsDocument } from './versions-document.ts';
export { usageDocument } from './usage-document.ts';
