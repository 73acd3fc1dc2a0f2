import { listFirewall } from '../../app/retire/firewall-zone.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { firewallListFacts, firewallListText } from '../../report/text/firewall-list.ts';
import type { OldListFlags } from '../commands/old-flags.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { runZoneList } from './zone-list.ts';

/** Lists old firewall rules and filters. */
export function runFirewallList(
  context: CliContext,
  flags: OldListFlags,
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
      facts: firewallListFacts,
    },
  );
}
