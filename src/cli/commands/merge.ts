import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import { MERGE_FLAGS } from '../flags/merge.ts';

/** `rulewright merge`. */
export const mergeCommand = command({
  run: async () => (await import('../run/merge.ts')).runMerge,
  brief: 'Combine plans, drift reports or journals of shards',
  text: `Combines what the shards of a run wrote into what one machine would have
written, and checks the guards for the whole run. Refuses shards that do not
belong together, two of the same part, and missing ones.`,
  examples: [
    ['rulewright merge plan-*.json --out plan.json', 'the plan of all shards'],
    ['rulewright merge drift-*.json', 'exit code 2 if there is drift'],
    ['rulewright merge journal-*.jsonl --out all.jsonl', 'one journal'],
  ],
  flags: MERGE_FLAGS,
  positional: { ...paths('FILE', 'Plans, drift reports or journals of the shards'), minimum: 1 },
});
