import type { Command, RouteMap } from '@stricli/core';
import { buildCommandLine } from './application.ts';
import { helpFile } from './built-help.ts';
import type { CommandContext } from '../context.ts';
import { helpText } from './help.ts';

/** Returns the help of the program and of every command, by the name of the file that the build writes it to. */
export function helpPages(): ReadonlyMap<string, string> {
  return new Map(pagesOf(buildCommandLine('').root, []));
}

function pagesOf(
  target: RouteMap<CommandContext> | Command<CommandContext>,
  words: readonly string[],
): readonly (readonly [string, string])[] {
  const inner = 'getAllEntries' in target ? target.getAllEntries() : [];
  return [
    [helpFile(words), helpText(['rulewright', ...words], target)] as const,
    ...inner.flatMap((entry) => pagesOf(entry.target, [...words, entry.name['convert-camel-to-kebab']])),
  ];
}
