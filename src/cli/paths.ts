import type { TypedPositionalParameters } from '@stricli/core';
import type { CommandContext } from './context.ts';
import { nonEmpty } from './flag.ts';

/** Any number of paths. */
export const PATHS: TypedPositionalParameters<readonly string[], CommandContext> = {
  kind: 'array',
  parameter: {
    parse: nonEmpty,
    placeholder: 'PATH',
    brief: 'Project folder, or files of the project to limit the run to',
  },
};
