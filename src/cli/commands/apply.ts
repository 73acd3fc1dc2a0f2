import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import { allowText } from '../write-flags.ts';
import { APPLY_FLAGS } from '../flags/apply.ts';

/** `rulewright apply`. */
export const applyCommand = command({
  run: async () => (await import('../run/apply/apply.ts')).runApply,
  observed: 'apply',
  brief: 'Make live equal to the files',
  text: `Makes a new plan and carries it out, or carries out a saved plan. Asks before it
writes. Exit code 3: refused or not confirmed; 4: only a part was written. With
--only-strengthening, 0 even if something was left out.

${allowText([])}`,
  examples: [
    ['rulewright apply', 'plan, ask, write'],
    ['rulewright apply plan.json --yes', 'carry out a saved plan'],
    ['rulewright apply --expect plan.json', 'only what this reviewed plan shows'],
    ['rulewright apply --dry-run', 'check everything, write nothing'],
    ['rulewright apply --yes --only-strengthening', 'undo drift, weaken nothing'],
    ['rulewright apply --yes --allow deleted', 'allow what one guard refuses'],
  ],
  flags: APPLY_FLAGS,
  positional: paths('PATH', 'Project folder or files, or one plan saved by plan --out'),
});
