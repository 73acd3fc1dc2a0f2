import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The bundle as it is shipped; `npm test` builds it first. */
const BUNDLE = join(import.meta.dirname, '../../dist/cli');
/**
 * Static imports and re-exports of values, in the source and in the bundle. Imports of types and dynamic imports cost nothing at the
 * start.
 */
const LOADED =
  /^(?:(?:import|export) (?!type )(?:[^'"]*? from )?|(?:const|let) \w+ = require\()['"]([^'"]+)['"]\)?;/gms;

/** The file itself, and every file and package that it loads statically. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (!seen.has(file)) {
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(LOADED)) {
      if (name.startsWith('.')) {
        loadedBy(join(dirname(file), name), seen);
      } else {
        seen.add(name);
      }
    }
  }
  return seen;
}

test('the program starts with the command framework, and none of the rooms that do the work of a command', () => {
  const modules = [...loadedBy(join(BUNDLE, 'program.js'))]
    .filter((name) => name.startsWith('/'))
    .flatMap((file) => modulesOf(file));
  expect(packagesOf(modules)).toEqual(['@stricli/core']);
  expect(modules).toContain('src/start/main.ts');
  expect(
    modules.filter((name) =>
      /^src\/(?:config|expression|api|live|plan|apply|emulator|cli\/run|cli\/commands)\//.test(name),
    ),
  ).toEqual([]);
});

test('validate of valid files loads few bundle files, with the checks and without the other commands', () => {
  const run = readdirSync(BUNDLE).find((name) => /^project-[\w-]{8}\.js$/.test(name)) ?? '';
  const loaded = ['program.js', run].flatMap((name) => [...loadedBy(join(BUNDLE, name))]);
  const files = [...new Set(loaded)].filter((name) => name.startsWith('/'));
  expect(files.length).toBeLessThan(8);
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(size).toBeLessThan(2_500_000);
  expect(size).toBeGreaterThan(500_000);

  const modules = files.flatMap((file) => modulesOf(file));
  expect(modules).toContain('src/cli/commands/validate-command.ts');
  const ofOtherCommands = ['@hono/node-server', '@octokit/rest', 'diff', 'hono', 'undici'];
  expect(packagesOf(modules).filter((name) => ofOtherCommands.includes(name))).toEqual([]);
  expect(modules).toContain('src/config/load-project.ts');
  expect(modules.filter((name) => /^src\/(?:apply|emulator|migrate)\//.test(name))).toEqual([]);
});

/** The modules in a file of the bundle, from the comment with which each module begins. */
function modulesOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)].flatMap(
    ([, name]) => name ?? [],
  );
}

function packagesOf(modules: readonly string[]): readonly string[] {
  const packages = modules.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []);
  return [...new Set(packages)].sort();
}
