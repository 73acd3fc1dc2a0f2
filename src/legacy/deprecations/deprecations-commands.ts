import {
  paths,
  command,
  commandGroup,
  EXIT,
  readingExit,
  startCounting,
  writeResult,
} from '../../cli/index.ts';
import { DEPRECATIONS_LIST_FLAGS, DEPRECATIONS_SCAN_FLAGS } from '../legacy-flags.ts';
import { folderInRepository } from '../../app/index.ts';
import { DEPRECATIONS } from '../../model/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import type { DeprecationsListFlags, DeprecationsScanFlags } from '../legacy-flags.ts';
import {
  deprecationsDocument,
  deprecationsJson,
  useDiagnostic,
  usesDocument,
  usesJson,
  deprecationHelp,
} from './deprecations-report.ts';
import { scanDeprecations } from './scan-deprecations.ts';

/** Prints the registry of deprecations. */
async function runList(context: CliContext, flags: DeprecationsListFlags): Promise<ExitCode> {
  const day = flags.today ?? context.today;
  await writeResult(context, flags, {
    document: () => deprecationsDocument(DEPRECATIONS, day),
    json: () => deprecationsJson(DEPRECATIONS, day),
  });
  return EXIT.done;
}

/** Searches files for uses of what the registry lists, and prints them. */
async function runScan(
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
    document: () => usesDocument(result, day),
    json: () => usesJson(result, day),
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

const list = command({
  run: runList,
  text: `Lists the deprecations that take effect within 90 days, later ones, and past
ones, with methods, paths, fields, and what to use instead. Needs no network.`,
  examples: [
    ['rulewright deprecations list', 'all of it'],
    ['rulewright deprecations list --format json', 'as JSON'],
  ],
  flags: DEPRECATIONS_LIST_FLAGS,
});

const scan = command({
  run: runScan,
  text: `Searches files and folders (this folder unless you name some): rules, Terraform,
OpenAPI and Postman files, recordings and access logs, scripts, source code.
Skips folders such as .git and node_modules, and binary files. Needs no network.
Exit code 2 if something is found, 1 if a file could not be read.`,
  examples: [
    ['rulewright deprecations scan', 'this folder'],
    ['rulewright deprecations scan infra access.log', 'a folder and a file'],
    ['rulewright deprecations scan --format sarif', 'for code scanning'],
  ],
  flags: DEPRECATIONS_SCAN_FLAGS,
  positional: paths('PATH', 'Files and folders (default: this folder)'),
});

/** `rulewright deprecations list|scan`. */
export const deprecationsCommands = commandGroup({
  text: `Shows what the service retires, when, and what to use instead. Finds where your
files use it.`,
  examples: [
    ['rulewright deprecations list', 'what is due soon, what is past'],
    ['rulewright deprecations scan infra', 'where a folder uses it'],
  ],
  routes: {
    list: list('Show what the service retires, by date'),
    scan: scan('Find where files use what the service retires'),
  },
});
