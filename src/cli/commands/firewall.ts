import type { Command, RouteMap } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import type { ConversionPlace, FirewallOrder } from '../../model/firewall-conversion.ts';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { OldConvertFlags, OldListFlags } from './old-flags.ts';
import { OLD_LIST_FLAGS, ZONE_FILE_FLAG } from './old-flags.ts';
import { RETIRE_FLAGS } from './retire.ts';
import type { RetireFlags } from './retire.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { ZONE_ARGUMENT } from '../zone-argument.ts';

/** Flags of `firewall convert`. */
export interface FirewallConvertFlags extends OldConvertFlags {
  readonly order?: FirewallOrder | undefined;
  readonly place?: ConversionPlace | undefined;
}

const list: Command<CommandContext> = buildCommand<OldListFlags, ZoneArguments, CommandContext>({
  func: lazily(async () => (await import('../run/firewall-list.ts')).runFirewallList),
  parameters: {
    flags: OLD_LIST_FLAGS,
    positional: ZONE_ARGUMENT,
  },
  docs: {
    brief: 'Show old firewall rules and filters',
    fullDescription: description(
      `Lists the firewall rules of a zone with their filters and priorities, and which
are paused. Says which rules share a filter, and whether they already are the
custom rules.`,
      [['rulewright firewall list shop.example', 'all rules of a zone']],
    ),
  },
});

const convert: Command<CommandContext> = buildCommand<FirewallConvertFlags, ZoneArguments, CommandContext>({
  func: lazily(async () => (await import('../run/firewall-convert.ts')).runFirewallConvert),
  parameters: {
    flags: {
      ...ZONE_FILE_FLAG,
      order: {
        kind: 'enum',
        values: ['list', 'priority'],
        optional: true,
        brief: 'The order in which the zone runs its rules',
      },
      place: {
        kind: 'enum',
        values: ['first', 'last'],
        optional: true,
        brief: 'Before or after other custom rules',
      },
      ...OLD_LIST_FLAGS,
    },
    positional: ZONE_ARGUMENT,
  },
  docs: {
    brief: 'Write old firewall rules as custom rules',
    fullDescription: description(
      `Converts the firewall rules of a zone to custom rules, in their order of
execution, and writes a zone file. Without --out, it prints the YAML, and the
report goes to stderr. Both worlds are evaluated on generated requests. If they
differ, the differences are printed and the exit code is 2. The service is not
changed.`,
      [
        ['rulewright firewall convert shop.example --out zones/shop.yaml', 'a file and a report'],
        ['rulewright firewall convert shop.example --order priority', 'print the YAML'],
      ],
    ),
  },
});

const retire: Command<CommandContext> = buildCommand<RetireFlags, ZoneArguments, CommandContext>({
  func: lazily(async () => (await import('../run/firewall-retire.ts')).runFirewallRetire),
  parameters: { flags: RETIRE_FLAGS, positional: ZONE_ARGUMENT },
  docs: {
    brief: 'Delete old firewall rules whose conversion is live',
    fullDescription: description(
      `Deletes firewall rules and then their filters, one at a time, and only those
whose conversion is live and does the same. After each deletion the entry point
is read again. If it changed, the run stops and puts its content back. Deletions
cannot be undone, so they have to be allowed.`,
      [
        ['rulewright firewall retire shop.example --dry-run --allow irreversible', 'show, write nothing'],
        ['rulewright firewall retire shop.example --allow irreversible', 'ask, then delete'],
      ],
    ),
  },
});

/** `rulewright firewall list|convert|retire`. */
export const firewallCommands: RouteMap<CommandContext> = buildRouteMap({
  routes: { list, convert, retire },
  docs: {
    brief: 'Replace old firewall rules with custom rules',
    fullDescription: `Lists the deprecated firewall rules and filters of a zone, converts them to custom
rules, and deletes those whose conversion is live.

EXAMPLES
  rulewright firewall list shop.example
  rulewright firewall convert shop.example --out zones/shop.yaml
  rulewright firewall retire shop.example --allow irreversible`,
  },
});
