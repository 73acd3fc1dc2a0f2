import type { Application } from '@stricli/core';
import { buildApplication, buildRouteMap, version } from '@stricli/core';
import {
  applyCommand,
  cacheCommands,
  catalogCommand,
  completionCommand,
  doctorCommand,
  driftCommand,
  emulatorCommand,
  explainCommand,
  expressionCommands,
  fmtCommand,
  importCommand,
  githubCommands,
  gitlabCommands,
  initCommand,
  mergeCommand,
  planCommand,
  rollbackCommand,
  schemaCommand,
  testCommand,
  validateCommand,
  versionCommand,
  versionsCommand,
} from '../cli/index.ts';
import { extensionCommands } from '../extensions.ts';
import type { CommandContext, CommandTable } from '../cli/index.ts';
import { usageText } from './usage-text.ts';
import { HELP } from './help.ts';

/** The commands, as help lists them, and what their output is. */
export const COMMANDS: CommandTable = {
  init: { target: initCommand, output: 'report' },
  validate: { target: validateCommand, output: 'all' },
  fmt: { target: fmtCommand, output: 'report' },
  plan: { target: planCommand, output: 'all' },
  apply: { target: applyCommand, output: 'report' },
  drift: { target: driftCommand, output: 'all' },
  merge: { target: mergeCommand, output: 'report' },
  import: { target: importCommand, output: 'report' },
  doctor: { target: doctorCommand, output: 'all' },
  catalog: { target: catalogCommand, output: 'all' },
  versions: { target: versionsCommand, output: 'all' },
  rollback: { target: rollbackCommand, output: 'report' },
  test: { target: testCommand, output: 'all' },
  explain: { target: explainCommand, output: 'all' },
  expression: { target: expressionCommands, output: 'endless' },
  ...extensionCommands,
  github: { target: githubCommands, output: 'report' },
  gitlab: { target: gitlabCommands, output: 'report' },
  cache: { target: cacheCommands, output: 'report' },
  emulator: { target: emulatorCommand, output: 'endless' },
  schema: { target: schemaCommand, output: 'all' },
  completion: { target: completionCommand, output: 'all' },
  version: { target: versionCommand, output: 'all' },
};

/** Builds the command line for the framework; `onWrongUsage` is called with what the framework says of words that it cannot parse. */
export function buildCommandLine(
  versionText: string,
  onWrongUsage: (message: string) => void = () => undefined,
): Application<CommandContext> {
  const root = buildRouteMap({
    routes: Object.fromEntries(Object.entries(COMMANDS).map(([word, { target }]) => [word, target])),
    docs: {
      brief: 'Keep the security and traffic rules of zones and accounts equal to YAML in Git',
      fullDescription: ROOT_DESCRIPTION,
    },
  });
  return buildApplication<CommandContext>(
    root,
    {
      name: 'rulewright',
      scanner: {
        caseStyle: 'allow-kebab-for-camel',
        allowArgumentEscapeSequence: true,
        // The weights are the framework's own; the threshold is lower, so that "help" is not near "apply".
        distanceOptions: {
          threshold: 5,
          weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 },
        },
      },
      localization: { text: usageText(onWrongUsage) },
    },
    {
      help: HELP,
      version: version({
        brief: 'Print the version and exit',
        alias: false,
        info: { currentVersion: versionText },
      }),
    },
  );
}

const ROOT_DESCRIPTION = `Keep the security and traffic rules of zones and accounts equal to YAML in Git:
plan in the pull request, apply on merge, detect drift on a schedule.

EXAMPLES
  rulewright init              begin a project, from nothing or from live
  rulewright validate          check the files, without network
  rulewright plan              show what apply would change
  rulewright apply             make live equal to the files
  rulewright drift             show how live differs from the files
  rulewright test              send requests through the rules, without traffic
  rulewright plan --emulator   try it all without an account

ENVIRONMENT
  CLOUDFLARE_API_TOKEN         or CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY
  CLOUDFLARE_BASE_URL          default https://api.cloudflare.com/client/v4
  HTTPS_PROXY, NO_PROXY        the proxy of your network, and hosts without it

EXIT CODES
  0 done   1 failed   2 differences found   3 refused   4 partly applied
  64 wrong usage   130 interrupted with nothing written`;
