import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { RulewrightError, errorMessage } from '../model/index.ts';
import type { LogFormat } from '../model/index.ts';
import { parsedJson } from '../data/index.ts';
import { detectFormat } from './log-format.ts';
import { readArchive } from './read-request.ts';
import { unreadable } from './record.ts';
import type { ReadRecord } from './record.ts';
import type { LogBlock } from './replayer.ts';

/** A log: its name for people, and the bytes of it. */
export interface Log {
  readonly name: string;
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Set if its bytes come only once. */
  readonly readOnce?: true;
}

/** A piece of a log, as it comes. */
export type LogPiece =
  | ({ readonly kind: 'lines' } & LogBlock)
  | {
      readonly kind: 'records';
      readonly file: number;
      readonly line: number;
      readonly records: readonly ReadRecord[];
    };

/** What was read of one log. */
export interface LogFacts {
  /** Which log of the run it is. */
  readonly file: number;
  readonly format: LogFormat | null;
  readonly bytes: number;
  /** SHA-256 (hex). */
  readonly digest: string;
}

/** Lines are handed on in pieces of about this size. */
const PIECE = 1 << 20;

/** The longest line that is read. */
export const LONGEST_LINE = 1 << 20;

/** The longest archive of a browser: it can only be read as a whole. */
const LONGEST_ARCHIVE = 256 << 20;

/** Where this is exceeded a compressed log is no log: real ones shrink to a tenth, and the worst ones that were seen to a hundredth. */
const MOST_EXPANSION = 200;
const EXPANSION_FROM = 64 << 20;

/** Opens a file as a log. */
export function fileLog(path: string, name: string): Log {
  return { name, open: () => createReadStream(path, { highWaterMark: 1 << 18 }) };
}

/** Reads logs one after the other. Throws `replay/…` for a file that cannot be read, or whose form is not known. */
export class LogReader {
  readonly #facts: LogFacts[] = [];

  /** Returns what was read, log by log. */
  facts(): readonly LogFacts[] {
    return this.#facts;
  }

  /** Returns the pieces of a log, which are whole lines. */
  async *read(log: Log, file: number, format: LogFormat | null): AsyncGenerator<LogPiece> {
    try {
      yield* this.#pieces(log, file, format);
    } catch (error) {
      throw error instanceof RulewrightError ? error : failure(log, `cannot be read: ${errorMessage(error)}`);
    }
  }

  async *#pieces(log: Log, file: number, wanted: LogFormat | null): AsyncGenerator<LogPiece> {
    const lines = new LineCutter();
    const archive: Uint8Array[] = [];
    const hash = createHash('sha256');
    let format = wanted;
    let line = 1;
    let size = 0;
    for await (const chunk of withLongBeginning(plainBytes(log))) {
      hash.update(chunk);
      size += chunk.length;
      format ??= formatOf(log, chunk);
      if (format === 'har') {
        archive.push(chunk);
        if (size > LONGEST_ARCHIVE) {
          throw failure(log, 'is larger than an archive can be here: 256 MB');
        }
        continue;
      }
      for (const piece of lines.add(size === chunk.length ? withoutMark(chunk) : chunk)) {
        yield pieceOf(piece, { format, file, line });
        line += piece.lines;
      }
    }
    this.#facts.push({ file, format: size === 0 ? null : format, bytes: size, digest: hash.digest('hex') });
    if (format === 'har') {
      yield { kind: 'records', file, line: 1, records: archiveOf(log, archive) };
      return;
    }
    for (const piece of format === null ? [] : lines.end()) {
      yield pieceOf(piece, { format: format ?? 'jsonl', file, line });
      line += piece.lines;
    }
  }
}

/** So much is looked at to recognise the form of a log, if it has so much: some begin with lines that are no request. */
const BEGINNING = 4096;

/** Joins the first chunks, so that what comes first is long enough to recognise the form by, and has a whole line. */
async function* withLongBeginning(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array[] | null = [];
  let size = 0;
  let hasLine = false;
  for await (const chunk of chunks) {
    if (first === null) {
      yield chunk;
      continue;
    }
    first.push(chunk);
    size += chunk.length;
    hasLine ||= chunk.includes(NEWLINE);
    if ((hasLine && size >= BEGINNING) || size >= PIECE) {
      yield Buffer.concat(first);
      first = null;
    }
  }
  if (first !== null && size > 0) {
    yield Buffer.concat(first);
  }
}

/** The byte order mark, with which some programs begin a text. */
const MARK = Buffer.from('\u{feff}');

/** Returns the beginning of a log without a byte order mark. */
function withoutMark(beginning: Uint8Array): Uint8Array {
  return MARK.equals(beginning.subarray(0, MARK.length)) ? beginning.subarray(MARK.length) : beginning;
}

/** What a log begins with, and its form; null of both for an empty one. Throws `replay/…` as reading it does. */
export async function logStart(
  log: Log,
  wanted: LogFormat | null,
): Promise<{ readonly format: LogFormat | null; readonly text: string }> {
  for await (const chunk of withLongBeginning(plainBytes(log))) {
    const text = Buffer.from(withoutMark(chunk).subarray(0, PIECE)).toString('utf8');
    return { format: wanted ?? formatOf(log, chunk), text };
  }
  return { format: null, text: '' };
}

function pieceOf(
  piece: CutPiece,
  at: { readonly format: Exclude<LogFormat, 'har'>; readonly file: number; readonly line: number },
): LogPiece {
  const { file, line } = at;
  return piece.kind === 'too-long'
    ? { kind: 'records', file, line, records: [unreadable('it is longer than 1 MiB')] }
    : { kind: 'lines', ...at, bytes: piece.bytes };
}

