import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

// The files in which compiled code is kept. Nothing depends on them: what cannot be read is compiled, what cannot be written is not kept.

/** A script that V8 had to compile, and the bytes of its code. */
export interface Fresh {
  readonly script: Script;
  readonly code: Buffer;
}

/** Bytes at the end of a file: the checksum of the code and of what was compiled of it. */
const CHECKSUM = 4;

/** Folders of this many versions, of Node or of the program, are kept. */
const VERSIONS = 4;

/** What was compiled of this code; null where there is nothing, and where either was changed: V8 compares no more than the length. */
export function keptAt(place: string, code: Buffer): Buffer | null {
  try {
    const file = readFileSync(place);
    const data = file.subarray(0, -CHECKSUM);
    return file.readUInt32LE(data.length) === checksum(code, data) ? data : null;
  } catch {
    return null;
  }
}

/** Keeps scripts in the files of a folder, and removes what other versions left beside it. A run that cannot is none the worse. */
export function keep(fresh: ReadonlyMap<string, Fresh>, folder: string): void {
  if (fresh.size === 0) {
    return;
  }
  try {
    const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
    for (const [name, { script, code }] of fresh) {
      const data = script.createCachedData();
      const end = Buffer.alloc(CHECKSUM);
      end.writeUInt32LE(checksum(code, data));
      putInPlace(join(folder, name), Buffer.concat([data, end]));
    }
    if (isNew) {
      removeOldest(dirname(folder));
    }
  } catch {
    // Told above.
  }
}

function checksum(code: Buffer, data: Buffer): number {
  return crc32(data, crc32(code));
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

/** A folder is as old as what was kept last in it. */
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
