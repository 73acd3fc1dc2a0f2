import { texts } from '../arguments.ts';
import { command } from '../command.ts';
import { listFlag, nonEmpty, switchFlag, textFlag } from '../flag.ts';
import { LIVE_FLAGS } from '../flags.ts';

/** Flags that select what to import, and where to. */
export const IMPORT_FLAGS = {
  zone: listFlag(nonEmpty, 'NAME', 'A zone, by name or id (repeatable)'),
  account: listFlag(nonEmpty, 'NAME', 'An account, by name or id (repeatable)'),
  allZones: switchFlag('All zones, of the named accounts or of all'),
  nameRules: switchFlag('Propose refs for rules that have none'),
  out: textFlag('DIR', 'Project folder (default: the nearest, or this one)'),
};

/** `rulewright import`. */
export const importCommand = command({
  run: async () => (await import('../run/import.ts')).runImport,
  brief: 'Write live state to files, or update them',
  text: `Writes live state as YAML: a project file, and one file for each zone and
account. In an existing project, it updates what changed and keeps the rest,
including comments; without a name, it takes the zones and accounts that the
project declares. For a zone that the files already declare, it follows what
they declare; --unmanaged adds the rest. A plan afterwards is empty. Nothing is
written to the service.`,
  examples: [
    ['rulewright import --zone shop.example', 'one zone'],
    ['rulewright import --account "Example Shop"', 'an account, without its zones'],
    ['rulewright import', 'what the project declares'],
    ['rulewright import --dry-run', 'show what it would change'],
    ['rulewright import --unmanaged', 'the same, and what no file declares yet'],
    ['rulewright import --all-zones --out rules', 'every zone that the token can read'],
    ['rulewright import --all-zones --account Shop', 'an account and its zones'],
    ['rulewright import --zone shop.example --name-rules', 'with readable refs'],
  ],
  flags: {
    ...IMPORT_FLAGS,
    unmanaged: switchFlag('Also declare what no file declares'),
    discard: switchFlag('Lose changes to the files that Git does not have'),
    dryRun: switchFlag(
      'Show what would change; write nothing, exit code 2 if something would, 1 if the import would refuse',
    ),
    ...LIVE_FLAGS,
  },
  positional: texts('ZONE', 'Zones, as with --zone'),
});
