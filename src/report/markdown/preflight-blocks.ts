import type { Preflight } from '../../model/preflight.ts';
import { preflightLines, preflightSummary } from '../text/preflight.ts';
import type { Block } from './block.ts';
import { fold, paragraph } from './block.ts';
import { WIDTH, plainBlocks } from './plain-lines.ts';

/** What the service says to the writes of a plan; nothing where it was not asked. */
export function preflightBlocks(preflight: Preflight | null): readonly Block[] {
  if (preflight === null || preflight.steps.length === 0) {
    return [];
  }
  const { steps } = preflight;
  const bad = steps.filter(({ kind }) => kind !== 'passed' && kind !== 'not-checked');
  const good = steps.filter((step) => !bad.includes(step));
  return [
    paragraph(`${bad.length === 0 ? '' : '❌ '}**${preflightSummary(steps)}**`),
    ...plainBlocks(bad.flatMap((step) => preflightLines(step, WIDTH))),
    ...fold(
      'What the service says to each step',
      plainBlocks(good.flatMap((step) => preflightLines(step, WIDTH))),
    ),
  ];
}
