import type { Look } from '../report/index.ts';
import type { CliContext, OutputStream } from './context.ts';

/**
 * Whether a stream gets colour. The flag decides first, then FORCE_COLOR (0 and false forbid it), then
 * NO_COLOR, then whether the stream is a terminal that knows colour.
 */
export function wantsColour(
  stream: Pick<OutputStream, 'isTTY'>,
  { env }: Pick<CliContext, 'env'>,
  flags: { readonly noColor?: boolean | undefined },
): boolean {
  if (flags.noColor === true) {
    return false;
  }
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) {
    return forced !== '0' && forced !== 'false';
  }
  const forbidden = env['NO_COLOR'];
  if (forbidden !== undefined && forbidden !== '') {
    return false;
  }
  return stream.isTTY && env['TERM'] !== 'dumb';
}

/** Width of text that goes to no terminal. */
const USUAL_WIDTH = 80;

/** A narrower row holds hardly a word. */
const NARROWEST = 40;

/** Wider lines are hard to read. */
const WIDEST = 120;

/** Returns the width of a terminal in columns, kept between the bounds. */
export function widthOf(stream: Pick<OutputStream, 'columns'>): number {
  return Math.min(Math.max(stream.columns ?? USUAL_WIDTH, NARROWEST), WIDEST);
}

/**
 * How lines on a stream are broken: at the width of the terminal, or where COLUMNS says. In a pipe, a file or the log of a job lines stay whole, so
 * that a search finds its text.
 */
export function linesOn(
  stream: Pick<OutputStream, 'columns'>,
  { env }: Pick<CliContext, 'env'>,
): Pick<Look, 'width' | 'wrap'> {
  const given = /^[1-9]\d{0,3}$/.exec(env['COLUMNS'] ?? '')?.[0];
  if (stream.columns === null && given !== undefined) {
    return { width: Math.max(Number(given), NARROWEST) };
  }
  return { width: widthOf(stream), wrap: stream.columns !== null };
}
