import { join } from 'node:path';
import {
  packsByName,
  readPack,
  fixFile,
  placesOfPacks,
  rulesOfPack,
  rulesOfScopeFile,
  findProject,
  listFiles,
  selectFiles,
  readHead,
  readSource,
  scopeFilesIn,
  parseYaml,
} from '../../config/index.ts';
import type { HeadReading, RulesToFix, ProjectQuery, YamlDocument } from '../../config/index.ts';
import { compareText } from '../../text/index.ts';
import { writeText } from '../../files/index.ts';
import type { AppliedFix, Diagnostic, NotFixed } from '../../model/index.ts';

/** The fixes that were made, and the selected files that could not be fixed. */
export interface FixedFiles {
  readonly fixes: readonly AppliedFix[];
  readonly left: readonly NotFixed[];
}

/**
 * Makes the safe fixes in the selected files and returns them: zone and account files first, then packs, each in file order. A fix
 * in a pack is made once, if it is right wherever the project uses the pack. Files without a fix are not written. Faults of the
 * project are left to the validation that follows.
 */
export async function fixFiles(query: ProjectQuery & HeadReading): Promise<FixedFiles> {
  const found = await findProject(query);
  if (found.kind === 'not-found') {
    return { fixes: [], left: [] };
  }
  const { root, file } = found;
  const head = (await readHead(query, found)).file;
  const packs = (await listFiles(root, file, head.packs)).files;
  const listed = (await listFiles(root, file, head.patterns)).files.filter((path) => !packs.includes(path));
  const { isSelected } = selectFiles([...listed, ...packs], found);
  const files = await readAll(root, packs.some(isSelected) ? listed : listed.filter(isSelected));
  const packFiles = await readAll(root, packs.some(isSelected) ? packs : []);
  const fixes: AppliedFix[] = [];
  const fix = async ({ path, document }: FileToFix, rules: RulesToFix | undefined): Promise<void> => {
    if (document === undefined || rules === undefined || !isSelected(path)) {
      return;
    }
    const fixed = fixFile(document.source, rules);
    if (fixed.fixes.length > 0) {
      await writeText(join(root, path), fixed.text);
      fixes.push(...fixed.fixes);
    }
  };
  for (const file of files) {
    await fix(file, rulesOfScopeFile);
  }
  const uses = usesOfPacks(packFiles, files);
  for (const pack of packFiles) {
    await fix(pack, uses.rulesOf.get(pack.path));
  }
  const unreadable = unreadableOf([...files, ...packFiles]);
  return {
    fixes,
    left: [
      ...unreadable.map((path): NotFixed => ({ file: path, reason: 'unreadable', because: [] })),
      ...(uses.unknownBecause.length === 0 ? [] : packs)
        .filter((path) => !unreadable.includes(path))
        .map((path): NotFixed => ({ file: path, reason: 'uses-unknown', because: uses.unknownBecause })),
    ].filter((one) => isSelected(one.file)),
  };
}

/** Returns the files with a fixable finding left, and the unreadable files, which may have one, with the reasons. */
export function notFixed(left: readonly NotFixed[], diagnostics: readonly Diagnostic[]): readonly NotFixed[] {
  const open = new Set(
    diagnostics.flatMap(({ fixable, where }) => (fixable === true && where ? [where.file] : [])),
  );
  const told = left.filter(({ file, reason }) => reason === 'unreadable' || open.has(file));
  const others = [...open].filter((file) => told.every((one) => one.file !== file));
  return [...told, ...others.map((file): NotFixed => ({ file, reason: 'not-safe', because: [] }))].sort(
    (a, b) => compareText(a.file, b.file),
  );
}

/** A file and its document; undefined if it cannot be read. */
interface FileToFix {
  readonly path: string;
  readonly document: YamlDocument | undefined;
}

async function readAll(root: string, paths: readonly string[]): Promise<readonly FileToFix[]> {
  const files: FileToFix[] = [];
  for (const path of paths) {
    const read = await readSource(root, path);
    files.push({ path, document: read.kind === 'read' ? parseYaml(read.source).document : undefined });
  }
  return files;
}

function unreadableOf(files: readonly FileToFix[]): readonly string[] {
  return files.flatMap(({ path, document }) => (document === undefined ? [path] : []));
}

interface UsesOfPacks {
  /** Extracts the rules to fix from each used pack, by its path. */
  readonly rulesOf: ReadonlyMap<string, RulesToFix>;
  /** Files that may hold an unknown use of a pack; if there are any, no pack is fixed. */
  readonly unknownBecause: readonly string[];
}

function usesOfPacks(packFiles: readonly FileToFix[], files: readonly FileToFix[]): UsesOfPacks {
  const read = packFiles.flatMap(({ path, document }) =>
    document === undefined ? [] : [{ path, ...readPack(document) }],
  );
  const { packs, diagnostics } = packsByName(read.flatMap(({ pack }) => pack ?? []));
  const unknownBecause = [
    ...unreadableOf([...files, ...packFiles]),
    ...read.flatMap(({ path, pack }) => (pack === undefined ? [path] : [])),
    ...diagnostics.flatMap(({ where }) => where?.file ?? []),
  ];
  if (unknownBecause.length > 0) {
    return { rulesOf: new Map(), unknownBecause };
  }
  const scopes = files.flatMap(({ document }) => (document === undefined ? [] : scopeFilesIn(document)));
  return {
    unknownBecause,
    rulesOf: new Map(
      [...placesOfPacks(scopes, packs)].flatMap(([name, places]) => {
        const path = packs.get(name)?.document.source.path;
        return path === undefined ? [] : [[path, rulesOfPack(places)] as const];
      }),
    ),
  };
}
