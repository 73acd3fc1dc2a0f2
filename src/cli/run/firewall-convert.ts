import { claimOf, writeConverted } from '../../app/converted-file.ts';
import { convertFirewallZone } from '../../app/firewall-convert.ts';
import type { FirewallConversion } from '../../app/firewall-convert.ts';
import type { Guards } from '../../app/project-guards.ts';
import { firewallConversionDocument, firewallConversionText } from '../../report/firewall-conversion-text.ts';
import type { FirewallConvertFlags } from '../commands/firewall.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { stderrLook, tell, writeResult } from '../result.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { beginZone } from './zone-run.ts';

const PHASE = 'http_request_firewall_custom';

/** Converts old firewall rules; writes a file or prints the YAML, and tells what became of each rule. */
export async function runFirewallConvert(
  context: CliContext,
  flags: FirewallConvertFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  const begun = await beginZone(context, flags, zone);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { choice, options, guards } = begun;
  const { order, place } = flags;
  const conversion = await startProgress(context, flags, (report) =>
    convertFirewallZone({ ...choice, order, place, ownership: guards.ownership }, options, report),
  );
  const file = await writeFile(context, flags, conversion, guards);
  const report = { ...conversion, file, claim: claimOf(guards.scopes, conversion.scope, PHASE) };
  if (flags.format === 'text' && file === null && conversion.yaml !== null) {
    tell(context, flags, firewallConversionText(report, stderrLook(context, flags)).trimEnd());
    await writeResult(context, flags, { text: () => conversion.yaml ?? '', json: () => null });
  } else {
    await writeResult(context, flags, {
      text: (look) => firewallConversionText(report, look),
      json: () => firewallConversionDocument(report),
    });
  }
  return exitOf(conversion);
}

async function writeFile(
  { cwd }: CliContext,
  { out, config }: FirewallConvertFlags,
  { scope, yaml }: FirewallConversion,
  { scopes }: Guards,
): Promise<string | null> {
  if (out === undefined || yaml === null) {
    return null;
  }
  await writeConverted({ cwd, path: out, config, scopes }, { scope, phase: PHASE, yaml });
  return out;
}

function exitOf({ result, equivalence }: FirewallConversion): ExitCode {
  if (result.kind === 'refused') {
    return EXIT.refused;
  }
  return equivalence !== null && equivalence.differences.length > 0 ? EXIT.differences : EXIT.done;
}
