import * as pieces from '../../../src/report/markdown/plan-markdown.ts';
import { wholeText } from '../../../src/report/pieces.ts';

/** A plan as one text of Markdown. */
export function planMarkdown(...given: Parameters<typeof pieces.planMarkdown>): string {
  return wholeText(pieces.planMarkdown(...given));
}

/** Drift as one text of Markdown. */
export function driftMarkdown(...given: Parameters<typeof pieces.driftMarkdown>): string {
  return wholeText(pieces.driftMarkdown(...given));
}
