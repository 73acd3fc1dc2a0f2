import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import type { GuardKind } from '../../model/plan.ts';
import { ALLOWED, ALLOW_TEXT } from '../allow-flag.ts';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { ResultFlags, SelectionFlags, ServiceFlags } from '../flags.ts';
import { RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS, between, nonEmpty } from '../flags.ts';
import { RULESET_ARGUMENTS } from '../ruleset-arguments.ts';
import type { RulesetArguments } from '../ruleset-arguments.ts';

/** Flags of `rollback`. */
export interface RollbackFlags extends ResultFlags, ServiceFlags, Pick<SelectionFlags, 'config'> {
  readonly to: number;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly allow?: readonly (GuardKind | 'all')[] | undefined;
  readonly writes: 'auto' | 'rules' | 'ruleset';
  readonly preflight: 'auto' | 'off';
  readonly journal?: string | undefined;
}

/** `rulewright rollback`. */
export const rollbackCommand: Command<CommandContext> = buildCommand<
  RollbackFlags,
  RulesetArguments,
  CommandContext
>({
  func: lazily(async () => (await import('../run/rollback.ts')).runRollback),
  parameters: {
    flags: {
      to: {
        kind: 'parsed',
        parse: between(1, Number.MAX_SAFE_INTEGER),
        placeholder: 'N',
        brief: 'The version to go back to',
      },
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
      config: SELECTION_FLAGS.config,
      ...SERVICE_FLAGS,
      ...RESULT_FLAGS,
    },
    positional: RULESET_ARGUMENTS,
  },
  docs: {
    brief: 'Give a ruleset the rules of an earlier version',
    fullDescription: description(
      `Plans the way from what is live to a version of the ruleset, shows the plan,\nasks, and carries it out as apply does. Rules that still exist keep their ids.\n\n${ALLOW_TEXT}`,
      [
        ['rulewright rollback shop.example http_ratelimit --to 3', 'ask, write'],
        ['rulewright rollback account:Shop ddos_l7 --to 3 --dry-run', 'only look'],
      ],
    ),
  },
});
