import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { DRIFT_FLAGS } from '../flags/drift.ts';

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
  flags: DRIFT_FLAGS,
  positional: PATHS,
});
