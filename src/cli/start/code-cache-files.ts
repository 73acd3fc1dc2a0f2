import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

// The files of the code cache. They are optional: what cannot be read is compiled again, what cannot be written is not cached.

/** A script that V8 had to compile, with its source. */
export interface CompiledScript {
  readonly script: Script;
  readonly code: Buffer;
}

/** Length of the checksum at the end of a file, in bytes; it covers the source and the cached data. */
const CHECKSUM = 4;

/** Number of versions, of Node or of the program, whose folders are kept. */
const VERSIONS = 4;

/** Reads the cached data for a source; null if there is none, or its checksum differs: V8 itself compares only the length of the source. */
export function readCachedData(place: string, code: Buffer): Buffer | null {
  try {
    const file = readFileSync(place);
    const data = file.subarray(0, -CHECKSUM);
    return file.readUInt32LE(data.length) === checksum(code, data) ? data : null;
  } catch {
    return null;
  }
}

/** Writes the cached data of scripts, and removes the folders of old versions. A failure is ignored. */
export function storeCachedData(scripts: ReadonlyMap<string, CompiledScript>, folder: string): void {
  if (scripts.size === 0) {
    return;
  }
  try {
    const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
    for (const [name, { script, code }] of scripts) {
      const data = script.createCachedData();
      const end = Buffer.alloc(CHECKSUM);
      end.writeUInt32LE(checksum(code, data));
      writeAtomic(join(folder, name), Buffer.concat([data, end]));
    }
    if (isNew) {
      removeOldest(dirname(folder));
    }
  } catch {
    // The cache is optional.
  }
}

function checksum(code: Buffer, data: Buffer): number {
  return crc32(data, crc32(code));
}

/** Writes a temporary file and renames it, because other runs may read the file; the temporary file is removed after an error. */
function writeAtomic(place: string, content: Buffer): void {
  const temporary = `${place}.${process.pid}`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the least recently written folders. */
function removeOldest(parent: string): void {
  const oldest = readdirSync(parent)
    .map((name) => join(parent, name))
    .map((folder) => ({ folder, time: statSync(folder).mtimeMs }))
    .sort((a, b) => b.time - a.time)
    .slice(VERSIONS);
  for (const { folder } of oldest) {
    rmSync(folder, { recursive: true, force: true });
  }
}
