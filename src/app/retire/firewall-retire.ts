import { planFirewallRetirement } from '../../migrate/firewall-retire.ts';
import type { Report } from '../events.ts';
import { readFirewallZone } from './firewall-zone.ts';
import { planRetirement } from './retire.ts';
import type { RetirementChoice, RetirementResult } from './retire.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Plans which old rules and filters of a zone can go. Writes nothing. */
export function planRetiredFirewall(
  choice: RetirementChoice,
  options: ServiceOptions,
  report: Report,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async (client, baseUrl) => {
    const zone = await readFirewallZone(client, choice.zone);
    return planFirewallRetirement({ ...zone, baseUrl, tokenEnv: choice.tokenEnv });
  });
}
