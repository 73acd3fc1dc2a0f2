import { escapeText } from '../report/escape.ts';
import { widthOf } from './colour.ts';
import type { CliContext } from './context.ts';
import { timeLeftText } from './progress-lines.ts';

/** How far work is. */
interface Place {
  readonly done: number;
  readonly total: number;
  readonly leftMs?: number;
}

/** Where progress is shown. */
export interface Screen {
  /** Something is under way. */
  now(text: string): void;
  /** Something was done: `done` of `total`; how long the rest takes is shown where the line is rewritten. */
  did(text: string, at: Place): void;
  /** A line that stays. */
  say(text: string): void;
  end(): void;
}

/** Up to this many things each gets its line; beyond, every tenth part of them does. */
const MANY = 50;

/** A line for each thing done. */
export function appending({ stderr }: CliContext): Screen {
  const say = (text: string): void => stderr.write(`${escapeText(text)}\n`);
  return {
    now: () => undefined,
    did(text, { done, total }) {
      const tenth = (count: number): number => Math.floor((count * 10) / total);
      if (total <= MANY || tenth(done) > tenth(done - 1)) {
        say(`${text} (${done} of ${total})`);
      }
    },
    say,
    end: () => undefined,
  };
}

/** Back to the first column, and the line erased. */
const ERASE = '\r\u001b[2K';

/** One line that is rewritten. */
export function rewriting(stderr: CliContext['stderr']): Screen {
  let current = '';
  const draw = (text: string): void => {
    current = escapeText(text).slice(0, widthOf(stderr) - 1);
    stderr.write(`${ERASE}${current}`);
  };
  return {
    now: draw,
    did: (text, { done, total, leftMs = 0 }) => draw(`${done} of ${total}${timeLeftText(leftMs)}  ${text}`),
    say: (text) => stderr.write(`${ERASE}${escapeText(text)}\n${current}`),
    end: () => stderr.write(current === '' ? '' : ERASE),
  };
}
