import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { fixFile } from '../config/fix/fix-file.ts';
import { findProject } from '../config/project/find-project.ts';
import { listFiles } from '../config/project/list-files.ts';
import { selectFiles } from '../config/project/narrow.ts';
import { readProjectFile } from '../config/project/project-file.ts';
import { readSource } from '../config/project/read-source.ts';
import type { AppliedFix } from '../model/diagnostic.ts';
import type { Selection } from './selection.ts';

/** What begins some files; it is no part of their text and stays. */
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Makes the safe fixes in the selected zone and account files, and answers what they were, in the order of the files. Files without
 * one are not written. What is wrong with the project is left for the validation that follows.
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
  const { patterns } = readProjectFile(await readSource(root, file));
  const { files } = await listFiles(root, file, patterns);
  const { isSelected } = selectFiles(files, found);
  const fixes: AppliedFix[] = [];
  for (const path of files.filter((one) => isSelected(one))) {
    const read = await readSource(root, path);
    const fixed = read.kind === 'read' ? fixFile(read.source) : undefined;
    if (fixed !== undefined && fixed.fixes.length > 0) {
      const marked = (await readFile(join(root, path), 'utf8')).startsWith(BYTE_ORDER_MARK);
      await writeFileAtomic(join(root, path), (marked ? BYTE_ORDER_MARK : '') + fixed.text);
      fixes.push(...fixed.fixes);
    }
  }
  return fixes;
}
