import { command } from '../command.ts';
import { OUTPUT_FLAGS } from '../flags.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { OutputFlags } from '../flags.ts';

/** Shells for which there is a completion script. */
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

type Shell = (typeof SHELLS)[number];

/**
 * Scripts that ask `rulewright __complete` for completions, given the words so far, the last of which is being typed. When it prints nothing, the
 * shells complete file names.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_rulewright() {
  local IFS=$'\\n'
  COMPREPLY=($(rulewright __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o bashdefault -F _rulewright rulewright
`,
  zsh: `#compdef rulewright
_rulewright() {
  local -a found
  found=("\${(@f)$(rulewright __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then
    compadd -a found
  else
    _files
  fi
}
compdef _rulewright rulewright
`,
  fish: `function __rulewright_complete
  set -l words (commandline -opc)[2..-1] (commandline -ct)
  rulewright __complete $words 2>/dev/null
end
complete -c rulewright -a '(__rulewright_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName rulewright -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  rulewright __complete @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

/** Prints the completion script of a shell. */
function runCompletion(context: CliContext, _flags: OutputFlags, shell: Shell): Promise<ExitCode> {
  context.stdout.write(SCRIPTS[shell]);
  return Promise.resolve(EXIT.done);
}

/** `rulewright completion`. */
export const completionCommand = command({
  run: runCompletion,
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
