import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last word of a command line that only asks for help. */
const ASKING: ReadonlySet<string | undefined> = new Set(['--help', '-h']);

/** Returns the name of the file that the build writes a command's help to; `words` name the command, and no words the program. */
export function helpFile(words: readonly string[]): string {
  return `${['rulewright', ...words].join('.')}.txt`;
}

/**
 * Reads the help that a command line asks for from the files of the build, so that nothing has to be loaded for it. Null unless the command line is
 * the words of a command followed by `--help` or `-h`: the framework judges all others.
 */
export function builtHelp(folder: string, argv: readonly string[]): string | null {
  const words = argv.slice(0, -1);
  if (!ASKING.has(argv.at(-1)) || !words.every((word) => /^[a-z-]+$/.test(word))) {
    return null;
  }
  try {
    const help = readFileSync(join(folder, helpFile(words)), 'utf8');
    // A build or an installation may have left the file unfinished.
    return help.endsWith('\n') ? help : null;
  } catch {
    return null;
  }
}
