import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep, posix } from 'node:path';
import picomatch from 'picomatch';
import { errorCode, isMissing } from './file-errors.ts';
import { isInside } from './real-path.ts';
import { explainReadError } from './read-text.ts';

/** How to compare names with patterns. */
export interface PathMatching {
  /** Whether `*` also matches names that begin with a dot. */
  readonly hidden?: boolean;
  /** Whether upper and lower case match each other. */
  readonly anyCase?: boolean;
}

/** Whether a text matches names other than itself. */
export function isPattern(text: string): boolean {
  const { isGlob, negated } = picomatch.scan(text);
  return isGlob || negated;
}

/** Maximum number of patterns that the braces of one pattern may stand for. */
export const MAX_SPELLINGS = 250;

/**
 * Expands a pattern so that each `/` separates two parts of a path: spells out brace alternatives that contain a `/`, and removes parts without
 * meaning, such as `./`. Stops expanding at more than `MAX_SPELLINGS` patterns.
 */
export function spellOut(pattern: string): readonly string[] {
  let spelled: readonly string[] = [pattern];
  for (let count = 0; count < spelled.length && spelled.length <= MAX_SPELLINGS;) {
    count = spelled.length;
    spelled = spelled.flatMap(spellOutFirst);
  }
  return spelled.map((one) => posix.normalize(one).replace(/\/$/u, ''));
}

/** Expands the first braces with a `/` in an alternative. */
function spellOutFirst(pattern: string): readonly string[] {
  let depth = 0;
  let marks: number[] = [];
  for (const { index, 0: sign } of pattern.matchAll(/(?<!\\)[{,}]/gu)) {
    depth += sign === '{' ? 1 : sign === '}' && depth > 0 ? -1 : 0;
    if (sign === '{' && depth === 1) {
      marks = [index];
    } else if (sign === ',' && depth === 1) {
      marks.push(index);
    } else if (sign === '}' && depth === 0 && marks.length > 1) {
      const start = marks[0];
      if (pattern.slice(start, index).includes('/')) {
        const ends = [...marks.slice(1), index];
        return ends.map(
          (end, at) =>
            pattern.slice(0, start) + pattern.slice((marks[at] ?? 0) + 1, end) + pattern.slice(index + 1),
        );
      }
      marks = [];
    }
  }
  return [pattern];
}

/**
 * Advances expanded patterns along a path by one name: from the patterns that may match the rest of the path to those that may match what follows the
 * name, `''` where the path may end there. A pattern has at most as many rests as parts, however deep the path.
 */
export type PatternWalk = (rests: readonly string[], name: string) => readonly string[];

