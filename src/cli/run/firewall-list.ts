import { listFirewall } from '../../app/firewall-zone.ts';
import { firewallListDocument, firewallListText } from '../../report/firewall-list-text.ts';
import type { OldListFlags } from '../commands/firewall.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { beginZone } from './zone-run.ts';

/** Lists old firewall rules and filters. */
export async function runFirewallList(
  context: CliContext,
  flags: OldListFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  const begun = await beginZone(context, flags, zone);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { choice, options } = begun;
  const found = await startProgress(context, flags, (report) => listFirewall(choice, options, report));
  await writeResult(context, flags, {
    text: (look) => firewallListText(found, look),
    json: () => firewallListDocument(found),
  });
  return EXIT.done;
}
