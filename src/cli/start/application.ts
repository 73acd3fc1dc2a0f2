import type { Application } from '@stricli/core';
import { buildApplication, buildRouteMap, version } from '@stricli/core';
import { applyCommand } from '../commands/apply.ts';
import { cacheCommands } from '../commands/cache.ts';
import { catalogCommand } from '../commands/catalog.ts';
import { completionCommand } from '../commands/completion.ts';
import { deprecationsCommands } from '../commands/deprecations.ts';
import { doctorCommand } from '../commands/doctor.ts';
import { driftCommand } from '../commands/drift.ts';
import { emulatorCommand } from '../commands/emulator.ts';
import { explainCommand } from '../commands/explain.ts';
import { expressionCommands } from '../commands/expression.ts';
import { firewallCommands } from '../commands/firewall.ts';
import { fmtCommand } from '../commands/fmt.ts';
import { importCommand } from '../commands/import.ts';
import { githubCommands, gitlabCommands } from '../commands/forge.ts';
import { initCommand } from '../commands/init.ts';
import { mergeCommand } from '../commands/merge.ts';
import { planCommand } from '../commands/plan.ts';
import { rateLimitCommands } from '../commands/rate-limits.ts';
import { rollbackCommand } from '../commands/rollback.ts';
import { schemaCommand } from '../commands/schema.ts';
import { testCommand } from '../commands/test.ts';
import { validateCommand } from '../commands/validate.ts';
import { versionCommand } from '../commands/version.ts';
import { versionsCommand } from '../commands/versions.ts';
import { wafCommands } from '../commands/waf.ts';
import type { CommandContext } from '../context.ts';
import { HELP } from './help.ts';
import { usageText } from './usage-text.ts';

/** The commands, as help lists them. */
const COMMANDS = {
  init: initCommand,
  validate: validateCommand,
  fmt: fmtCommand,
  plan: planCommand,
  apply: applyCommand,
  drift: driftCommand,
  merge: mergeCommand,
  import: importCommand,
  doctor: doctorCommand,
  catalog: catalogCommand,
  versions: versionsCommand,
  rollback: rollbackCommand,
  firewall: firewallCommands,
  ratelimits: rateLimitCommands,
  test: testCommand,
  explain: explainCommand,
  expression: expressionCommands,
  waf: wafCommands,
  deprecations: deprecationsCommands,
  github: githubCommands,
  gitlab: gitlabCommands,
  cache: cacheCommands,
  emulator: emulatorCommand,
  schema: schemaCommand,
  completion: completionCommand,
  version: versionCommand,
};

/** The first word of a command line that runs a command. */
export type CommandName = keyof typeof COMMANDS;

/** Builds the command line for the framework; `onWrongUsage` is called with what the framework says of words that it cannot parse. */
export function buildCommandLine(
  versionText: string,
  onWrongUsage: (message: string) => void = () => undefined,
): Application<CommandContext> {
  const root = buildRouteMap({
    routes: COMMANDS,
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
