import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { packsByName, readPack } from '../config/compose/pack.ts';
import { fixFile } from '../config/fix/fix-file.ts';
import { placesOfPacks, rulesOfPack, rulesOfScopeFile } from '../config/fix/rules-to-fix.ts';
import type { RulesToFix } from '../config/fix/rules-to-fix.ts';
import { findProject } from '../config/project/find-project.ts';
import { listFiles } from '../config/project/list-files.ts';
import { selectFiles } from '../config/project/narrow.ts';
import { readProjectFile } from '../config/project/project-file.ts';
import { readSource } from '../config/project/read-source.ts';
import type { ReadSource } from '../config/project/read-source.ts';
import { scopeFilesIn } from '../config/project/scope-file.ts';
import { parseYaml } from '../config/yaml/parse-yaml.ts';
import type { YamlDocument } from '../config/yaml/yaml-document.ts';
import type { AppliedFix } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Selection } from './selection.ts';

/** What begins some files; it is no part of their text and stays. */
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Makes the safe fixes in the selected files, and answers what they were: zone and account files, then packs, each in the order of its
 * files. In a pack a fix is made once, when it is right wherever the project uses the pack. Files without a fix are not written. What is
 * wrong with the project is left for the validation that follows.
 */
export async function fixFiles({
  cwd,
  config,
  paths,
}: Pick<Selection, 'cwd' | 'config' | 'paths'>): Promise<readonly AppliedFix[]> {
  const found = await findProject({ cwd, paths, ...(config === undefined ? {} : { config }) });
  if (found.kind === 'not-found') {
    return [];
  }
  const { root, file } = found;
  const head = readProjectFile(await readSource(root, file));
  const packs = (await listFiles(root, file, head.packs)).files;
  const listed = (await listFiles(root, file, head.patterns)).files.filter((path) => !packs.includes(path));
  const { isSelected } = selectFiles([...listed, ...packs], found);
  const files = await readAll(root, packs.some(isSelected) ? listed : listed.filter(isSelected));
  const packFiles = await readAll(root, packs.some(isSelected) ? packs : []);
  const fixes: AppliedFix[] = [];
  const fix = async (read: ReadSource, rules: RulesToFix | undefined): Promise<void> => {
    if (read.kind === 'unread' || rules === undefined || !isSelected(read.source.path)) {
      return;
    }
    const { path } = read.source;
    const fixed = fixFile(read.source, rules);
    if (fixed.fixes.length > 0) {
      const marked = (await readFile(join(root, path), 'utf8')).startsWith(BYTE_ORDER_MARK);
      await writeFileAtomic(join(root, path), (marked ? BYTE_ORDER_MARK : '') + fixed.text);
      fixes.push(...fixed.fixes);
    }
  };
  for (const read of files) {
    await fix(read, rulesOfScopeFile);
  }
  const rulesOf = rulesOfPacks(packFiles, files);
  for (const read of packFiles) {
    await fix(read, read.kind === 'read' ? rulesOf.get(read.source.path) : undefined);
  }
  return fixes;
}

async function readAll(root: string, paths: readonly string[]): Promise<readonly ReadSource[]> {
  const read: ReadSource[] = [];
  for (const path of paths) {
    read.push(await readSource(root, path));
  }
  return read;
}

/** How to take the rules out of each pack that is used, by its path. Nothing while a use may be among what cannot be read. */
function rulesOfPacks(
  packFiles: readonly ReadSource[],
  files: readonly ReadSource[],
): ReadonlyMap<string, RulesToFix> {
  const documents = files.flatMap((read) => documentOf(read) ?? []);
  const read = packFiles.flatMap((one) => documentOf(one) ?? []).map((document) => readPack(document));
  const { packs, diagnostics } = packsByName(read.flatMap(({ pack }) => pack ?? []));
  if (documents.length < files.length || packs.size < packFiles.length || hasErrors(diagnostics)) {
    return new Map();
  }
  const scopes = documents.flatMap((document) => scopeFilesIn(document));
  return new Map(
    [...placesOfPacks(scopes, packs)].flatMap(([name, places]) => {
      const path = packs.get(name)?.document.source.path;
      return path === undefined ? [] : [[path, rulesOfPack(places)] as const];
    }),
  );
}

function documentOf(read: ReadSource): YamlDocument | undefined {
  return read.kind === 'read' ? parseYaml(read.source).document : undefined;
}
