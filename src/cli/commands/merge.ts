import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { ResultFlags, SelectionFlags } from '../flags.ts';
import { EACH_SCOPE, RESULT_FLAGS, SELECTION_FLAGS, formatFlag, nonEmpty } from '../flags.ts';
import { PLAN_FORMATS } from '../formats.ts';
import type { PlanFormat } from '../formats.ts';

/** Flags of `merge`. */
export interface MergeFlags extends ResultFlags<PlanFormat>, Pick<SelectionFlags, 'config'> {
  readonly out?: string | undefined;
  readonly partial?: boolean | undefined;
  readonly exitCode?: boolean | undefined;
}

/** `rulewright merge`. */
export const mergeCommand: Command<CommandContext> = buildCommand<
  MergeFlags,
  readonly string[],
  CommandContext
>({
  func: lazily(async () => (await import('../run/merge.ts')).runMerge),
  parameters: {
    flags: {
      out: {
        kind: 'parsed',
        parse: nonEmpty,
        optional: true,
        placeholder: 'FILE',
        brief: 'Save the plan, or the journal, of the whole run',
      },
      partial: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Shards may be missing; exit code 1 when they are',
      },
      exitCode: {
        kind: 'boolean',
        optional: true,
        withNegated: false,
        brief: 'Exit code 2 when plans have changes',
      },
      config: SELECTION_FLAGS.config,
      ...RESULT_FLAGS,
      format: formatFlag(PLAN_FORMATS),
      ...EACH_SCOPE,
    },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: nonEmpty,
        placeholder: 'FILE',
        brief: 'Plans, drift reports or journals of the shards',
      },
    },
  },
  docs: {
    brief: 'Put plans, drift reports or journals of shards together',
    fullDescription: description(
      'Makes of what the shards of a run wrote what one machine would have written, with\nwhat the guards say about the whole. Shards that do not belong together, two of the\nsame part and missing ones are refused.',
      [
        ['rulewright merge plan-*.json --out plan.json', 'the plan of all shards'],
        ['rulewright merge drift-*.json', 'exit code 2 when any drifted'],
        ['rulewright merge journal-*.jsonl --out all.jsonl', 'one journal'],
      ],
    ),
  },
});
