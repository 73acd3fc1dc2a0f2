import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { switchFlag, valueFlag } from '../flag.ts';
import { BOUND_FLAGS, between } from '../flags.ts';
import { RUN_FLAGS } from '../run-flags.ts';

/** `rulewright drift`. */
export const driftCommand = command({
  run: async () => (await import('../run/drift.ts')).runDrift,
  observed: 'drift',
  brief: 'Show how live differs from the files; writes nothing',
  text: `Shows where live differs from the files. Never writes to the service. Exit code
2 if there is drift, 1 if a scope could not be read.`,
  examples: [
    ['rulewright drift', 'the whole project'],
    ['rulewright drift --unmanaged', 'also what no file declares, and rules of others'],
    ['rulewright drift --shard 1/8', 'an eighth of the scopes'],
    ['rulewright drift --target zone:shop.example', 'one zone'],
    ['rulewright drift --max-requests 600', 'the scopes that have gone unread longest'],
    ['rulewright drift --format json --output drift.json', 'as JSON'],
  ],
  flags: {
    sweep: valueFlag(between(1, 365), 'DAYS', 'Read each scope in full every N days (default: 7)'),
    unmanaged: switchFlag('Also show what no file declares'),
    ...BOUND_FLAGS,
    ...RUN_FLAGS,
  },
  positional: PATHS,
});
