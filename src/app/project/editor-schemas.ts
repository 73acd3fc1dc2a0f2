import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { makeFolder, namingFile, refuseLinks } from '../../files/index.ts';
import { bundledSchema } from './schemas.ts';

/** Schemas of the files that people write. */
const NAMES = ['account', 'pack', 'project', 'test', 'zone'] as const;

/** Where editors find the schemas of a project, as the first line of each generated file says. */
const FOLDER = '.rulewright/schemas';

/** Writes the self-contained schemas for editors, except files that are up to date. Returns their folder. */
export async function writeEditorSchemas(root: string): Promise<string> {
  await makeFolder(join(root, FOLDER));
  for (const name of NAMES) {
    const path = join(root, FOLDER, `${name}.schema.json`);
    await refuseLinks(path);
    const text = await bundledSchema(name);
    if (text !== null && text !== (await readFile(path, 'utf8').catch(() => null))) {
      await namingFile(path, () => writeFileAtomic(path, text));
    }
  }
  return FOLDER;
}
