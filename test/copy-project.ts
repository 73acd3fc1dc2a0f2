import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';

const EXAMPLES = join(import.meta.dirname, '..', 'examples');

/**
 * Copies a project without what runs have left there (journal, cache, state of the embedded service), because somebody may have tried an
 * example in place, as the README says.
 */
export function copyProject(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, filter: (path) => basename(path) !== '.rulewright' });
}

/** Copies one of the example projects, as if it had never been used. */
export function copyExample(name: string, to: string): Promise<void> {
  return copyProject(join(EXAMPLES, name), to);
}
