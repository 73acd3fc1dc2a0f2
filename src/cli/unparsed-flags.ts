import type { AnyFlags } from './flags.ts';

/** Where the result goes by a command line that the framework could not read as a whole. */
export function unparsedFlags(argv: readonly string[]): Pick<AnyFlags, 'format' | 'output' | 'config'> {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return {
    format: valueOf(words, '--format'),
    output: valueOf(words, '--output'),
    config: valueOf(words, '--config'),
  };
}

/** The first value of a flag; none where it is empty or another flag stands in its place. */
function valueOf(words: readonly string[], flag: string): string | undefined {
  const index = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const [word = flag, next = ''] = index === -1 ? [] : words.slice(index);
  const value = word === flag ? next : word.slice(flag.length + 1);
  return value === '' || value.startsWith('-') ? undefined : value;
}
