import { convertFirewallZone } from '../../app/retire/firewall-convert.ts';
import { firewallConversionDocument, firewallConversionText } from '../../report/text/firewall-conversion.ts';
import type { FirewallConvertFlags } from '../commands/firewall.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { runConversion } from './conversion.ts';

/** Converts old firewall rules; writes a file or prints the YAML, and tells what became of each rule. */
export function runFirewallConvert(
  context: CliContext,
  flags: FirewallConvertFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  const { order, place } = flags;
  return runConversion(
    { context, flags, zone },
    {
      phase: 'http_request_firewall_custom',
      convert: (choice, options, report) => convertFirewallZone({ ...choice, order, place }, options, report),
      text: firewallConversionText,
      document: firewallConversionDocument,
    },
  );
}
