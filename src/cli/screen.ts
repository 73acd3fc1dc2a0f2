import { escapeText } from '../report/escape.ts';
import { widthOf } from './colour.ts';
import type { CliContext } from './context.ts';
import { timeLeftText } from './progress-lines.ts';

/** How far a piece of work is; `leftMs` is the estimated time left, in milliseconds. */
interface Place {
  readonly done: number;
  readonly total: number;
  readonly leftMs?: number;
}

/** An output for progress. */
export interface Screen {
  /** Shows what is under way. */
  now(text: string): void;
  /** Shows that something was done, as `done` of `total`; a rewritten line also shows the time left. */
  did(text: string, at: Place): void;
  /** Writes a line that stays. */
  say(text: string): void;
  end(): void;
}

/** Up to this many things each get a line; of more things, only those that complete a tenth do. */
const MANY = 50;

/** Returns a screen that writes a line for each thing done. */
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

/** Moves the cursor to the first column and erases the line. */
const ERASE = '\r\u001b[2K';

/** Returns a screen that rewrites one line. */
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
