import { RULESET_ARGUMENTS } from '../arguments.ts';
import { command } from '../command.ts';
import { allowText } from '../write-flags.ts';
import { ROLLBACK_FLAGS } from '../flags/rollback.ts';

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
  flags: ROLLBACK_FLAGS,
  positional: RULESET_ARGUMENTS,
});
