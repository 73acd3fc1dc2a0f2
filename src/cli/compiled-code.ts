import { readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { join, relative } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { Fresh } from './compiled-files.ts';
import { keep, keptAt } from './compiled-files.ts';

// The code that V8 compiled in earlier runs is kept and used again: compiling is half of what most commands take to start.

type Body = (exports: unknown, load: (name: string) => unknown, ...rest: readonly unknown[]) => void;

interface Places {
  /** Where the code is. */
  readonly folder: string;
  /** Where its compiled form is kept. */
  readonly compiled: string;
}

/** Runs a file of CommonJS and what it loads; what V8 had to compile for it is kept when the process ends. */
export function loadCompiled(start: string, places: Places): void {
  const { folder } = places;
  const kept = join(places.compiled, versionOf(readFileSync(join(folder, start)), places));
  const plain = createRequire(join(folder, start));
  const modules = new Map<string, { readonly exports: unknown }>();
  const fresh = new Map<string, Fresh>();

  /** The exports of a file of the folder, or of a module of Node's. */
  function load(name: string): unknown {
    if (!name.startsWith('./')) {
      return plain(name);
    }
    const known = modules.get(name);
    if (known !== undefined) {
      return known.exports;
    }
    const module = { exports: {} };
    modules.set(name, module);
    const filename = join(folder, name);
    const code = readFileSync(filename);
    const cachedData = keptAt(join(kept, name), code);
    const script = new Script(wrap(code.toString()), {
      filename,
      ...(cachedData === null ? {} : { cachedData }),
    });
    if (cachedData === null || script.cachedDataRejected === true) {
      fresh.set(name, { script, code });
    }
    const body: Body = script.runInThisContext();
    body(module.exports, load, module, filename, folder);
    return module.exports;
  }

  // At the end, when all that a command needs is compiled.
  process.once('exit', () => keep(fresh, kept));
  load(start);
}

/**
 * The name of the folder for what this version of Node made of this version of the program. V8 refuses what another version of it, other
 * settings or another processor made. The first file names all others, and these have a digest of their content in their names. Where the
 * code is counts as well, for it is part of what was compiled, as seen from there: a build may be moved.
 */
function versionOf(start: Buffer, { folder, compiled }: Places): string {
  const code = crc32(start, crc32(relative(compiled, folder)));
  const { version, platform, arch } = process;
  return [version, platform, arch, ...[cachedDataVersionTag(), code].map(hex)].join('-');
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
