import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';

const EXAMPLES = join(import.meta.dirname, '..', 'examples');

/**
 * Copies a project without what runs have left there (journal, cache, state of the embedded service): somebody may
 * have tried an example where it lies, as the README says, and what is tested begins with nothing.
 */
export function copyProject(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, filter: (path) => basename(path) !== '.rulewright' });
}

/** Copies one of the example projects, as nobody has used it yet. */
export function copyExample(name: string, to: string): Promise<void> {
  return copyProject(join(EXAMPLES, name), to);
}
