import { groupBy } from '../../data/index.ts';
import { someNames, counted } from '../../text/index.ts';
import { momentText } from '../moment.ts';
import type { UnfinishedRun, UnfinishedStep } from '../../model/index.ts';
import type { Line, Look, Style } from '../layout.ts';
import { hanging, layOut, line, span } from '../layout.ts';

const WORDS: Readonly<Record<UnfinishedStep['state'], readonly [word: string, style: Style]>> = {
  done: ['done', 'good'],
  partly: ['partly done', 'warning'],
  'not-begun': ['not begun', 'dim'],
  'in-doubt': ['in doubt', 'warning'],
  unknown: ['not known', 'warning'],
};

/** Up to this many steps in one state are each shown. */
const FEW = 20;

/** The number of steps named when they are more. */
const NAMED = 5;

/** Whether there is nothing to say about a step in this state but its name. */
function isPlain(state: UnfinishedStep['state']): boolean {
  return state === 'done' || state === 'not-begun';
}

function stepLine({ state, step, landed, writes }: UnfinishedStep): Line {
  const [word, style] = WORDS[state];
  const count = writes > 1 ? `  ${landed} of ${writes} writes` : '';
  return line(2, span(style, word.padEnd(13)), step, span('dim', count));
}

function togetherLine(steps: readonly UnfinishedStep[]): Line {
  const [word, style] = WORDS[steps[0]?.state ?? 'unknown'];
  const names = someNames(
    steps.map(({ step }) => step),
    NAMED,
  );
  return hanging(2, 13, span(style, word.padEnd(13)), `${counted(steps.length, 'ruleset')}: ${names}`);
}

/** What did not finish, by the purpose of the run. */
const UNFINISHED: Readonly<Record<UnfinishedRun['purpose'], string>> = {
  apply: 'An earlier apply did not finish.',
  rollback: 'An earlier apply failed, and did not finish its rollback.',
  waf: 'An earlier step of the WAF migration did not finish.',
};

/** Formats what an unfinished run had done and not done, and what happens now. */
export function unfinishedText({ at, purpose, steps }: UnfinishedRun, look: Look): string {
  return layOut(
    [
      line(
        0,
        span('warning', UNFINISHED[purpose]),
        ` It began ${momentText(new Date(at).toISOString())}; it crashed, or is still running. Of its ${
          purpose === 'rollback' ? 'way back' : 'plan'
        }:`,
      ),
      ...[...groupBy(steps, ({ state, step }) => (isPlain(state) ? state : step)).values()].flatMap((alike) =>
        alike.length > FEW && look.detail !== 'each' ? [togetherLine(alike)] : alike.map(stepLine),
      ),
      line(0, 'What is left of it is planned again from live.'),
    ],
    look,
  );
}
