import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds `samples` and `corpus`, or undefined if RULEWRIGHT_CORPUS is not set. */
export const corpusFolder: string | undefined = process.env['RULEWRIGHT_CORPUS'] || undefined;

/** Part of the titles of tests that need the corpus. */
export const WITHOUT_CORPUS = 'skipped where RULEWRIGHT_CORPUS is not set';

/** The JSON files of a folder below the corpus, by name; none without a corpus. */
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
