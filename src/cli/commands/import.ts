import { command } from '../command.ts';
import { nonEmpty } from '../flag.ts';
import { IMPORT_FLAGS } from '../flags/import.ts';

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
  flags: IMPORT_FLAGS,
  positional: {
    kind: 'array',
    parameter: { parse: zoneName, placeholder: 'ZONE', brief: 'Zones, as with --zone' },
  },
});

/** Parses the name or id of a zone; explains what is taken for Terraform's `import ADDRESS ID`, or for its files. */
function zoneName(text: string): string {
  if (/\.tf(\.json|state)?$|^cloudflare_\w+\./u.test(text)) {
    throw new Error(
      'it names no zone: rulewright import --zone NAME reads what is live, with the ids that Terraform knows, and docs/import.md leads from Terraform to an empty plan',
    );
  }
  return nonEmpty(text);
}
