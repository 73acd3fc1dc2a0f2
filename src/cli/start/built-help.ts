import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a command line ends that asks for help and for nothing else. */
const ASKING: ReadonlySet<string | undefined> = new Set(['--help', '-h']);

/** The name of the file that the build lays a command's help down in, by the words that name the command; none names the program. */
export function helpFile(words: readonly string[]): string {
  return `${['rulewright', ...words].join('.')}.txt`;
}

/**
 * The help that a command line asks for, out of the folder of what was laid down, so that nothing has to be loaded for it. Null for
 * whatever is not a command's own words with `--help` or `-h` behind them: that is for the framework to judge.
 */
export function builtHelp(folder: string, argv: readonly string[]): string | null {
  const words = argv.slice(0, -1);
  if (!ASKING.has(argv.at(-1)) || !words.every((word) => /^[a-z-]+$/.test(word))) {
    return null;
  }
  try {
    const help = readFileSync(join(folder, helpFile(words)), 'utf8');
    // What a build or an installation left unfinished.
    return help.endsWith('\n') ? help : null;
  } catch {
    return null;
  }
}
