import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import type { GuardKind } from '../../model/plan.ts';
import { ALLOWED, ALLOW_TEXT } from '../allow-flag.ts';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { GuardFlags, ResultFlags, SelectionFlags, ServiceFlags } from '../flags.ts';
import { GUARD_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS, nonEmpty } from '../flags.ts';

/** Flags of `apply`. */
export interface ApplyFlags extends ResultFlags, SelectionFlags, ServiceFlags, GuardFlags {
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly allow?: readonly (GuardKind | 'all')[] | undefined;
  readonly expect?: string | undefined;
  readonly writes: 'auto' | 'rules' | 'ruleset';
  readonly preflight: 'auto' | 'off';
  readonly journal?: string | undefined;
}

/** `rulewright apply`. */
export const applyCommand: Command<CommandContext> = buildCommand<
  ApplyFlags,
  readonly string[],
  CommandContext
>({
  func: lazily(async () => (await import('../run/apply.ts')).runApply),
  parameters: {
    flags: {
      dryRun: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Take the same path, write nothing',
      },
      yes: { kind: 'boolean', optional: true, withNegated: false, brief: 'Do not ask' },
      allow: {
        kind: 'enum',
        values: ALLOWED,
        optional: true,
        variadic: true,
        placeholder: 'KIND',
        brief: 'Allow what guards refuse (repeatable)',
      },
      expect: {
        kind: 'parsed',
        parse: nonEmpty,
        optional: true,
        placeholder: 'PLAN.json',
        brief: 'Go on only if this plan was reviewed',
      },
      writes: {
        kind: 'enum',
        values: ['auto', 'rules', 'ruleset'],
        default: 'auto',
        brief: 'One request a rule, or one a ruleset',
      },
      preflight: {
        kind: 'enum',
        values: ['auto', 'off'],
        default: 'auto',
        brief: 'Let the service check all writes first',
      },
      journal: {
        kind: 'parsed',
        parse: nonEmpty,
        optional: true,
        placeholder: 'FILE',
        brief: 'Journal of writes; else .rulewright/journal.jsonl',
      },
      ...GUARD_FLAGS,
      ...SELECTION_FLAGS,
      ...SERVICE_FLAGS,
      ...RESULT_FLAGS,
    },
    positional: {
      kind: 'array',
      parameter: {
        parse: nonEmpty,
        placeholder: 'PATH',
        brief: 'Project folder or files, or one plan saved by plan --out',
      },
    },
  },
  docs: {
    brief: 'Make live equal to the files',
    fullDescription: description(
      `Plans afresh and carries the plan out, or carries out a saved plan. Asks before\nit writes. Exit code 3 when refused or not confirmed, 4 when only a part was\nwritten.\n\n${ALLOW_TEXT}`,
      [
        ['rulewright apply', 'plan, ask, write'],
        ['rulewright apply plan.json --yes', 'carry out a saved plan'],
        ['rulewright apply --expect plan.json', 'plan afresh, if it does the same'],
        ['rulewright apply --dry-run', 'the same path without writing'],
        ['rulewright apply --yes --allow deleted', 'allow one kind of guard'],
      ],
    ),
  },
});
