import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import pLimit from 'p-limit';
import { errorCode, findFiles, explainReadError } from '../../files/index.ts';
import type { FoundFiles } from '../../files/index.ts';
import { RulewrightError, errorMessage } from '../../model/index.ts';
import { scanFile } from './scan-file.ts';
import type { FileUses, ScanResult } from './scan-file.ts';

/** What to scan. */
export interface ScanOptions {
  readonly cwd: string;
  /** Files and folders to scan; `cwd` if none is named. */
  readonly paths: readonly string[];
  readonly signal?: AbortSignal;
  /** Called after each file. */
  readonly report: (done: number, total: number) => void;
}

/** Folders of third-party code or tool output, which are skipped. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.terraform',
  '.venv',
  '__pycache__',
  '.rulewright',
]);

const OPEN_FILES = 8;

/** Bytes at the start of a file that are searched for NUL to recognise a binary file. */
const FIRST_BYTES = 8000;

/** A longer line is scanned in pieces, cut behind a space or a comma, unless it ends in the chunk at hand. */
const MAX_LINE_LENGTH = 65_536;

/**
 * Scans files and folders for uses of what the service retires. Streams files, skips binary files and does not follow links. Throws
 * `scan/no-such-path` for a named path that does not exist.
 */
export async function scanDeprecations(options: ScanOptions): Promise<ScanResult> {
  const { signal, report } = options;
  const { files, unread } = await listed(options);
  const limit = pLimit(OPEN_FILES);
  let done = 0;
  const results = await limit.map(files, async (file) => {
    signal?.throwIfAborted();
    const read = await readOne(options.cwd, file, signal);
    done += 1;
    report(done, files.length);
    return { file, read };
  });
  const uses = results.flatMap(({ read }) => (read.kind === 'read' ? [read] : []));
  return {
    uses: uses.flatMap((one) => one.uses),
    more: uses.reduce((sum, one) => sum + one.more, 0),
    files: uses.length,
    binary: results.filter(({ read }) => read.kind === 'binary').length,
    unread: [
      ...unread.map(({ path, reason }) => ({ file: path, reason })),
      ...results.flatMap(({ file, read }) => (read.kind === 'unread' ? [{ file, reason: read.reason }] : [])),
    ],
  };
}

/** The files found; without `outside`, since no link is followed. */
type ScannedFiles = Omit<FoundFiles, 'outside'>;

/** Lists the files below the paths, relative to `cwd`, sorted, each once. A file that is named itself is listed whatever its folder. */
async function listed({ cwd, paths }: ScanOptions): Promise<ScannedFiles> {
  const named = (path: string): string => relative(cwd, path).replaceAll('\\', '/');
  const lists = await Promise.all(
    (paths.length === 0 ? ['.'] : paths).map(async (path): Promise<ScannedFiles> => {
      const absolute = resolve(cwd, path);
      const facts = await stat(absolute).catch(async (error: unknown) => {
        const { reason, didYouMean } = await explainReadError(error, absolute, path);
        throw new RulewrightError(`${path} ${reason}`, {
          code: 'scan/no-such-path',
          fault: 'user',
          hint: didYouMean ?? 'name files and folders that exist',
          cause: error,
        });
      });
      if (!facts.isDirectory()) {
        return { files: [named(absolute)], unread: [] };
      }
      const found = await findFiles({
        patterns: ['**/*'],
        cwd: absolute,
        hidden: true,
        passOver: PASSED_OVER,
        links: 'pass-over',
      });
      return {
        files: found.files.map((file) => named(resolve(absolute, file))),
        unread: found.unread.map((one) => ({ ...one, path: named(resolve(absolute, one.path)) })),
      };
    }),
  );
  return {
    files: [...new Set(lists.flatMap(({ files }) => files))].sort(),
    unread: lists.flatMap(({ unread }) => unread),
  };
}

type ScannedFile =
  | ({ readonly kind: 'read' } & FileUses)
  | { readonly kind: 'binary' }
  | { readonly kind: 'unread'; readonly reason: string };

async function readOne(cwd: string, file: string, signal: AbortSignal | undefined): Promise<ScannedFile> {
  const scan = scanFile(file);
  const lines = createLines((text, offset) => scan.line(text, offset));
  let first = true;
  try {
    const stream = createReadStream(resolve(cwd, file), signal === undefined ? {} : { signal });
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) {
        continue;
      }
      if (first && chunk.subarray(0, FIRST_BYTES).includes(0)) {
        stream.destroy();
        return { kind: 'binary' };
      }
      first = false;
      lines.read(decoder.decode(chunk, { stream: true }));
    }
    lines.read(decoder.decode());
    lines.end();
    return { kind: 'read', ...scan.end() };
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: 'unread', reason: reasonOf(error) };
  }
}

/** Splits a text that arrives in chunks into lines, and long lines into pieces. */
function createLines(line: (text: string, offset: number) => void): {
  readonly read: (text: string) => void;
  readonly end: () => void;
} {
  let rest = '';
  let offset = 0;
  const endLine = (text: string): void => {
    line(text.replace(/\r$/u, ''), offset);
    offset = 0;
  };
  return {
    read(text) {
      rest += text;
      let from = 0;
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', from)) {
        endLine(rest.slice(from, end));
        from = end + 1;
      }
      rest = rest.slice(from);
      while (rest.length > MAX_LINE_LENGTH) {
        const cut = cutOf(rest.slice(0, MAX_LINE_LENGTH));
        line(rest.slice(0, cut), offset);
        offset += cut;
        rest = rest.slice(cut);
      }
    },
    end() {
      endLine(rest);
    },
  };
}

/** Returns where a piece ends: behind the last comma or space, so that no path is cut. */
function cutOf(text: string): number {
  const cut = Math.max(text.lastIndexOf(','), text.lastIndexOf(' ')) + 1;
  return cut > 0 ? cut : text.length;
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? errorMessage(error);
}
