import { stat, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { FoundFiles, UnreadPath } from '../../files/index.ts';
import {
  findFiles,
  NODE_MODULES,
  isNamedBy,
  isPattern,
  MAX_SPELLINGS,
  spellOut,
  explainMissing,
  isInside,
} from '../../files/index.ts';
import type { Diagnostic, SourceSpan } from '../../model/index.ts';
import { finding } from '../source/finding.ts';

/**
 * Returns the real path of a file in the project folder, links followed; undefined when it lies elsewhere. `realRoot` is the real path of the
 * folder. Rejects when there is no such file.
 */
export async function realPathInside(realRoot: string, path: string): Promise<string | undefined> {
  const real = await realpath(path);
  return isInside(realRoot, real) ? real : undefined;
}

/** Returns the finding about a path that leads out of the project folder. */
export function outside(path: string, where?: SourceSpan): Diagnostic {
  return finding('config/path-outside', {
    message: `${path} is outside the project folder`,
    hint: 'files of a project have to be in its folder, even behind links; name them relative to the project file',
    where,
  });
}

/** Returns the finding about a folder or link that a pattern leads to and that cannot be read; `where` is the pattern. */
export function unreadOnTheWay({ path, reason }: UnreadPath, where?: SourceSpan): Diagnostic {
  return finding('config/file-unreadable', {
    message: `${path} ${reason}`,
    hint: 'make it readable for this user, or remove it: what it holds is not known',
    where,
  });
}

/** A path or pattern of the project file, and where it is written. */
export interface FilePattern {
  readonly pattern: string;
  readonly where: SourceSpan;
}

/** Files of a project, as sorted paths relative to its folder. */
export interface ListedFiles {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lists the files that patterns name. A pattern without a match, a missing file, an unreadable path, and a path that leaves the project folder,
 * even through a link, are findings.
 */
export async function listFiles(
  root: string,
  projectFile: string,
  patterns: readonly FilePattern[],
): Promise<ListedFiles> {
  const found = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const { pattern, where } of patterns) {
    if (leaves(pattern)) {
      diagnostics.push(outside(pattern, where));
      continue;
    }
    const open = tooOpen(pattern, where);
    if (open !== undefined) {
      diagnostics.push(open);
      continue;
    }
    const { files, unread, outside: links } = await matchPattern(root, pattern, projectFile);
    diagnostics.push(
      ...links.map((link) => outside(link, where)),
      ...unread.map((path) => unreadOnTheWay(path, where)),
    );
    if (files.length + links.length + unread.length === 0) {
      diagnostics.push(await nothingThere({ pattern, where }, root, projectFile));
    }
    files.forEach((file) => found.add(file));
  }
  return { files: [...found].sort(), diagnostics };
}

/** Whether one of the patterns would list a path relative to the project folder; nothing need be there. */
export function wouldList(patterns: readonly FilePattern[], path: string): boolean {
  const followed = patterns.filter(({ pattern }) => !leaves(pattern) && problemOf(pattern) === undefined);
  return isNamedBy(
    followed.map(({ pattern }) => pattern),
    path,
  );
}

async function matchPattern(root: string, pattern: string, projectFile: string): Promise<FoundFiles> {
  const found = await findFiles({ patterns: [pattern], cwd: root, passOver: NODE_MODULES });
  return { ...found, files: found.files.filter((file) => file !== projectFile) };
}

function leaves(pattern: string): boolean {
  return isAbsolute(pattern) || /^[A-Za-z]:/.test(pattern) || pattern.split(/[\\/]/).includes('..');
}

async function nothingThere(
  { pattern, where }: FilePattern,
  root: string,
  projectFile: string,
): Promise<Diagnostic> {
  const slip = SLIPS.find(([written]) => written.test(pattern))?.[1];
  if (isPattern(pattern)) {
    return finding('config/empty-glob', {
      message: `the pattern ${pattern} matches no file`,
      hint: slip ?? 'patterns are relative to the project file; remove it if there is nothing yet',
      where,
    });
  }
  return finding('config/file-not-found', {
    ...(await noFile(pattern, { path: join(root, pattern), projectPath: join(root, projectFile), slip })),
    where,
  });
}

/** Returns why a path is not a file of the project, and what to do. */
async function noFile(
  pattern: string,
  {
    path,
    projectPath,
    slip,
  }: { readonly path: string; readonly projectPath: string; readonly slip: string | undefined },
): Promise<{ readonly message: string; readonly hint: string }> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined) {
    const { didYouMean = 'paths are relative to the project file' } = await explainMissing(path, pattern);
    return { message: `the file ${pattern} does not exist`, hint: slip ?? didYouMean };
  }
  if (facts.isDirectory()) {
    const hint = `name its files: \`${pattern.replace(/\/+$/u, '')}/*.yaml\``;
    return { message: `${pattern} is a folder`, hint };
  }
  return path === projectPath
    ? { message: `${pattern} is the project file itself`, hint: 'name zone and account files' }
    : {
        message: `${pattern} is not a file that a project can have`,
        hint: 'name a regular file outside of `node_modules`',
      };
}

/** Common mistakes in patterns, and what to write instead. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/\\/u, 'folders are separated by `/`'],
  [/^!/u, 'a pattern names files, and leaves none out: name the others by narrower patterns'],
  [/^\s|\s$/u, 'there is a space at its start or end: remove it'],
];

/**
 * Limits on a pattern of files. It becomes a regular expression whose wildcards may each be tried at every character of a name: too many of them
 * would keep the reader busy forever.
 */
const MOST = { characters: 1000, openInPart: 3, openFolders: 3 } as const;

/** Returns the finding about a pattern that could take too long to match; undefined for any other pattern. */
function tooOpen(pattern: string, where: SourceSpan): Diagnostic | undefined {
  const problem = problemOf(pattern);
  return problem === undefined
    ? undefined
    : finding('config/pattern-too-open', {
        message: `the pattern ${problem}`,
        hint: 'name the files by several simple patterns, such as `zones/*.yaml`',
        where,
      });
}

function problemOf(pattern: string): string | undefined {
  if (pattern.length > MOST.characters) {
    return `is longer than ${MOST.characters} characters`;
  }
  if (/(?<!\\)[()|]/u.test(pattern.replaceAll(LITERAL_GROUP, ''))) {
    return 'has a group in parentheses, which may match in too many ways';
  }
  const ways = spellOut(pattern).map((one) => one.split('/'));
  if (ways.length > MAX_SPELLINGS) {
    return `stands for more than ${MAX_SPELLINGS} other patterns, because of \`/\` in its braces`;
  }
  if (ways.some((way) => way.filter((part) => part === '**').length > MOST.openFolders)) {
    return `has more than ${MOST.openFolders} \`**\``;
  }
  return ways.flat().some((part) => (part.match(OPEN) ?? []).length > MOST.openInPart)
    ? `has more than ${MOST.openInPart} of \`*\`, \`+\` and \`{…}\` in one part of the path`
    : undefined;
}

/** Parentheses around plain text, as file names have them: they match in exactly one way. */
const LITERAL_GROUP = /(?<![\\?*+@!])\([^()|*+?[\]{}!@\\/]*\)(?![*+?{])/gu;

/** Parts of a pattern that match texts of several lengths. */
const OPEN = /\*+|\+|\{|[\]}]\?/gu;
