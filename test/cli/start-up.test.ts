import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');
/** Imports and re-exports of values; what is only a type, or loaded when it is needed, costs nothing at the start. */
const LOADED = /^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)';/gms;

/** Every file and package that a file loads at once, itself included. */
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

test('the command line alone, as --help needs it, loads the framework and nothing that works', () => {
  const loaded = [...loadedBy(join(SOURCE, 'cli/main.ts'))];
  expect(loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'))).toEqual([
    '@stricli/core',
  ]);
  const rooms = loaded.filter((name) => name.startsWith('/')).map((name) => relative(SOURCE, name));
  expect(rooms.length).toBeGreaterThan(20);
  expect(
    rooms.filter((name) => /^(?:config|expression|api|live|plan|apply|emulator|cli\/run)\//.test(name)),
  ).toEqual([]);
});
