import { command } from '../command.ts';
import { OUTPUT_FLAGS } from '../flags.ts';
import type { Shell } from '../shells.ts';
import { SHELLS } from '../shells.ts';

/** `rulewright completion`. */
export const completionCommand = command({
  run: async () => (await import('../run/completion.ts')).runCompletion,
  brief: 'Print the completion script of a shell',
  text: 'Prints a script that completes commands, flags and their values.',
  examples: [
    ['source <(rulewright completion bash)', 'in ~/.bashrc'],
    ['source <(rulewright completion zsh)', 'in ~/.zshrc'],
    ['rulewright completion fish | source', 'in config.fish'],
    ['rulewright completion powershell | Out-String | iex', 'in $PROFILE'],
  ],
  flags: OUTPUT_FLAGS,
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: parseShell,
        placeholder: 'SHELL',
        brief: SHELLS.join(', '),
        proposeCompletions: (partial) => SHELLS.filter((shell) => shell.startsWith(partial)),
      },
    ],
  },
});

function parseShell(text: string): Shell {
  const shell = SHELLS.find((known) => known === text);
  if (shell === undefined) {
    throw new Error(`expected one of ${SHELLS.join(', ')}`);
  }
  return shell;
}
