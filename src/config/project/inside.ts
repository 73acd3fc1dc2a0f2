import { realpath } from 'node:fs/promises';

import { isInside } from '../../files/inside.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import { finding } from '../source/finding.ts';

/**
 * Returns the real path of a file in the project folder, links followed; undefined when it lies elsewhere. `realRoot` is the real path of the
 * folder. Rejects when there is no such file.
 */
export async function realPathInside(realRoot: string, path: string): Promise<string | undefined> {
  const real = await realpath(path);
  return isInside(realRoot, real) ? real : undefined;
}

/** Returns the finding about a path that leads out of the project folder. */
export function outside(path: string, where?: SourceSpan): Diagnostic {
  return finding('config/path-outside', {
    message: `${path} is outside the project folder`,
    hint: 'files of a project have to be in its folder, even behind links; name them relative to the project file',
    where,
  });
}
