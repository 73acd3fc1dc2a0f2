import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** A store for many texts that are needed once more; keeps them compressed and outside of the heap. */
export interface TextStore {
  readonly add: (text: string) => TextPlace;
  /** Fast for a text that was added together with the one read last. */
  readonly read: (place: TextPlace) => string;
}

/** The place of a text: a byte range of a block. A block without a referenced place is garbage-collected. */
export interface TextPlace {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** Several texts in a row; `content` is null while the block is being filled, and compressed after that. */
interface Block {
  content: Buffer | Stretch | null;
}

/** A byte range of the temporary file. */
interface Stretch {
  readonly from: number;
  readonly length: number;
}

/**
 * Length of a block before compression, in bytes. Texts are compressed together because those of zones are alike, and many at once because each start
 * of the compressor takes 600 KB from the system: for a quarter of this length, its fresh pages cost more than the compression.
 */
const BLOCK_LENGTH = 262_144;

/** Creates a store. Beyond `inMemory` compressed bytes, blocks go to a temporary file if one can be written. */
export function createTextStore({ inMemory }: { readonly inMemory: number }): TextStore {
  // Texts that wait for a full block would outlive young garbage collections, so their bytes are in one buffer.
  let open: { readonly block: Block; readonly bytes: Buffer; length: number } | null = null;
  let last: { readonly block: Block; readonly bytes: Buffer } | null = null;
  let kept = 0;
  /** Undefined until it is needed; null when it could not be created, which is tried only once. */
  let file: TextFile | null | undefined;

  const settled = (bytes: Buffer): Buffer | Stretch => {
    const short = compressed(bytes);
    if (kept + short.length > inMemory) {
      if (file === undefined) {
        file = openFile();
      }
      const stretch = file?.append(short);
      if (stretch !== undefined) {
        return stretch;
      }
    }
    kept += short.length;
    return short;
  };
  const bytesOf = ({ content }: Block): Buffer => {
    const short = Buffer.isBuffer(content) ? content : content === null ? undefined : file?.read(content);
    if (short === undefined) {
      throw new TypeError('a text is read that was not added here');
    }
    return brotliDecompressSync(short);
  };
  return {
    add(text) {
      const length = Buffer.byteLength(text);
      if (length > BLOCK_LENGTH) {
        return { block: { content: settled(Buffer.from(text)) }, start: 0, end: length };
      }
      if (open !== null && open.length + length > BLOCK_LENGTH) {
        open.block.content = settled(open.bytes.subarray(0, open.length));
        open = { block: { content: null }, bytes: open.bytes, length: 0 };
      }
      open ??= { block: { content: null }, bytes: Buffer.allocUnsafeSlow(BLOCK_LENGTH), length: 0 };
      const start = open.length;
      open.length += open.bytes.write(text, start);
      return { block: open.block, start, end: open.length };
    },
    read({ block, start, end }) {
      if (block === open?.block) {
        return open.bytes.toString('utf8', start, end);
      }
      if (last?.block !== block) {
        last = { block, bytes: bytesOf(block) };
      }
      return last.bytes.toString('utf8', start, end);
    },
  };
}

/**
 * At this quality, brotli takes a third of the time of the fastest deflate, which looks for repeats in ids that have none, and compresses just as
 * well.
 */
const FAST = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

function compressed(bytes: Buffer): Buffer {
  const short = brotliCompressSync(bytes, FAST);
  // Buffers of the compressor, and from Node's pool, are parts of larger ones, which they would keep alive.
  const own = Buffer.allocUnsafeSlow(short.length);
  short.copy(own);
  return own;
}

interface TextFile {
  /** Undefined when nothing more can be written. */
  readonly append: (bytes: Buffer) => Stretch | undefined;
  readonly read: (stretch: Stretch) => Buffer;
}

/** Closes the file of a store that was garbage-collected; the end of the process closes all files. */
const closing = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/** Opens a file that nobody else can read or find: it has no name any more, so nothing is left of it however the process ends. */
function openFile(): TextFile | null {
  let descriptor: number;
  try {
    const path = join(tmpdir(), `rulewright-${randomUUID()}`);
    descriptor = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  } catch {
    return null;
  }
  let length = 0;
  const file: TextFile = {
    append(bytes) {
      try {
        if (writeSync(descriptor, bytes, 0, bytes.length, length) < bytes.length) {
          return undefined;
        }
      } catch {
        return undefined;
      }
      const from = length;
      length += bytes.length;
      return { from, length: bytes.length };
    },
    read({ from, length: count }) {
      const bytes = Buffer.allocUnsafe(count);
      if (readSync(descriptor, bytes, 0, count, from) < count) {
        throw new Error('the temporary file is shorter than what was written to it');
      }
      return bytes;
    },
  };
  closing.register(file, descriptor);
  return file;
}
