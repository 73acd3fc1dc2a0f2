import type { AllowableKind, AllowedKinds } from '../model/index.ts';
import { ALLOWABLE_KINDS } from '../model/index.ts';
import { twoColumns } from './columns.ts';
import type { FlagsOf } from './flag.ts';
import { choiceFlag, choiceFlagOr, keptFlag, switchFlag } from './flag.ts';

/** Values of `--allow`: the kinds of guards that can be allowed, and all of them. */
const ALLOWED: AllowedKinds = [...ALLOWABLE_KINDS, 'all'];

/** What each kind of `--allow` lets pass. */
const LETS_PASS: Readonly<Record<AllowableKind | 'all', string>> = {
  deleted: 'more rules are deleted than max_deleted',
  changed: 'more rules are changed than max_changed',
  scopes: 'more zones and accounts change than max_scopes',
  emptied: 'a ruleset loses all of its rules',
  unnamed: 'a rule without a ref of its own is deleted',
  protected: 'a protected rule is changed, moved or deleted',
  weakened: 'protection gets weaker (refused only if the files say so)',
  'every-request': 'a rule newly stops or redirects every request (refused only if the files say so)',
  unprotected: 'a rule newly lets every request past protection (refused only if the files say so)',
  quota: 'a zone has more than its plan level includes (never refused)',
  irreversible: 'what is deleted cannot come back',
  settings: 'the guards themselves change (with --settings-from)',
  foreign: 'a ruleset that also holds rules of others is deleted (never refused in a rollback)',
  incomplete: 'a saved plan lacks scopes that could not be planned',
  'newly-blocked': 'more recorded requests are newly blocked than max_newly_blocked',
  'not-replayed': 'too little is known of recorded requests (refused only if the files limit them)',
  'not-ended': 'a rule that protects until some time is deleted before it',
  all: 'all of these',
};

/** Returns the help about `--allow` for a command in which the guards `never` do not occur. */
export function allowText(never: readonly AllowableKind[]): string {
  const kinds = ALLOWED.filter((kind) => kind === 'all' || !never.includes(kind));
  const rows = kinds.map((kind) => [kind, LETS_PASS[kind]] as const);
  const width = Math.max(...kinds.map((kind) => kind.length));
  return `Guards, and what --allow KIND lets pass:\n${twoColumns(rows, width).trimEnd()}`;
}

/** Flags of commands that write. */
export const WRITE_FLAGS = {
  dryRun: switchFlag('Do everything except the writes'),
  yes: switchFlag('Do not ask'),
  allow: {
    ...choiceFlag(ALLOWED, 'Allow what these guards refuse (repeatable)'),
    variadic: ',',
    placeholder: 'KIND[,KIND]',
  } as const,
  writes: choiceFlagOr(['auto', 'rules', 'ruleset'], 'One request per rule or ruleset'),
  preflight: choiceFlagOr(['auto', 'off'], 'Have the service check writes'),
  onFailure: choiceFlag(['stop', 'rollback'], 'What to do after a failure (default: stop)'),
  journal: keptFlag('journal', 'FILE', 'Journal (default: .rulewright/journal.jsonl)'),
};

/** The values of `WRITE_FLAGS`. */
export type WriteFlags = FlagsOf<typeof WRITE_FLAGS>;
