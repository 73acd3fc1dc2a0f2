import type { Command, RouteMap } from '@stricli/core';
import type { CommandContext } from '../../src/cli/context.ts';

/** The words of every command and command group that is not hidden. */
export function commandLines(
  target: RouteMap<CommandContext> | Command<CommandContext>,
): readonly (readonly string[])[] {
  return 'getAllEntries' in target
    ? target.getAllEntries().flatMap(({ name, target: inner, hidden }) => {
        const own = name['convert-camel-to-kebab'];
        return hidden ? [] : [[own], ...commandLines(inner).map((rest) => [own, ...rest])];
      })
    : [];
}
