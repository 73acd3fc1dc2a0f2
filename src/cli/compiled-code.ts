import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

// The code that V8 compiled in earlier runs is kept and used again: compiling is half of what most commands take to start. It lies beside
// the code, so that who could alter it could alter the code as well.

type Body = (exports: unknown, load: (name: string) => unknown, ...rest: readonly unknown[]) => void;

interface Places {
  /** Where the code is. */
  readonly folder: string;
  /** Where its compiled form is kept. */
  readonly compiled: string;
}

/** A script that V8 had to compile, and the bytes of its code. */
interface Fresh {
  readonly script: Script;
  readonly code: Buffer;
}

/** Bytes at the end of a kept file: the checksum of the code and of what was compiled of it. */
const CHECKSUM = 4;

/** Runs a file of CommonJS and what it loads; what V8 had to compile for it is kept when the process ends. */
export function loadCompiled(start: string, { folder, compiled }: Places): void {
  const tag = String(cachedDataVersionTag());
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
    const place = placeFor(filename);
    const cachedData = keptAt(place, code);
    const script = new Script(wrap(code.toString()), {
      filename,
      ...(cachedData === null ? {} : { cachedData }),
    });
    if (cachedData === null || script.cachedDataRejected === true) {
      fresh.set(place, { script, code });
    }
    const body: Body = script.runInThisContext();
    body(module.exports, load, module, filename, folder);
    return module.exports;
  }

  /** V8 refuses what another version, other settings or another processor made: each has a folder of its own. */
  function placeFor(file: string): string {
    return join(compiled, tag, basename(file));
  }

  // At the end, when all that a command needs is compiled.
  process.once('exit', () => keep(fresh));
  load(start);
}

/** What was compiled of this code; null where there is nothing, and where either was changed: V8 compares no more than the length. */
function keptAt(place: string, code: Buffer): Buffer | null {
  try {
    const file = readFileSync(place);
    const data = file.subarray(0, -CHECKSUM);
    return file.readUInt32LE(data.length) === checksum(code, data) ? data : null;
  } catch {
    return null;
  }
}

function checksum(code: Buffer, data: Buffer): number {
  return crc32(data, crc32(code));
}

/** A run that cannot keep what was compiled is none the worse: the folder is often somebody else's. */
function keep(fresh: ReadonlyMap<string, Fresh>): void {
  try {
    for (const [place, { script, code }] of fresh) {
      const data = script.createCachedData();
      const end = Buffer.alloc(CHECKSUM);
      end.writeUInt32LE(checksum(code, data));
      mkdirSync(dirname(place), { recursive: true });
      putInPlace(place, Buffer.concat([data, end]));
    }
  } catch {
    // Told above.
  }
}

/** Whole or not at all: other runs may read it meanwhile. On a full disk, too, nothing is left beside it. */
function putInPlace(place: string, content: Buffer): void {
  const temporary = `${place}.${process.pid}`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
