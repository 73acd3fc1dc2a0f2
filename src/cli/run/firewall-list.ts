import { listFirewall } from '../../app/retire/firewall-zone.ts';
import { firewallListDocument, firewallListText } from '../../report/text/firewall-list.ts';
import type { OldListFlags } from '../commands/old-flags.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { runZoneList } from './zone-list.ts';

/** Lists old firewall rules and filters. */
export function runFirewallList(
  context: CliContext,
  flags: OldListFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  return runZoneList(
    { context, flags, zone },
    { read: listFirewall, text: firewallListText, document: firewallListDocument },
  );
}
