import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import { keptFlag, switchFlag } from '../flag.ts';
import { EACH_SCOPE, PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { PLAN_FORMATS, formFlags } from '../formats.ts';

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
  flags: {
    // What is merged may be journals, for the next run to read.
    out: keptFlag('journal', 'FILE', 'Save the plan, or the journal, of the whole run'),
    partial: switchFlag('Allow missing and failed shards; exit code 1 if there are any'),
    exitCode: switchFlag('Exit code 2 if there are changes'),
    config: PROJECT_FLAGS.config,
    ...RESULT_FLAGS,
    ...formFlags(PLAN_FORMATS),
    ...EACH_SCOPE,
  },
  positional: { ...paths('FILE', 'Plans, drift reports or journals of the shards'), minimum: 1 },
});
