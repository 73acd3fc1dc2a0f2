import { escapeText } from '../report/index.ts';
import { widthOf } from './colour.ts';
import type { CliContext } from './context.ts';
import { timeLeftText } from './progress-lines.ts';

/** How far a piece of work is; `leftMs` is the estimated time left, in milliseconds. */
interface ScreenProgress {
  readonly done: number;
  readonly total: number;
  readonly leftMs?: number;
  /** Whether what was done last failed. */
  readonly failed?: boolean;
}

/** An output for progress. */
export interface Screen {
  /** Shows what is under way. */
  now(text: string): void;
  /** Shows that something was done, as `done` of `total`; a rewritten line also shows the time left. */
  did(text: string, at: ScreenProgress): void;
  /** Writes a line that stays. */
  say(text: string): void;
  end(): void;
}

/** The time between two lines about things done, in milliseconds. */
const BETWEEN_MS = 5000;

/** Returns a screen that writes lines: for each thing done if `each`, otherwise every few seconds, for each failure and for the last thing. */
export function appending({ stderr, clock }: Pick<CliContext, 'stderr' | 'clock'>, each: boolean): Screen {
  const say = (text: string): void => stderr.write(`${escapeText(text)}\n`);
  let saidAt = clock.now();
  return {
    now: () => undefined,
    did(text, { done, total, failed = false }) {
      const now = clock.now();
      if (each || failed || done === total || now - saidAt >= BETWEEN_MS) {
        saidAt = now;
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