function formatOf(log: Log, chunk: Uint8Array): LogFormat {
  const format = detectFormat(Buffer.from(chunk.subarray(0, PIECE)).toString('utf8'));
  if (format === null) {
    throw failure(log, 'is in no form that is known here', 'say which one with --log-format');
  }
  return format;
}

function archiveOf(log: Log, chunks: readonly Uint8Array[]): readonly ReadRecord[] {
  const json = parsedJson(Buffer.from(withoutMark(Buffer.concat(chunks))).toString('utf8'));
  const records = json === undefined ? null : readArchive(json);
  if (records === null) {
    throw failure(log, 'is no HTTP archive (HAR)');
  }
  return records;
}

function failure({ name }: Log, what: string, hint?: string): RulewrightError {
  return new RulewrightError(`the log ${name} ${what}`, { code: 'replay/log', fault: 'user', hint });
}

/** Returns the bytes of a log, decompressed where it begins as gzip or Zstandard does, whatever it is called. */
async function* plainBytes(log: Log): AsyncGenerator<Uint8Array> {
  const source = log.open()[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) {
    return;
  }
  const all = async function* all(): AsyncGenerator<Uint8Array> {
    yield first.value;
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      yield next.value;
    }
  };
  const decompress = decompressorFor(log, first.value);
  if (decompress === null) {
    yield* all();
    return;
  }
  let written = 0;
  const compressed = Readable.from(all(), { objectMode: false });
  compressed.on('error', (error) => decompress.destroy(error));
  for await (const chunk of compressed.pipe(decompress)) {
    const bytes: Uint8Array = chunk;
    written += bytes.length;
    if (written > EXPANSION_FROM && written > MOST_EXPANSION * decompress.bytesWritten) {
      throw failure(
        log,
        `becomes more than ${MOST_EXPANSION} times as large when it is decompressed, as no real log does`,
        'if it is one nevertheless, hand it over plain: gzip -dc FILE | rulewright replay --log -',
      );
    }
    yield bytes;
  }
}

function decompressorFor(log: Log, start: Uint8Array): ReturnType<typeof zlib.createGunzip> | null {
  const [first, second, third, fourth] = start;
  if (first === 0x1f && second === 0x8b) {
    return zlib.createGunzip({ chunkSize: 1 << 18 });
  }
  if (first !== 0x28 || second !== 0xb5 || third !== 0x2f || fourth !== 0xfd) {
    return null;
  }
  // Node has it from 22.15 on.
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  if (typeof create !== 'function') {
    throw failure(
      log,
      'is compressed with Zstandard, which this version of Node cannot read',
      'use Node 22.15 or newer, or hand it over plain: zstd -dc FILE | rulewright replay --log -',
    );
  }
  const made: ReturnType<typeof zlib.createGunzip> = Reflect.apply(create, zlib, [{ chunkSize: 1 << 18 }]);
  return made;
}

type CutPiece =
  | { readonly kind: 'lines'; readonly bytes: Buffer; readonly lines: number }
  | { readonly kind: 'too-long'; readonly lines: 1 };

const NEWLINE = 0x0a;

/** Cuts bytes behind ends of lines; a line that is too long is passed over, and not kept. */
class LineCutter {
  #waiting: Uint8Array[] = [];
  #size = 0;
  #skipping = false;

  *add(chunk: Uint8Array): Generator<CutPiece> {
    let rest = chunk;
    if (this.#skipping) {
      const end = rest.indexOf(NEWLINE);
      if (end === -1) {
        return;
      }
      this.#skipping = false;
      yield { kind: 'too-long', lines: 1 };
      rest = rest.subarray(end + 1);
    }
    const last = rest.lastIndexOf(NEWLINE);
    if (last === -1 || this.#size + last + 1 < PIECE) {
      this.#keep(rest);
    } else {
      this.#keep(rest.subarray(0, last + 1));
      yield* this.#flush();
      this.#keep(rest.subarray(last + 1));
    }
    if (this.#size > PIECE + LONGEST_LINE) {
      yield* this.#cutTooLong();
    }
  }

  *end(): Generator<CutPiece> {
    if (this.#skipping) {
      this.#skipping = false;
      yield { kind: 'too-long', lines: 1 };
    }
    yield* this.#flush();
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#waiting.push(bytes);
      this.#size += bytes.length;
    }
  }

  /** Hands on what is there, line by line where one of them is too long. */
  *#flush(): Generator<CutPiece> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#size = 0;
    let start = 0;
    let from = 0;
    let lines = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found === -1 ? bytes.length : found + 1;
      if (end - start > LONGEST_LINE) {
        if (lines > 0) {
          yield { kind: 'lines', bytes: bytes.subarray(from, start), lines };
        }
        yield { kind: 'too-long', lines: 1 };
        from = end;
        lines = 0;
      } else {
        lines += 1;
      }
      start = end;
    }
    if (lines > 0) {
      yield { kind: 'lines', bytes: bytes.subarray(from), lines };
    }
  }

  /** Gives up a line that has no end within the bound. */
  *#cutTooLong(): Generator<CutPiece> {
    const bytes = Buffer.concat(this.#waiting);
    const last = bytes.lastIndexOf(NEWLINE);
    this.#waiting = last === -1 ? [] : [bytes.subarray(0, last + 1)];
    this.#size = last + 1;
    yield* this.#flush();
    if (bytes.length - last - 1 > LONGEST_LINE) {
      this.#skipping = true;
    } else {
      this.#keep(bytes.subarray(last + 1));
    }
  }
}
