import { planRetiredFirewall } from '../../app/retire/firewall-retire.ts';
import type { RetireFlags } from '../commands/retire.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { runRetirement } from './retire.ts';

/** Deletes old firewall rules and filters whose conversion is live and equal. */
export function runFirewallRetire(
  context: CliContext,
  flags: RetireFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => `firewall retire ${name}`, plan: planRetiredFirewall },
  );
}
