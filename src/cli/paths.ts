import { nonEmpty } from './flag.ts';
import type { ArgumentsFor } from './flag.ts';

/** Any number of paths. */
export const PATHS: ArgumentsFor<readonly string[]> = {
  kind: 'array',
  parameter: {
    parse: nonEmpty,
    placeholder: 'PATH',
    brief: 'Project folder, or files of the project to limit the run to',
  },
};
