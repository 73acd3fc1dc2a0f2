import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { VALIDATION_FORMATS } from '../formats.ts';
import type { ValidationFormat } from '../formats.ts';
import type { SelectionFlags } from '../flags.ts';
import { RESULT_FLAGS, SELECTION_FLAGS } from '../flags.ts';
import { PATHS } from '../paths.ts';

/** Flags of `validate`. */
export interface ValidateFlags extends FormFlags<ValidationFormat>, Pick<SelectionFlags, 'config' | 'var'> {
  readonly fix?: boolean | undefined;
  readonly expand?: boolean | undefined;
}

/** `rulewright validate`. */
export const validateCommand: Command<CommandContext> = buildCommand<
  ValidateFlags,
  readonly string[],
  CommandContext
>({
  func: lazily(async () => (await import('../run/validate.ts')).runValidate),
  parameters: {
    flags: {
      fix: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Mend in the files what is safe to mend',
      },
      expand: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Print what packs and variables make of the files',
      },
      config: SELECTION_FLAGS.config,
      var: SELECTION_FLAGS.var,
      ...RESULT_FLAGS,
      ...formFlags(VALIDATION_FORMATS),
    },
    positional: PATHS,
  },
  docs: {
    brief: 'Check the files; no network',
    fullDescription: description(
      'Loads all files of the project and reports every finding with its place. Needs\nno network. Exit code 1 when there is an error.',
      [
        ['rulewright validate', 'the project of this folder'],
        ['rulewright validate zones/shop.yaml', 'one file of it'],
        ['rulewright validate --fix', 'mend what is safe to mend'],
        ['rulewright validate --expand', 'what packs and variables make of them'],
        ['rulewright validate --format json', 'for machines'],
        ['rulewright validate --format sarif', 'for code scanning'],
      ],
    ),
  },
});
