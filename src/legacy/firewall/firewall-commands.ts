import { ZONE_ARGUMENT, ZONE_ARGUMENTS, command, commandGroup } from '../../cli/index.ts';
import { FIREWALL_CONVERT_FLAGS, ZONE_LIST_FLAGS, RETIRE_FLAGS } from '../legacy-flags.ts';
import type { ScopeRef } from '../../model/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import type { ZoneListFlags, RetireFlags, FirewallConvertFlags } from '../legacy-flags.ts';
import { runZoneList } from '../run-zone-list.ts';
import { runConversion } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { firewallConversionDocument, firewallListSection } from './firewall-report.ts';
import { convertFirewallZone, listFirewall, planRetiredFirewall } from './firewall-zone.ts';

/** Lists old firewall rules and filters. */
function runFirewallList(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return runZoneList(
    { context, flags, zones },
    {
      read: listFirewall,
      kind: 'firewall-rules',
      things: 'firewall rules or filters',
      isEmpty: ({ rules, filters }) => rules.length === 0 && filters.length === 0,
      title: 'Rulewright firewall list',
      section: firewallListSection,
      facts: ({ scope, world, rules, filters }) => ({ scope, world, rules, filters }),
    },
  );
}

/** Converts old firewall rules; writes a file or prints the YAML, and reports what became of each rule. */
function runFirewallConvert(
  context: CliContext,
  flags: FirewallConvertFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  const { order, place } = flags;
  return runConversion(
    { context, flags, zone },
    {
      phases: ['http_request_firewall_custom'],
      convert: (choice, options, report) => convertFirewallZone({ ...choice, order, place }, options, report),
      document: firewallConversionDocument,
      kind: 'firewall-conversion',
    },
  );
}

/** Deletes old firewall rules and filters whose conversion is live and equal. */
function runFirewallRetire(context: CliContext, flags: RetireFlags, zone: ScopeRef): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => ['firewall', 'retire', name], plan: planRetiredFirewall },
  );
}

const list = command({
  run: runFirewallList,
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
  run: runFirewallConvert,
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
  run: runFirewallRetire,
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
  text: `Lists the deprecated firewall rules and filters of a zone, converts them to custom
rules, and deletes those whose conversion is live.`,
  examples: [
    ['rulewright firewall list shop.example', 'the rules and filters of a zone'],
    ['rulewright firewall convert shop.example --out zones/shop.yaml', 'write them as custom rules'],
    ['rulewright firewall retire shop.example --allow irreversible', 'delete those whose conversion is live'],
  ],
  routes: {
    list: list('Show old firewall rules and filters'),
    convert: convert('Write old firewall rules as custom rules'),
    retire: retire('Delete old firewall rules whose conversion is live'),
  },
});
