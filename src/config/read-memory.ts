import { memoiseWeakly } from '../data/index.ts';
import { createCleanRules } from './checks/check-rules.ts';
import type { RulesChecker } from './checks/check-rules.ts';
import { checkOnce, checkWithLanguage } from './checks/expression-checker.ts';
import type { ExpressionChecker } from './checks/expression-checker.ts';
import type { Composer } from './compose/composer.ts';
import { parsePack } from './compose/composer.ts';
import type { ReadPack } from './compose/pack.ts';
import { createListUses } from './project/desired-scope.ts';
import type { ListUses } from './project/desired-scope.ts';
import { readProjectFile } from './project/project-file.ts';
import type { ProjectFile } from './project/project-file.ts';
import type { ReadSource } from './project/read-source.ts';
import type { FileReading } from './read-file.ts';
import type { SourceText } from './source/source-text.ts';
import { parseOnce } from './yaml/parse-yaml.ts';
import type { ParsedYaml } from './yaml/parse-yaml.ts';
import type { SuppressionComment } from './yaml/suppression-comments.ts';
import { suppressionComments } from './yaml/suppression-comments.ts';

/** Where a program that reads one project again and again has its texts from. */
export interface ProjectTexts {
  /** Returns the text of a file; for the same text, the same object. */
  readonly read: (path: string) => Promise<ReadSource>;
  /** Called between two files: lets other work of the program go first where reading took long, and returns whether it did. */
  readonly pause: () => Promise<boolean>;
}

/** What was made of the texts of a project before, so that only what has changed is read anew. */
export interface ReadMemory {
  readonly texts: ProjectTexts;
  readonly projectFile: (source: ReadSource, today: string | undefined) => ProjectFile;
  readonly pack: (source: ReadSource) => ReadPack;
  readonly parse: (source: SourceText) => ParsedYaml;
  readonly comments: (source: ReadSource) => readonly SuppressionComment[];
  readonly checkExpression: ExpressionChecker;
  readonly checkRules: RulesChecker;
  readonly listUses: ListUses;
  /** Returns what was read of a file, or else reads it. */
  readonly file: (source: ReadSource, under: ReadUnder, read: () => FileReading) => FileReading;
}

/** What a file is read under, besides its text. */
interface ReadUnder {
  readonly head: ProjectFile;
  readonly composer: Composer;
}

/** Creates a memory that holds nothing yet. What it knows of a text goes with the text. */
export function createReadMemory(texts: ProjectTexts): ReadMemory {
  const heads = new WeakMap<ReadSource, { readonly today: string | undefined; readonly head: ProjectFile }>();
  const files = new WeakMap<ReadSource, { readonly head: ProjectFile; readonly reading: FileReading }>();
  return {
    texts,
    projectFile: (source, today) => {
      const known = heads.get(source);
      const head = known?.today === today ? known?.head : undefined;
      const read = head ?? readProjectFile(source, today);
      heads.set(source, { today, head: read });
      return read;
    },
    pack: memoiseWeakly((source: ReadSource) => parsePack(source, parseOnce)),
    parse: parseOnce,
    comments: memoiseWeakly((source: ReadSource) =>
      source.kind === 'read' ? suppressionComments(source.source.path, source.source.text) : [],
    ),
    checkExpression: checkOnce(checkWithLanguage),
    checkRules: createCleanRules(),
    listUses: createListUses(),
    file: (source, { head, composer }, read) => {
      const known = files.get(source);
      const stands =
        known?.head === head &&
        (known.reading.usage === undefined || composer.composesAlike(known.reading.usage));
      const reading = stands && known !== undefined ? known.reading : read();
      files.set(source, { head, reading });
      return reading;
    },
  };
}
