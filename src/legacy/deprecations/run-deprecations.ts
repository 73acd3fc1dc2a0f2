import { folderInRepository } from '../../app/index.ts';
import { DEPRECATIONS } from '../../model/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import { EXIT, readingExit, startCounting, writeResult } from '../../cli/index.ts';
import {
  deprecationsDocument,
  deprecationsText,
  useDiagnostic,
  usesDocument,
  usesText,
  deprecationHelp,
} from './deprecations-report.ts';
import { scanDeprecations } from './scan-deprecations.ts';
import type { DeprecationsListFlags, DeprecationsScanFlags } from '../legacy-flags.ts';

/** Prints the registry of deprecations. */
export async function runList(context: CliContext, flags: DeprecationsListFlags): Promise<ExitCode> {
  const day = flags.today ?? context.today;
  await writeResult(context, flags, {
    text: (look) => deprecationsText(DEPRECATIONS, { ...look, today: day }),
    json: () => deprecationsDocument(DEPRECATIONS, day),
  });
  return EXIT.done;
}

/** Searches files for uses of what the registry lists, and prints them. */
export async function runScan(
  context: CliContext,
  flags: DeprecationsScanFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const day = flags.today ?? context.today;
  const { cwd, signal } = context;
  const result = await startCounting(context, flags, 'read', (report) =>
    scanDeprecations({ cwd, paths, signal, report }),
  );
  await writeResult(context, flags, {
    text: (look) => usesText(result, { ...look, today: day }),
    json: () => usesDocument(result, day),
    sarif: async () => {
      const { diagnosticsSarif } = await import('../../report/index.ts');
      const diagnostics = result.uses.map((use) => useDiagnostic(use, day));
      const folder = folderInRepository(cwd);
      const findings = { diagnostics, sources: new Map<string, string>() };
      return diagnosticsSarif(findings, { version: context.version(), folder, help: deprecationHelp });
    },
  });
  return readingExit({ failed: result.unread.length > 0, different: result.uses.length > 0 });
}
