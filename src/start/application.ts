import type { Application } from '@stricli/core';
import { buildApplication, buildCommand, buildRouteMap, version } from '@stricli/core';
import { COMMANDS as OWN_COMMANDS } from '../cli/index.ts';
import { extensionCommands } from '../extensions.ts';
import type { CommandContext, CommandTable, CommandTarget } from '../cli/index.ts';
import { usageText } from './usage-text.ts';
import { HELP } from './help.ts';

/** All commands, as help lists them. */
export const COMMANDS: CommandTable = { ...OWN_COMMANDS, ...extensionCommands };

/** Commands that are loaded, by their first word. */
type LoadedCommands = ReadonlyMap<string, CommandTarget>;

/** Loads the command that a word names, or all commands; none for a word that names none. */
export async function loadCommands(words: 'all' | readonly string[]): Promise<LoadedCommands> {
  const loaded = new Map<string, CommandTarget>();
  for (const [word, { brief, load }] of Object.entries(COMMANDS)) {
    if (words === 'all' || words.includes(word)) {
      loaded.set(word, (await load())(brief));
    }
  }
  return loaded;
}

/** A command that is only listed: its parameters are in code that this run does not need. */
function listed(brief: string): CommandTarget {
  return buildCommand({ func: () => undefined, parameters: {}, docs: { brief } });
}

/**
 * Builds the command line for the framework, in which only the commands in `loaded` can be called and the others are listed. `onWrongUsage` is called
 * with what the framework says of words that it cannot parse.
 */
export function buildCommandLine(
  versionText: string,
  loaded: LoadedCommands,
  onWrongUsage: (message: string) => void = () => undefined,
): Application<CommandContext> {
  const root = buildRouteMap({
    routes: Object.fromEntries(
      Object.entries(COMMANDS).map(([word, { brief }]) => [word, loaded.get(word) ?? listed(brief)]),
    ),
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
