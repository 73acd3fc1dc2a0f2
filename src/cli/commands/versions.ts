import { MOST_VERSIONS } from '../../model/version-entry.ts';
import { command } from '../command.ts';
import type { ProjectFlags, ResultFlags, ServiceFlags } from '../flags.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS, between } from '../flags.ts';
import { RULESET_ARGUMENTS } from '../ruleset-arguments.ts';
import { switchFlag, valueFlag } from '../flag.ts';

/** Flags of `versions`. */
export interface VersionsFlags extends ResultFlags, ServiceFlags, ProjectFlags {
  readonly show?: number | undefined;
  readonly delete?: number | undefined;
  readonly limit: number;
  readonly yes?: boolean | undefined;
}

const NUMBER = between(1, Number.MAX_SAFE_INTEGER);

/** `rulewright versions`. */
export const versionsCommand = command({
  run: async () => (await import('../run/versions.ts')).runVersions,
  brief: 'Show earlier versions of a ruleset',
  text: `Lists the latest versions of a ruleset that the service still has, newest first,
with what each changed from the one before. Each costs a request. Can also show
or delete one version. To go back to one, use rulewright rollback.`,
  examples: [
    ['rulewright versions shop.example http_ratelimit', 'the last ten'],
    ['rulewright versions shop.example http_ratelimit --show 3', 'one, as YAML'],
  ],
  flags: {
    limit: {
      kind: 'parsed',
      parse: between(1, MOST_VERSIONS),
      default: '10',
      placeholder: 'N',
      brief: 'How many versions to list',
    },
    show: valueFlag(NUMBER, 'N', 'Print this version as YAML'),
    delete: valueFlag(NUMBER, 'N', 'Delete this version for good'),
    yes: switchFlag('Do not ask'),
    ...PROJECT_FLAGS,
    ...SERVICE_FLAGS,
    ...RESULT_FLAGS,
  },
  positional: RULESET_ARGUMENTS,
});
