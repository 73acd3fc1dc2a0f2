import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { endWithOutput } from './broken-output.ts';
import { builtHelp } from './built-help.ts';
import { loadCompiled } from './compiled-code.ts';

// What `rulewright` begins with: it prints help that the build laid down, and loads the bundle beside it for all else. Where that has a
// folder `compiled`, which the build makes and a package has not, it loads what V8 compiled in earlier runs.

const folder = import.meta.dirname;
const compiled = join(folder, 'compiled');
const help = builtHelp(join(folder, 'help'), process.argv.slice(2));

if (help !== null) {
  endWithOutput(process.stdout);
  process.stdout.write(help);
} else if (existsSync(compiled)) {
  loadCompiled('./program.js', { folder, compiled });
} else {
  createRequire(import.meta.url)('./program.js');
}
