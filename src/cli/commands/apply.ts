import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { PLAN_FORMATS } from '../formats.ts';
import type { PlanFormat } from '../formats.ts';
import type { CacheFlags, GuardFlags, SelectionFlags, ServiceFlags } from '../flags.ts';
import {
  CACHE_FLAGS,
  GUARD_FLAGS,
  RESULT_FLAGS,
  SELECTION_FLAGS,
  SERVICE_FLAGS,
  nonEmpty,
} from '../flags.ts';
import type { ObservedFlags, PartFlags } from '../part-flags.ts';
import { OBSERVED_FLAGS, PART_FLAGS } from '../part-flags.ts';
import type { WriteFlags } from '../write-flags.ts';
import { ALLOW_TEXT, WRITE_FLAGS } from '../write-flags.ts';

/** Flags of `apply`. */
export interface ApplyFlags
  extends
    FormFlags<PlanFormat>,
    SelectionFlags,
    PartFlags,
    ObservedFlags,
    ServiceFlags,
    GuardFlags,
    CacheFlags,
    WriteFlags {
  readonly expect?: string | undefined;
  readonly onlyStrengthening?: boolean | undefined;
}

/** `rulewright apply`. */
export const applyCommand: Command<CommandContext> = buildCommand<
  ApplyFlags,
  readonly string[],
  CommandContext
>({
  func: lazily(async () => (await import('../run/apply.ts')).runApply, 'apply'),
  parameters: {
    flags: {
      ...WRITE_FLAGS,
      expect: {
        kind: 'parsed',
        parse: nonEmpty,
        optional: true,
        placeholder: 'PLAN.json',
        brief: 'Go on only if this plan was reviewed',
      },
      onlyStrengthening: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Leave out what weakens or deletes',
      },
      ...GUARD_FLAGS,
      ...SELECTION_FLAGS,
      ...PART_FLAGS,
      ...CACHE_FLAGS,
      ...SERVICE_FLAGS,
      ...OBSERVED_FLAGS,
      ...RESULT_FLAGS,
      ...formFlags(PLAN_FORMATS),
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
      `Plans afresh and carries the plan out, or carries out a saved plan. Asks before\nit writes. Exit code 3 when refused or not confirmed, 4 when only a part was\nwritten; 0 also when --only-strengthening left something out.\n\n${ALLOW_TEXT}`,
      [
        ['rulewright apply', 'plan, ask, write'],
        ['rulewright apply plan.json --yes', 'carry out a saved plan'],
        ['rulewright apply --expect plan.json', 'plan afresh, if it does the same'],
        ['rulewright apply --dry-run', 'the same path without writing'],
        ['rulewright apply --yes --only-strengthening', 'heal, weaken nothing'],
        ['rulewright apply --yes --allow deleted', 'allow one kind of guard'],
      ],
    ),
  },
});
