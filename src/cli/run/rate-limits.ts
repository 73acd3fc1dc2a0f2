import { claimOf, writeConverted } from '../../app/converted-file.ts';
import {
  convertZoneRateLimits,
  listZoneRateLimits,
  planRetiredRateLimits,
} from '../../app/rate-limits-zone.ts';
import {
  rateLimitConversionDocument,
  rateLimitConversionText,
  rateLimitsDocument,
  rateLimitsText,
} from '../../report/rate-limits-text.ts';
import type { OldListFlags } from '../commands/firewall.ts';
import type { RateLimitsConvertFlags } from '../commands/rate-limits.ts';
import type { RetireFlags } from '../commands/retire.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { stderrLook, tell, writeResult } from '../result.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { runRetirement } from './retire.ts';
import { beginZone } from './zone-run.ts';

const PHASE = 'http_ratelimit';

/** Lists old rate limits. */
export async function runRateLimitsList(
  context: CliContext,
  flags: OldListFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  const begun = await beginZone(context, flags, zone);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { choice, options } = begun;
  const found = await startProgress(context, flags, (report) => listZoneRateLimits(choice, options, report));
  await writeResult(context, flags, {
    text: (look) => rateLimitsText(found, look),
    json: () => rateLimitsDocument(found),
  });
  return EXIT.done;
}

/** Converts old rate limits; writes a file or prints the YAML, and tells what is lost. */
export async function runRateLimitsConvert(
  context: CliContext,
  flags: RateLimitsConvertFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  const begun = await beginZone(context, flags, zone);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { choice, options, guards } = begun;
  const found = await startProgress(context, flags, (report) =>
    convertZoneRateLimits(
      { ...choice, fitPlan: flags.fitPlan === true, ownership: guards.ownership },
      options,
      report,
    ),
  );
  const { scope, yaml, result, equivalence } = found;
  const { out, config } = flags;
  if (out !== undefined && yaml !== null) {
    await writeConverted(
      { cwd: context.cwd, path: out, config, scopes: guards.scopes },
      { scope, phase: PHASE, yaml },
    );
  }
  const file = yaml === null ? null : (out ?? null);
  const report = { ...found, file, claim: claimOf(guards.scopes, scope, PHASE) };
  if (flags.format === 'text' && file === null && yaml !== null) {
    tell(context, flags, rateLimitConversionText(report, stderrLook(context, flags)).trimEnd());
    await writeResult(context, flags, { text: () => yaml, json: () => null });
  } else {
    await writeResult(context, flags, {
      text: (look) => rateLimitConversionText(report, look),
      json: () => rateLimitConversionDocument(report),
    });
  }
  return result.kind === 'refused'
    ? EXIT.refused
    : equivalence !== null && equivalence.differences.length > 0
      ? EXIT.differences
      : EXIT.done;
}

/** Deletes old rate limits whose conversion is live and equal. */
export function runRateLimitsRetire(
  context: CliContext,
  flags: RetireFlags,
  ...[zone]: ZoneArguments
): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => `ratelimits retire ${name}`, plan: planRetiredRateLimits },
  );
}
