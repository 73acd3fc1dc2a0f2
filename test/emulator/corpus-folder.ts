import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds `samples` and `corpus`, or undefined where it is not there. */
export const corpusFolder: string | undefined = process.env['RULEWRIGHT_CORPUS'] || undefined;

/** What titles of skipped tests say. */
export const WITHOUT_CORPUS = 'skipped where RULEWRIGHT_CORPUS is not set';

/** The JSON files of a folder below the corpus, by name; none where the corpus is not there. */
export function corpusFiles(folder: string): readonly (readonly [name: string, content: unknown])[] {
  if (corpusFolder === undefined) {
    return [];
  }
  const path = join(corpusFolder, folder);
  return readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name, JSON.parse(readFileSync(join(path, name), 'utf8')) as unknown]);
}
