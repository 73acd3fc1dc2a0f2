import type { GuardKind } from '../model/plan.ts';
import { GUARD_KINDS } from '../model/plan.ts';
import { twoColumns } from './columns.ts';
import { fileFlag, switchFlag } from './flag.ts';
import type { FlagsFor } from './flag.ts';

/** What `--allow` takes: the kinds of guards, and all of them. */
const ALLOWED: readonly (GuardKind | 'all')[] = [...GUARD_KINDS, 'all'];

/** What each kind lets pass. */
const LETS_PASS: Readonly<Record<GuardKind | 'all', string>> = {
  deleted: 'more rules are deleted than max_deleted',
  changed: 'more rules are changed than max_changed',
  emptied: 'a ruleset loses all of its rules',
  unnamed: 'a rule is deleted that nobody named',
  protected: 'a protected rule is changed, moved or deleted',
  weakened: 'protection gets weaker (refused only if the files say so)',
  'every-request': 'a rule comes to end every request (refused only if the files say so)',
  quota: 'the plan level of a zone has no room (never refused)',
  irreversible: 'what is deleted cannot come back',
  referenced: 'a custom ruleset is deleted that a rule still names',
  settings: 'the guards themselves change (with --settings-from)',
  foreign: 'a whole rollback touches rules of others (never refused)',
  incomplete: 'a saved plan lacks scopes',
  all: 'all of these',
};

/** What `--allow` takes, for help. */
export const ALLOW_TEXT: string = `Guards (kinds for --allow), and what each lets pass:\n${twoColumns(
  ALLOWED.map((kind) => [kind, LETS_PASS[kind]]),
  Math.max(...ALLOWED.map((kind) => kind.length)),
).trimEnd()}`;

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
export const WRITE_FLAGS: FlagsFor<WriteFlags> = {
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