/** A part that may match names beginning with a dot: one that has a dot at the beginning. picomatch would also accept `[!a]`. */
const NAMES_HIDDEN = /(?:^|[{,(|])\\?\./u;

/** Creates a walk along patterns that compiles each part only once. */
export function createPatternWalk({ hidden = false, anyCase = false }: PathMatching): PatternWalk {
  const options = { dot: hidden, nocase: anyCase, nonegate: true, posix: true };
  const read = new Map<string, (name: string) => boolean>();
  const matches = (part: string, name: string): boolean => {
    const matcher = read.get(part) ?? (part === '' ? () => false : picomatch(part, options));
    read.set(part, matcher);
    return (hidden || !name.startsWith('.') || NAMES_HIDDEN.test(part)) && matcher(name);
  };
  const after = (pattern: string, name: string): readonly string[] => {
    const [part = '', ...more] = pattern.split('/');
    const rest = more.join('/');
    if (part !== '**') {
      return matches(part, name) ? [rest] : [];
    }
    // `**` matches no name, or one name and then any number again.
    const again = matches('*', name) ? [pattern] : [];
    return [...again, ...after(rest === '' ? '*' : rest, name)];
  };
  return (rests, name) => [...new Set(rests.flatMap((rest) => after(rest, name)))];
}

/** Whether one of the patterns matches a path relative to their folder; nothing need exist there. */
export function isNamedBy(patterns: readonly string[], path: string): boolean {
  const walk = createPatternWalk({});
  const start: readonly string[] = patterns.flatMap((pattern) => spellOut(pattern));
  return path
    .split('/')
    .reduce((rests, name) => walk(rests, name), start)
    .includes('');
}

/** Files that match patterns, and what could not be read on the way. Paths have `/`. */
export interface FoundFiles {
  /** Each file once, whatever links lead to it: by its own path if that is found. */
  readonly files: readonly string[];
  /** Sorted by their own paths, with the reason in words. */
  readonly unread: readonly UnreadPath[];
  /** Links that lead out of the folder, sorted by their own paths. */
  readonly outside: readonly string[];
}

/** A folder that cannot be listed, or a link that cannot be followed. */
export interface UnreadPath {
  readonly path: string;
  readonly reason: string;
}

/** What to search; the paths of the result are relative to `cwd`. */
export interface FileSearch extends PathMatching {
  readonly cwd: string;
  readonly patterns: readonly string[];
  /** The folder that no link may leave; `cwd` by default. */
  readonly within?: string;
  /** Names of files and folders to ignore. */
  readonly passOver: ReadonlySet<string>;
  /** Links are followed by default. */
  readonly links?: 'pass-over';
}

/** Folders in which nobody keeps files of a project. */
export const NODE_MODULES: ReadonlySet<string> = new Set(['node_modules']);

/** A place to search: its path, its real path, and the rests of patterns that may match below it. */
interface SearchFolder {
  readonly path: string;
  readonly real: string;
  readonly rests: readonly string[];
}

/**
 * Finds files by pattern. Reports what cannot be read, since that is not the same as empty. Does not follow a link out of the folder, which could
 * lead over the whole disk. What is found in a folder depends only on the rest of the pattern, so a folder is searched once for each rest, however
 * many links lead to it, or back.
 */
export async function findFiles(search: FileSearch): Promise<FoundFiles> {
  const cwd = await realpath(search.cwd);
  const bounds = search.within === undefined ? cwd : await realpath(search.within);
  const met: SearchResult = { files: new Map(), unread: new Map(), outside: new Set(), links: [] };
  const look = createLook(search, met);
  await look({ path: '', real: cwd, rests: search.patterns.flatMap(spellOut) });
  // Links come after the files at their own places; links found behind a link are appended.
  for (const link of met.links) {
    await follow(link, { bounds, met, look });
  }
  const named = (path: string): string => slashed(relative(cwd, path));
  return {
    files: [...met.files.values()].map(slashed),
    unread: [...met.unread].map(([path, reason]) => ({ path: named(path), reason })).sort(byPath),
    outside: [...met.outside].map(named).sort(),
  };
}

/** What a search has met so far, by real path. */
interface SearchResult {
  readonly files: Map<string, string>;
  readonly unread: Map<string, string>;
  readonly outside: Set<string>;
  readonly links: SearchFolder[];
}

type FolderVisit = (folder: SearchFolder) => Promise<void>;

/** Creates the search through a folder and all folders below it. */
function createLook(search: FileSearch, met: SearchResult): FolderVisit {
  const walk = createPatternWalk(search);
  const seen = new Set<string>();
  const look: FolderVisit = async ({ path, real, rests }) => {
    const left = unseen({ real, rests }, seen);
    const { entries, reason } = left.length === 0 ? NOTHING : await list(real);
    if (reason !== undefined) {
      met.unread.set(real, reason);
    }
    for (const entry of entries) {
      const { name } = entry;
      const next = search.passOver.has(name) ? [] : walk(left, name);
      const way = { path: join(path, name), real: join(real, name), rests: next };
      if (next.length === 0) {
        continue;
      }
      if (entry.isDirectory()) {
        await look(way);
      } else if (entry.isFile()) {
        addFile(way, met);
      } else if (entry.isSymbolicLink() && search.links !== 'pass-over') {
        met.links.push(way);
      }
    }
  };
  return look;
}

/** Searches the target of a link. */
async function follow(
  link: SearchFolder,
  { bounds, met, look }: { readonly bounds: string; readonly met: SearchResult; readonly look: FolderVisit },
): Promise<void> {
  const target = await targetOf(link.real);
  if (target.kind === 'lost') {
    met.unread.set(link.real, target.reason);
  } else if (target.kind === 'file' && !link.rests.includes('')) {
    return;
  } else if (!isInside(bounds, target.real)) {
    met.outside.add(link.real);
  } else if (target.kind === 'folder') {
    await look({ ...link, real: target.real });
  } else {
    addFile({ ...link, real: target.real }, met);
  }
}

function addFile({ path, real, rests }: SearchFolder, { files }: SearchResult): void {
  if (rests.includes('') && !files.has(real)) {
    files.set(real, path);
  }
}

/** Returns the rests of patterns that a folder was not yet searched for, and marks them as searched. */
function unseen({ real, rests }: Omit<SearchFolder, 'path'>, seen: Set<string>): readonly string[] {
  const left = rests.filter((rest) => rest !== '' && !seen.has(`${real}\0${rest}`));
  left.forEach((rest) => seen.add(`${real}\0${rest}`));
  return left;
}

function byPath(one: UnreadPath, other: UnreadPath): number {
  return one.path < other.path ? -1 : 1;
}

interface Listing {
  readonly entries: readonly Dirent[];
  /** Why the folder cannot be listed. */
  readonly reason?: string;
}

const NOTHING: Listing = { entries: [] };

async function list(folder: string): Promise<Listing> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    // A folder that does not exist, or no longer does, holds nothing.
    return isMissing(error)
      ? NOTHING
      : { entries: [], reason: (await explainReadError(error, folder, folder)).reason };
  }
}

type LinkTarget =
  | { readonly kind: 'file' | 'folder'; readonly real: string }
  | { readonly kind: 'lost'; readonly reason: string };

async function targetOf(link: string): Promise<LinkTarget> {
  try {
    const real = await realpath(link);
    return { kind: (await stat(real)).isDirectory() ? 'folder' : 'file', real };
  } catch (error) {
    const leadsNowhere = isMissing(error) || errorCode(error) === 'ELOOP';
    return {
      kind: 'lost',
      reason: leadsNowhere
        ? 'is a link that leads nowhere'
        : (await explainReadError(error, link, link)).reason,
    };
  }
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/');
}
