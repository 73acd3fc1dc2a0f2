import { command } from '../command.ts';
import type { SelectionFlags } from '../flags.ts';
import { EACH_SCOPE, RESULT_FLAGS, SELECTION_FLAGS } from '../flags.ts';
import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import { PLAN_FORMATS } from '../formats.ts';
import type { PlanFormat } from '../formats.ts';
import { fileFlag, nonEmpty, switchFlag } from '../flag.ts';

/** Flags of `merge`. */
export interface MergeFlags extends FormFlags<PlanFormat>, Pick<SelectionFlags, 'config'> {
  readonly out?: string | undefined;
  readonly partial?: boolean | undefined;
  readonly exitCode?: boolean | undefined;
}

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
    out: fileFlag('FILE', 'Save the plan, or the journal, of the whole run'),
    partial: switchFlag('Allow missing and failed shards; exit code 1 if there are any'),
    exitCode: switchFlag('Exit code 2 if there are changes'),
    config: SELECTION_FLAGS.config,
    ...RESULT_FLAGS,
    ...formFlags(PLAN_FORMATS),
    ...EACH_SCOPE,
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: {
      parse: nonEmpty,
      placeholder: 'FILE',
      brief: 'Plans, drift reports or journals of the shards',
    },
  },
});
