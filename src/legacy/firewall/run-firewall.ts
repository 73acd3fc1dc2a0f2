import type { ScopeRef } from '../../model/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import type { ZoneListFlags, RetireFlags } from '../legacy-flags.ts';
import { runZoneList } from '../run-zone-list.ts';
import { runConversion } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { firewallConversionText, firewallListText } from './firewall-report.ts';
import { convertFirewallZone, listFirewall, planRetiredFirewall } from './firewall-zone.ts';
import type { FirewallConvertFlags } from '../legacy-flags.ts';

/** Lists old firewall rules and filters. */
export function runFirewallList(
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
      text: firewallListText,
      facts: ({ scope, world, rules, filters }) => ({ scope, world, rules, filters }),
    },
  );
}

/** Converts old firewall rules; writes a file or prints the YAML, and reports what became of each rule. */
export function runFirewallConvert(
  context: CliContext,
  flags: FirewallConvertFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  const { order, place } = flags;
  return runConversion(
    { context, flags, zone },
    {
      phase: 'http_request_firewall_custom',
      convert: (choice, options, report) => convertFirewallZone({ ...choice, order, place }, options, report),
      text: firewallConversionText,
      kind: 'firewall-conversion',
    },
  );
}

/** Deletes old firewall rules and filters whose conversion is live and equal. */
export function runFirewallRetire(
  context: CliContext,
  flags: RetireFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => ['firewall', 'retire', name], plan: planRetiredFirewall },
  );
}
