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

/** Width for text that goes to no terminal. */
const USUAL_WIDTH = 80;

/** Wider lines are hard to read. */
const WIDEST = 120;

/** Columns that text on this stream may take. */
export function widthOf(stream: Pick<OutputStream, 'columns'>): number {
  return Math.min(Math.max(stream.columns ?? USUAL_WIDTH, 40), WIDEST);
}
