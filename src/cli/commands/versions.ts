import { MOST_VERSIONS } from '../../model/version-entry.ts';
import { RULESET_ARGUMENTS } from '../arguments.ts';
import { command } from '../command.ts';
import { valueFlag, valueFlagOr } from '../flag.ts';
import { LIVE_FLAGS, between } from '../flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

const NUMBER = between(1, Number.MAX_SAFE_INTEGER);

/** `rulewright versions`. */
export const versionsCommand = command({
  run: async () => (await import('../run/versions.ts')).runVersions,
  brief: 'Show earlier versions of a ruleset',
  text: `Lists the latest versions of a ruleset that the service still has, newest first,
each with the rules that it changed. Each costs a request. Can also show one
version, or delete it: --allow irreversible. To go back to one, use
rulewright rollback.`,
  examples: [
    ['rulewright versions shop.example http_ratelimit', 'the last ten'],
    ['rulewright versions shop.example http_ratelimit --show 3', 'one, as YAML'],
    ['rulewright versions shop.example ddos_l7 --delete 3 --allow irreversible', 'delete one'],
  ],
  flags: {
    limit: valueFlagOr(between(1, MOST_VERSIONS), '10', {
      placeholder: 'N',
      brief: 'How many versions to list',
    }),
    show: valueFlag(NUMBER, 'N', 'Print this version as YAML'),
    delete: valueFlag(NUMBER, 'N', 'Delete this version for good'),
    yes: WRITE_FLAGS.yes,
    allow: WRITE_FLAGS.allow,
    ...LIVE_FLAGS,
  },
  positional: RULESET_ARGUMENTS,
});
