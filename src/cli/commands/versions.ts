import { RULESET_ARGUMENTS } from '../arguments.ts';
import { command } from '../command.ts';
import { VERSIONS_FLAGS } from '../flags/versions.ts';

/** `rulewright versions`. */
export const versionsCommand = command({
  run: async () => (await import('../run/versions.ts')).runVersions,
  brief: 'Show earlier versions of a ruleset',
  text: `Lists the latest versions of a ruleset that the service still has, newest first,
each with the rules that it changed. Each costs a request. Can also show one
version, or delete it (needs --allow irreversible). To go back to one, use
rulewright rollback.`,
  examples: [
    ['rulewright versions shop.example http_ratelimit', 'the last ten'],
    ['rulewright versions shop.example http_ratelimit --show 3', 'one, as YAML'],
    ['rulewright versions shop.example ddos_l7 --delete 3 --allow irreversible', 'delete one'],
  ],
  flags: VERSIONS_FLAGS,
  positional: RULESET_ARGUMENTS,
});
