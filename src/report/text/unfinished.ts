import { momentText } from '../moment.ts';
import type { UnfinishedRun, UnfinishedStep } from '../../model/unfinished-run.ts';
import type { Line } from '../layout.ts';
import { layOut, line, span } from '../layout.ts';
import type { Look, Style } from '../theme.ts';

const WORDS: Readonly<Record<UnfinishedStep['state'], readonly [word: string, style: Style]>> = {
  done: ['done', 'good'],
  partly: ['partly done', 'warning'],
  'not-begun': ['not begun', 'dim'],
  unknown: ['not known', 'warning'],
};

/** What a run that did not end had done and not done, and what happens now. */
export function unfinishedText({ at, purpose, steps }: UnfinishedRun, look: Look): string {
  return layOut(
    [
      line(
        0,
        span(
          'warning',
          purpose === 'rollback'
            ? 'An earlier apply failed, and did not finish its rollback.'
            : 'An earlier apply did not finish.',
        ),
        ` It began ${momentText(new Date(at).toISOString())}; it crashed, or is still running. Of its ${
          purpose === 'rollback' ? 'way back' : 'plan'
        }:`,
      ),
      ...steps.map((step): Line => {
        const [word, style] = WORDS[step.state];
        const count = step.writes > 1 ? `  ${step.landed} of ${step.writes} writes` : '';
        return line(2, span(style, word.padEnd(13)), step.step, span('dim', count));
      }),
      line(0, 'What is left of it is planned again from live.'),
    ],
    look,
  );
}
