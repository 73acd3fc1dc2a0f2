import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { PLAN_FORMATS } from '../formats.ts';
import type { PlanFormat } from '../formats.ts';
import type { BoundFlags, CacheFlags, SelectionFlags, ServiceFlags } from '../flags.ts';
import { BOUND_FLAGS, CACHE_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS, between } from '../flags.ts';
import { PATHS } from '../paths.ts';
import type { ObservedFlags, PartFlags } from '../part-flags.ts';
import { OBSERVED_FLAGS, PART_FLAGS } from '../part-flags.ts';

/** Flags of `drift`. */
export interface DriftFlags
  extends
    FormFlags<PlanFormat>,
    SelectionFlags,
    PartFlags,
    ObservedFlags,
    ServiceFlags,
    CacheFlags,
    BoundFlags {
  readonly sweep?: number | undefined;
}

/** `rulewright drift`. */
export const driftCommand: Command<CommandContext> = buildCommand<
  DriftFlags,
  readonly string[],
  CommandContext
>({
  func: lazily(async () => (await import('../run/drift.ts')).runDrift, 'drift'),
  parameters: {
    flags: {
      sweep: {
        kind: 'parsed',
        parse: between(1, 365),
        optional: true,
        placeholder: 'DAYS',
        brief: 'Each scope in full once in so many days; else 7',
      },
      ...BOUND_FLAGS,
      ...SELECTION_FLAGS,
      ...PART_FLAGS,
      ...CACHE_FLAGS,
      ...SERVICE_FLAGS,
      ...OBSERVED_FLAGS,
      ...RESULT_FLAGS,
      ...formFlags(PLAN_FORMATS),
    },
    positional: PATHS,
  },
  docs: {
    brief: 'Show how live differs from the files; writes nothing',
    fullDescription: description(
      'Shows what was changed live and not in the files. Nothing is ever written to the\nservice. Exit code 2 when there is drift, 1 when a scope could not be read.',
      [
        ['rulewright drift', 'the whole project'],
        ['rulewright drift --shard 1/8', 'an eighth of the scopes'],
        ['rulewright drift --target zone:shop.example', 'one zone'],
        ['rulewright drift --max-requests 600', 'the longest unread'],
        ['rulewright drift --format json --output drift.json', 'for machines'],
      ],
    ),
  },
});
