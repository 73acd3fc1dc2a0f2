import type { FlagParametersForType } from '@stricli/core';
import type { GuardKind } from '../model/plan.ts';
import { GUARD_KINDS } from '../model/plan.ts';
import type { CommandContext } from './context.ts';
import { fileFlag, switchFlag } from './flag.ts';

/** What `--allow` takes: the kinds of guards, and all of them. */
export const ALLOWED: readonly (GuardKind | 'all')[] = [...GUARD_KINDS, 'all'];

/** What `--allow` takes, for help: six to a line. */
export const ALLOW_TEXT: string = `Guards (kinds for --allow):\n  ${ALLOWED.slice(0, 6).join(', ')},\n  ${ALLOWED.slice(6, -1).join(', ')}, or all`;

/** How a command that writes goes about it. */
export interface WriteFlags {
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly allow?: readonly (GuardKind | 'all')[] | undefined;
  readonly writes: 'auto' | 'rules' | 'ruleset';
  readonly preflight: 'auto' | 'off';
  readonly onFailure: 'stop' | 'rollback';
  readonly journal?: string | undefined;
}

/** Parameters of `WriteFlags`. */
export const WRITE_FLAGS: FlagParametersForType<WriteFlags, CommandContext> = {
  dryRun: switchFlag('Do everything except the writes'),
  yes: switchFlag('Do not ask'),
  allow: {
    kind: 'enum',
    values: ALLOWED,
    optional: true,
    variadic: true,
    placeholder: 'KIND',
    brief: 'Allow what this guard refuses (repeatable)',
  },
  writes: {
    kind: 'enum',
    values: ['auto', 'rules', 'ruleset'],
    default: 'auto',
    brief: 'One request per rule or ruleset',
  },
  preflight: {
    kind: 'enum',
    values: ['auto', 'off'],
    default: 'auto',
    brief: 'Have the service check writes',
  },
  onFailure: {
    kind: 'enum',
    values: ['stop', 'rollback'],
    default: 'stop',
    brief: 'What to do after a failure',
  },
  journal: fileFlag('FILE', 'Journal (default: .rulewright/journal.jsonl)'),
};
