import { resolve } from 'node:path';
import type { AnyFlags } from '../flags.ts';

/**
 * Returns where the result goes according to a command line that the framework could not parse. It goes to stdout if a second word names the output
 * file, which the run may have been meant to read.
 */
export function unparsedFlags(
  argv: readonly string[],
  cwd: string,
): Pick<AnyFlags, 'format' | 'output' | 'config'> {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const output = valueOf(words, '--output');
  const naming = argv.filter(
    (word) =>
      output !== undefined && resolve(cwd, word.slice(word.lastIndexOf('=') + 1)) === resolve(cwd, output),
  );
  return {
    format: valueOf(words, '--format'),
    output: naming.length > 1 ? undefined : output,
    config: valueOf(words, '--config'),
  };
}

/** Returns the first value of a flag; undefined if it is empty, or another flag stands in its place. */
function valueOf(words: readonly string[], flag: string): string | undefined {
  const index = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const [word = flag, next = ''] = index === -1 ? [] : words.slice(index);
  const value = word === flag ? next : word.slice(flag.length + 1);
  return value === '' || value.startsWith('-') ? undefined : value;
}
