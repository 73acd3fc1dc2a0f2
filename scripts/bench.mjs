// Bundles and runs every bench/*.bench.ts, or those whose names are given: `npm run bench -- start-up`.
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

import { yamlModules } from './yaml-modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const files = (await readdir(join(root, 'bench')))
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  .sort();

/** Our code has the YAML library as the command line bundles it; a benchmark itself has it, and all others, as Node gives them to anybody. */
const libraries = {
  name: 'libraries',
  resolveId(source, importer) {
    if (source === 'yaml' && !importer.endsWith('.bench.ts')) {
      return yamlModules;
    }
    return /^[^./]/.test(source) ? { id: source, external: true } : null;
  },
};

for (const file of files) {
  const output = join(root, 'dist', 'bench', basename(file, '.ts'));
  await build({
    input: join(root, 'bench', file),
    platform: 'node',
    logLevel: 'warn',
    plugins: [libraries],
    output: { dir: output, format: 'esm', entryFileNames: 'main.mjs' },
  });
  const { status } = spawnSync(process.execPath, ['--expose-gc', join(output, 'main.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.exit(1);
  }
}
