import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { ResultFlags, SelectionFlags, ServiceFlags } from '../flags.ts';
import { RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS, verboseFlag } from '../flags.ts';
import type { ScopeFlags } from '../scope-flags.ts';
import { SCOPE_FLAGS } from '../scope-flags.ts';

/** Flags of `doctor`. */
export interface DoctorFlags
  extends ResultFlags, ServiceFlags, ScopeFlags, Pick<SelectionFlags, 'config' | 'target'> {
  readonly all?: boolean | undefined;
}

/** `rulewright doctor`. */
export const doctorCommand: Command<CommandContext> = buildCommand<DoctorFlags, readonly [], CommandContext>({
  func: lazily(async () => (await import('../run/doctor.ts')).runDoctor),
  parameters: {
    flags: {
      ...SCOPE_FLAGS,
      config: SELECTION_FLAGS.config,
      target: SELECTION_FLAGS.target,
      all: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Check each scope, not ten for each token',
      },
      ...SERVICE_FLAGS,
      ...RESULT_FLAGS,
      verbose: verboseFlag('Tell each check, and show each request'),
    },
  },
  docs: {
    brief: 'Check connection, token and permissions',
    fullDescription: description(
      'Looks at the way to the service, the token, the clock, and what the token may read\nand write in each scope and phase of the project. It writes nothing: what it asks\nabout writes cannot take effect. Of many scopes of one kind with the same token, ten\nare checked and the others only looked up. Exit code 1 when something stands in the way.',
      [
        ['rulewright doctor', 'the project'],
        ['rulewright doctor --all', 'each scope of it, however many'],
        ['rulewright doctor --zone shop.example', 'one zone'],
        ['rulewright doctor --format json', 'for machines'],
      ],
    ),
  },
});
