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
  return planRetirement(choice, { options, report }, async (reached, baseUrl) => {
    const zone = await readFirewallZone(reached);
    return planFirewallRetirement({ ...zone, baseUrl, tokenEnv: reached.tokenEnv });
  });
}
