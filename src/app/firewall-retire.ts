import { planFirewallRetirement } from '../migrate/firewall-retire.ts';
import type { Report } from './events.ts';
import { readFirewallZone } from './firewall-zone.ts';
import { planRetirement } from './retire.ts';
import type { RetirementResult } from './retire.ts';
import type { ServiceOptions } from './service-options.ts';
import type { ZoneChoice } from './zone-choice.ts';

/** Plans which old rules and filters of a zone can go. Writes nothing. */
export function planRetiredFirewall(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: Report,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async (client, baseUrl) => {
    const zone = await readFirewallZone(client, choice.zone);
    return planFirewallRetirement({ ...zone, baseUrl, tokenEnv: choice.tokenEnv });
  });
}
