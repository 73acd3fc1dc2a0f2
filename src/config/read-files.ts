import { posix } from 'node:path';
import type { Diagnostic, ListUse, PlanLevel } from '../model/index.ts';
import { checkEachRule } from './checks/check-rules.ts';
import type { ExpressionChecker } from './checks/expression-checker.ts';
import type { GivenVariables } from './compose/command-line.ts';
import { createComposer } from './compose/composer.ts';
import type { Composer } from './compose/composer.ts';
import type { KnownEnvironment } from './compose/levels.ts';
import type { SuppressionComment } from './yaml/suppression-comments.ts';
import { suppressionComments } from './yaml/suppression-comments.ts';
import { fillLists } from './lists/declared-lists.ts';
import type { Declaration } from './project/desired-scope.ts';
import { createListUses } from './project/desired-scope.ts';
import type { ProjectFile } from './project/project-file.ts';
import type { ReadSource } from './project/read-source.ts';
import { readFile } from './read-file.ts';
import type { FileDiagnostics, FileReading } from './read-file.ts';
import type { ReadMemory } from './read-memory.ts';
import type { SourceText } from './source/source-text.ts';
import { findingsSoFar, tellFindings } from './tell-findings.ts';

/** Called with each text before it is dropped. */
export type OnText = (source: SourceText) => void;

/** What a reader of files is told besides. */
interface ReadCallbacks {
  readonly text: OnText;
  /** Called with the `ref` of each rule of a file without errors. */
  readonly refs: (refs: readonly string[]) => void;
  /** Called with the lists that the rules of each file name. */
  readonly uses: (uses: readonly ListUse[]) => void;
}

/** The file whose findings are wanted before all files are read. */
export interface EarlyFile {
  /** A zone or account file is read before all others; what is found in a pack depends on the files that use it. */
  readonly path: string;
  /** Whether findings of the linter may turn out to count. */
  readonly mayLint: boolean;
}

/** Called once, if reading takes long, with findings of the files so far, and with all comments of the early file. */
type OnEarly = (found: readonly Diagnostic[], comments: readonly SuppressionComment[]) => Promise<void>;

