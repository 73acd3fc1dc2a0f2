import { createRequire } from 'node:module';
import { join } from 'node:path';
import { endWithOutput } from './broken-output.ts';
import { builtHelp } from './built-help.ts';
import { loadWithCodeCache } from './code-cache.ts';
import { codeCacheFolder } from './code-cache-folder.ts';

// The entry point of `rulewright`: prints help that the build has generated, and for everything else loads the bundle beside this file, with the code
// that V8 compiled in earlier runs if it was kept.

const folder = import.meta.dirname;
const help = builtHelp(join(folder, 'help'), process.argv.slice(2));

if (help === null) {
  load();
} else {
  endWithOutput(process.stdout);
  process.stdout.write(help);
}

function load(): void {
  const { env, platform } = process;
  const compiled = codeCacheFolder(folder, { env, platform, user: process.geteuid?.() ?? null });
  if (compiled === null) {
    createRequire(import.meta.url)('./program.js');
  } else {
    loadWithCodeCache('./program.js', { folder, compiled });
  }
}
