import { RULESET_ARGUMENTS } from '../arguments.ts';
import { command } from '../command.ts';
import { switchFlag, valueFlag } from '../flag.ts';
import { LIVE_FLAGS, between } from '../flags.ts';
import { PLAN_FORMATS, formFlags } from '../formats.ts';
import { WRITE_FLAGS, allowText } from '../write-flags.ts';

/** `rulewright rollback`. */
export const rollbackCommand = command({
  run: async () => (await import('../run/apply/rollback.ts')).runRollback,
  brief: 'Go back to an earlier version of a ruleset',
  text: `Plans how to get from what is live back to a version of the ruleset, shows the
plan, asks, and carries it out like apply. Rules that still exist keep their
ids. Rules that are not yours (ownership, ignore) stay as they are;
--whole-ruleset brings back everything in the version.

${allowText(['scopes', 'irreversible', 'settings', 'incomplete'])}`,
  examples: [
    ['rulewright rollback shop.example http_ratelimit --to 3', 'ask, then write'],
    ['rulewright rollback account:Shop ddos_l7 --to 3 --dry-run', 'show, write nothing'],
  ],
  flags: {
    to: valueFlag(between(1, Number.MAX_SAFE_INTEGER), 'N', 'The version to go back to'),
    wholeRuleset: switchFlag('Also rules that are not yours'),
    ...WRITE_FLAGS,
    ...LIVE_FLAGS,
    ...formFlags(PLAN_FORMATS),
  },
  positional: RULESET_ARGUMENTS,
});