/** What is needed to read the files. */
interface ReadingContext {
  readonly head: ProjectFile;
  readonly environment: KnownEnvironment;
  readonly given: GivenVariables;
  readonly checkExpression: ExpressionChecker;
  readonly read: (path: string) => Promise<ReadSource>;
  readonly hold: ReadCallbacks;
  readonly memory?: ReadMemory | undefined;
  readonly early?: (EarlyFile & { readonly tell: OnEarly }) | undefined;
  readonly plan?: PlanLevel | undefined;
  readonly today?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** All files of a project after reading. */
export interface ReadFiles {
  readonly declarations: readonly Declaration[];
  /** Comments of all files that suppress findings. */
  readonly comments: readonly SuppressionComment[];
  readonly composer: Composer;
  /** Returns the findings of the files together with those of their scopes. */
  readonly findings: (inScopes: readonly Diagnostic[]) => readonly Diagnostic[];
}

/** Reads packs, then zone and account files, one after the other and each once. */
export async function readFiles(
  paths: {
    readonly project: ReadSource;
    readonly packs: readonly string[];
    readonly files: readonly string[];
  },
  means: ReadingContext,
): Promise<ReadFiles> {
  const { head, checkExpression, hold, memory, plan, today, signal } = means;
  const comments: SuppressionComment[] = [];
  const commentsIn = (one: ReadSource): readonly SuppressionComment[] =>
    one.kind === 'unread'
      ? []
      : // A substring keeps its whole text in memory; a clone does not.
        (memory?.comments(one) ?? structuredClone(suppressionComments(one.source.path, one.source.text)));
  const note = (one: ReadSource): readonly SuppressionComment[] => {
    if (one.kind === 'read') {
      hold.text(one.source);
    }
    const own = commentsIn(one);
    comments.push(...own);
    return own;
  };
  note(paths.project);
  const packs: ReadSource[] = [];
  for await (const pack of readAhead(paths.packs, means.read)) {
    signal?.throwIfAborted();
    note(pack);
    packs.push(pack);
  }
  const composer = createComposer(packs, means, memory?.pack);
  const ofPacks = [...comments];
  const declarations: Declaration[] = [];
  const files: FileDiagnostics[] = [];
  const listUses = memory?.listUses ?? createListUses();
  const { settings } = head;
  const forFile = {
    composer,
    listUses,
    settings,
    checkExpression,
    plan,
    today,
    parse: memory?.parse,
    checkRules: memory?.checkRules ?? checkEachRule,
  };
  let anew = 0;
  const readOne = (one: ReadSource, own: readonly SuppressionComment[]): FileReading => {
    const readAnew = (): FileReading => {
      anew += 1;
      return readFile(one, { ...forFile, comments: [...ofPacks, ...own] });
    };
    return memory === undefined ? readAnew() : memory.file(one, { head, composer }, readAnew);
  };
  let { early } = means;
  const wanted = paths.files.find((path) => path === early?.path);
  const ahead = wanted === undefined ? undefined : await means.read(wanted);
  const readFirst = ahead === undefined ? [] : [readOne(ahead, commentsIn(ahead))];
  for await (const one of readAhead(paths.files, means.read)) {
    signal?.throwIfAborted();
    const own = note(one);
    const read = readOne(one, own);
    if (read.usage !== undefined) {
      composer.count(read.usage);
    }
    hold.refs(read.refs);
    hold.uses(read.uses);
    const filled = await fillDeclarations(read.declarations, means.read);
    filled.sources.forEach(hold.text);
    declarations.push(...filled.declarations);
    const { diagnostics, unused, lint } = read;
    const checks = [...read.checks, ...filled.diagnostics];
    // Nothing is kept of the many files without findings.
    if ([diagnostics, unused, checks, lint].some(({ length }) => length > 0)) {
      files.push({ diagnostics, unused, checks, lint });
    }
    if ((await memory?.texts.pause()) === true && early !== undefined && anew > 0) {
      signal?.throwIfAborted();
      const found = findingsSoFar([...readFirst, ...files], composer, early);
      await early.tell(found, ahead === undefined ? comments : commentsIn(ahead));
      early = undefined;
    }
  }
  return {
    declarations,
    comments,
    composer,
    findings: (inScopes) => tellFindings(files, inScopes, composer),
  };
}

/** Reads the files that lists of the declarations get their items from. */
async function fillDeclarations(
  declarations: readonly Declaration[],
  read: (path: string) => Promise<ReadSource>,
) {
  const filled = await Promise.all(
    declarations.map(async (declaration) => {
      const { lists, ...more } = await fillLists(declaration.lists, {
        folder: posix.dirname(declaration.path).replace(/^\.$/u, ''),
        read,
      });
      return { ...more, declaration: { ...declaration, lists } };
    }),
  );
  return {
    declarations: filled.map(({ declaration }) => declaration),
    diagnostics: filled.flatMap(({ diagnostics }) => diagnostics),
    sources: filled.flatMap(({ sources }) => sources),
  };
}

/**
 * Most files that are read at the same time: as many as Node has threads for files. Texts read further ahead would survive the young-generation
 * collections in which they could have been freed.
 */
const OPEN_FILES = 4;

/** Yields the result of a function for each item, in order; up to `OPEN_FILES` calls run ahead. */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const begun = items.slice(0, OPEN_FILES).map((item) => read(item));
  for (let next = OPEN_FILES; begun.length > 0; next += 1) {
    const first = begun.shift();
    const item = items[next];
    if (item !== undefined) {
      begun.push(read(item));
    }
    if (first !== undefined) {
      yield await first;
    }
  }
}
