import type { Preflight } from '../../model/preflight.ts';
import { notCheckedReasons, preflightLines, preflightSummary, weighPreflight } from '../text/preflight.ts';
import type { Block } from './block.ts';
import { fold, list, paragraph } from './block.ts';
import { proseLines } from './escape-markdown.ts';
import { WIDTH, plainBlocks } from './plain-lines.ts';

/** Returns the service's answers to the writes of a plan; nothing when it was not asked. */
export function preflightBlocks(preflight: Preflight | null): readonly Block[] {
  if (preflight === null || preflight.steps.length === 0) {
    return [];
  }
  const { error, warning, good } = weighPreflight(preflight);
  const mark = error.length > 0 ? '❌ ' : warning.length > 0 ? '⚠️ ' : '';
  return [
    paragraph(`${mark}**${preflightSummary(preflight.steps)}**`),
    ...plainBlocks(error.flatMap((step) => preflightLines(step, WIDTH))),
    ...list(notCheckedReasons(warning).map((reason) => `⚠️ not checked: ${proseLines(reason)}`)),
    ...fold(
      'What the service says to each step',
      plainBlocks([...warning, ...good].flatMap((step) => preflightLines(step, WIDTH))),
    ),
  ];
}
