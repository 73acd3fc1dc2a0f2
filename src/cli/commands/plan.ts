import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { PLAN_FLAGS } from '../flags/plan.ts';

/** `rulewright plan`. */
export const planCommand = command({
  run: async () => (await import('../run/plan.ts')).runPlan,
  observed: 'plan',
  brief: 'Show what apply would change; writes nothing',
  text: `Compares the files with live state and shows the steps that make live equal to
the files. Writes nothing to the service.`,
  examples: [
    ['rulewright plan', 'the whole project'],
    ['rulewright plan --target shop.example', 'one zone or account'],
    ['rulewright plan --out plan.json', 'save it for review and apply'],
    ['rulewright plan --reverse plan.json', 'the way back from an applied plan'],
    ['rulewright plan --changed-since origin/main', 'what a branch changes'],
    ['rulewright plan --shard 1/8 --out 1.json', 'an eighth of the scopes'],
    ['rulewright plan --exit-code', '2 when there are changes'],
    ['rulewright plan --emulator', 'against the embedded service'],
  ],
  flags: PLAN_FLAGS,
  positional: PATHS,
});
