import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import { command } from '../command.ts';
import { PLAN_FORMATS } from '../formats.ts';
import type { PlanFormat } from '../formats.ts';
import type { ProjectFlags, ServiceFlags } from '../flags.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS, between } from '../flags.ts';
import { RULESET_ARGUMENTS } from '../ruleset-arguments.ts';
import type { WriteFlags } from '../write-flags.ts';
import { ALLOW_TEXT, WRITE_FLAGS } from '../write-flags.ts';
import { switchFlag, valueFlag } from '../flag.ts';

/** Flags of `rollback`. */
export interface RollbackFlags extends FormFlags<PlanFormat>, ServiceFlags, ProjectFlags, WriteFlags {
  readonly to?: number | undefined;
  readonly wholeRuleset?: boolean | undefined;
}

/** `rulewright rollback`. */
export const rollbackCommand = command({
  run: async () => (await import('../run/rollback.ts')).runRollback,
  brief: 'Go back to an earlier version of a ruleset',
  text: `Plans how to get from what is live back to a version of the ruleset, shows the
plan, asks, and carries it out like apply. Rules that still exist keep their
ids. Rules that are not yours (ownership, ignore) stay as they are;
--whole-ruleset brings back everything in the version.

${ALLOW_TEXT}`,
  examples: [
    ['rulewright rollback shop.example http_ratelimit --to 3', 'ask, then write'],
    ['rulewright rollback account:Shop ddos_l7 --to 3 --dry-run', 'show, write nothing'],
  ],
  flags: {
    to: valueFlag(between(1, Number.MAX_SAFE_INTEGER), 'N', 'The version to go back to'),
    wholeRuleset: switchFlag('Also rules that are not yours'),
    ...WRITE_FLAGS,
    ...PROJECT_FLAGS,
    ...SERVICE_FLAGS,
    ...RESULT_FLAGS,
    ...formFlags(PLAN_FORMATS),
  },
  positional: RULESET_ARGUMENTS,
});
