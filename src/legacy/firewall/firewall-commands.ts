import { ZONE_ARGUMENT, ZONE_ARGUMENTS, command, commandGroup } from '../../cli/index.ts';
import { FIREWALL_CONVERT_FLAGS, ZONE_LIST_FLAGS, RETIRE_FLAGS } from '../legacy-flags.ts';

const list = command({
  run: async () => (await import('./run-firewall.ts')).runFirewallList,
  brief: 'Show old firewall rules and filters',
  text: `Lists the firewall rules of zones with their filters and priorities, and which
are paused. Says which rules share a filter, and whether they already are the
custom rules. Without a zone, it takes those of the project.`,
  examples: [
    ['rulewright firewall list', 'all zones of the project'],
    ['rulewright firewall list shop.example', 'all rules of a zone'],
    ['rulewright firewall list --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const convert = command({
  run: async () => (await import('./run-firewall.ts')).runFirewallConvert,
  brief: 'Write old firewall rules as custom rules',
  text: `Converts the firewall rules of a zone to custom rules, in their order of
execution, and writes a zone file, or adds the phase to one that exists. Without
--out, it prints the YAML, and the report goes to stderr. Old and new rules are
evaluated on generated requests. If they differ, the differences are printed and
the exit code is 2. The service is not changed.`,
  examples: [
    ['rulewright firewall convert shop.example --out zones/shop.yaml', 'a file and a report'],
    ['rulewright firewall convert shop.example --order priority', 'print the YAML'],
  ],
  flags: FIREWALL_CONVERT_FLAGS,
  positional: ZONE_ARGUMENT,
});

const retire = command({
  run: async () => (await import('./run-firewall.ts')).runFirewallRetire,
  brief: 'Delete old firewall rules whose conversion is live',
  text: `Deletes firewall rules and then their filters, one at a time, and only those
whose conversion is live and does the same. After each deletion the entry point
is read again. If it changed, the run stops and puts its content back. Deletions
cannot be undone, so they have to be allowed.`,
  examples: [
    ['rulewright firewall retire shop.example --dry-run --allow irreversible', 'show, write nothing'],
    ['rulewright firewall retire shop.example --allow irreversible', 'ask, then delete'],
  ],
  flags: RETIRE_FLAGS,
  positional: ZONE_ARGUMENT,
});

/** `rulewright firewall list|convert|retire`. */
export const firewallCommands = commandGroup({
  brief: 'Replace old firewall rules with custom rules',
  text: `Lists the deprecated firewall rules and filters of a zone, converts them to custom
rules, and deletes those whose conversion is live.`,
  examples: [
    ['rulewright firewall list shop.example', 'the rules and filters of a zone'],
    ['rulewright firewall convert shop.example --out zones/shop.yaml', 'write them as custom rules'],
    ['rulewright firewall retire shop.example --allow irreversible', 'delete those whose conversion is live'],
  ],
  routes: { list, convert, retire },
});
