// Bundles the command line and the library into dist. `--quiet` prints nothing when all is well.
//
// The command line takes its dependencies with it: one file a command starts in two thirds of the time. The library leaves them to the
// package manager of those who import it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

import { directImports } from './direct-imports.mjs';
import { yamlModules } from './yaml-modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const quiet = process.argv.includes('--quiet');
const shebang = '#!/usr/bin/env node';

/** Names of the library's entries in dist, and their sources; one that does not exist yet is left out. */
const library = {
  index: 'src/index.ts',
  emulator: 'src/emulator/index.ts',
  expression: 'src/expression/public.ts',
};

/**
 * What is always loaded together stands in one file each, for finding and opening a file costs more than reading it: what the command
 * line starts with, and what the check of a project needs, which nearly all commands begin with.
 */
const groups = [
  // Not the entry itself: files of the command would load it by this one.
  { name: 'start', tags: ['$initial'], test: /^(?!.*[/\\]src[/\\]start[/\\]main\.ts$)/, priority: 2 },
  { name: 'project', test: /[/\\]src[/\\]cli[/\\]commands[/\\]validate-command\.ts$/, priority: 1 },
];

/** One character beyond Latin-1 doubles the memory that the engine needs for the text of a whole file: such characters become escapes. */
const ascii = {
  name: 'ascii',
  renderChunk: (code) =>
    code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

/** The package with the grammar of Terraform's configuration, of which nothing but that is taken. */
const GRAMMAR = '@tree-sitter-grammars/tree-sitter-hcl';

const written = [];

// `dist/types` belongs to the compiler and stays.
for (const path of ['cli', 'chunks', ...Object.keys(library).map((name) => `${name}.js`)]) {
  await rm(join(dist, path), { recursive: true, force: true });
}

const commandLine = await bundle(
  // The API of OpenTelemetry has to be the one that the process has registered its tracer with.
  {
    input: { program: 'src/start/main.ts' },
    resolve: { alias: { yaml: yamlModules } },
    external: ['@opentelemetry/api'],
    plugins: [directImports, ascii],
  },
  {
    dir: join(dist, 'cli'),
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups },
    minify: false,
  },
);
await bundle(
  { input: { main: 'src/start/bin.ts' } },
  { dir: join(dist, 'cli'), format: 'cjs', entryFileNames: '[name].js', banner: shebang },
);
// Threads of a replay run a file of their own, beside the one that starts them.
await bundle(
  { input: { 'replay-thread': 'src/traffic/thread.ts' }, plugins: [directImports] },
  {
    dir: join(dist, 'cli'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'replay-[name]-[hash].cjs',
  },
);
// The parser of Terraform's configuration, and its grammar, which only `import --hcl` reads.
for (const file of ['web-tree-sitter/web-tree-sitter.wasm', `${GRAMMAR}/tree-sitter-terraform.wasm`]) {
  await copyFile(join(root, 'node_modules', file), join(dist, 'cli', basename(file)));
}
await writeFile(
  join(dist, 'cli/package.json'),
  `${JSON.stringify({ type: 'commonjs', ...commitOf(root) }, null, 2)}\n`,
);
await chmod(join(dist, 'cli/main.js'), 0o755);
await writeFile(join(dist, 'cli/THIRD-PARTY.txt'), await licences(commandLine, [GRAMMAR]));

const present = Object.fromEntries(
  Object.entries(library).filter(([, source]) => existsSync(join(root, source))),
);
if (Object.keys(present).length > 0) {
  await bundle(
    {
      input: present,
      external: (id) => /^[a-z@]/.test(id) && !id.startsWith('src/'),
      plugins: [directImports],
    },
    { dir: dist, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
  );
}

if (!quiet) {
  for (const { fileName, code } of written) {
    console.log(`${String(code?.length ?? 0).padStart(9)}  ${fileName}`);
  }
}

async function bundle(input, output) {
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    logLevel: quiet ? 'warn' : 'info',
    // `web-tree-sitter` has calls of `eval` for grammars with code of their own, and the one that is used has none.
    checks: { eval: false },
    ...input,
  });
  const result = await build.write(output);
  await build.close();
  written.push(...result.output);
  return result.output;
}

/** The commit of the checkout, for `rulewright version`; nothing where there is no checkout, or no Git. */
function commitOf(folder) {
  const run = (...words) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const changed = run('status', '--porcelain') === '' ? '' : '+changes';
    return { commit: `${run('rev-parse', '--short=12', 'HEAD')}${changed}` };
  } catch {
    return process.env.RULEWRIGHT_COMMIT ? { commit: process.env.RULEWRIGHT_COMMIT } : {};
  }
}

/** The licences of the packages whose code is in the bundle, as these ask for. */
async function licences(output, others) {
  const folders = new Set([
    ...others.map((name) => join(root, 'node_modules', name)),
    ...output
      .flatMap((file) => file.moduleIds ?? [])
      .map((id) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(id)?.[0])
      .filter((folder) => folder !== undefined),
  ]);
  const texts = await Promise.all(
    [...folders].sort((a, b) => (a < b ? -1 : 1)).map((folder) => licence(folder)),
  );
  return `The command line contains code of these packages.\n\n${texts.join('\n')}`;
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
