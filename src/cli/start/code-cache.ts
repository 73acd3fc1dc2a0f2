import { readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { join, relative } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { CompiledScript } from './code-cache-files.ts';
import { storeCachedData, readCachedData } from './code-cache-files.ts';

// V8's code cache, kept between runs: without it, compiling takes half of the start of most commands.

type Body = (exports: unknown, load: (name: string) => unknown, ...rest: readonly unknown[]) => void;

interface Places {
  /** The folder of the code. */
  readonly folder: string;
  /** The folder of the code cache. */
  readonly compiled: string;
}

/** Runs a CommonJS file with its dependencies; the cached data of what V8 had to compile is stored when the process exits. */
export function loadWithCodeCache(start: string, places: Places): void {
  const { folder } = places;
  const cache = join(places.compiled, cacheKey(readFileSync(join(folder, start)), places));
  const plain = createRequire(join(folder, start));
  const modules = new Map<string, { readonly exports: unknown }>();
  const toStore = new Map<string, CompiledScript>();

  /** Returns the exports of a file in the folder, or of a module of Node. */
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
    const cachedData = readCachedData(join(cache, name), code);
    const script = new Script(wrap(code.toString()), {
      filename,
      ...(cachedData === null ? {} : { cachedData }),
    });
    if (cachedData === null || script.cachedDataRejected === true) {
      toStore.set(name, { script, code });
    }
    const body: Body = script.runInThisContext();
    body(module.exports, load, module, filename, folder);
    return module.exports;
  }

  // On exit, when everything that the command needs is compiled.
  process.once('exit', () => storeCachedData(toStore, cache));
  load(start);
}

/**
 * The cache folder of this version of Node and of the program. V8 rejects cached data of another version, other flags or another processor.
 * The entry file imports all others by names that contain a digest, so its checksum covers them. File names are part of the compiled
 * code, so the relative path of the code is part of the key: a build may be moved.
 */
function cacheKey(start: Buffer, { folder, compiled }: Places): string {
  const code = crc32(start, crc32(relative(compiled, folder)));
  const { version, platform, arch } = process;
  return [version, platform, arch, ...[cachedDataVersionTag(), code].map(hex)].join('-');
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
