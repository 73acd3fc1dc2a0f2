import type { FlagsOf } from '../flag.ts';
import { listFlag, nonEmpty, switchFlag, textFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';

/** Flags that select what to import, and where to. */
export const LIVE_CHOICE_FLAGS = {
  zone: listFlag(nonEmpty, 'NAME', 'A zone, by name or id (repeatable)'),
  account: listFlag(nonEmpty, 'NAME', 'An account, by name or id (repeatable)'),
  allZones: switchFlag('All zones, of the named accounts or of all'),
  nameRules: switchFlag('Propose refs for rules that have none'),
  out: textFlag('DIR', 'Project folder (default: the nearest, or this one)'),
};

/** Flags of `import`. */
export const IMPORT_FLAGS = {
  ...LIVE_CHOICE_FLAGS,
  unmanaged: switchFlag('Also declare what no file declares'),
  discard: switchFlag('Lose changes to the files that Git does not have'),
  dryRun: switchFlag(
    'Show what would change; write nothing, exit code 2 if something would, 1 if the import would refuse',
  ),
  ...LIVE_FLAGS,
};

/** The values of `IMPORT_FLAGS`. */
export type ImportFlags = FlagsOf<typeof IMPORT_FLAGS>;
