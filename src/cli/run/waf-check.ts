import { projectFolder } from '../../app/project-folder.ts';
import { checkWaf } from '../../app/waf-check.ts';
import { wafNextAfterCheck } from '../../app/waf-next.ts';
import type { RemovedOverrides } from '../../app/waf-overrides.ts';
import { removeOverrides } from '../../app/waf-overrides.ts';
import type { ScopeRef } from '../../model/scope.ts';
import type { WafCheck } from '../../model/waf-migration.ts';
import { counted } from '../../report/count.ts';
import { escapeText } from '../../report/escape.ts';
import { checksText } from '../../report/waf-text.ts';
import type { WafCheckFlags } from '../commands/waf.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { stderrLook, tell, writeResult } from '../result.ts';
import { selectionOf, usage } from '../service-choice.ts';
import type { WafRun } from './waf.ts';
import { startWaf } from './waf.ts';

/** Looks whether zones can be migrated; with `--remove-overrides` mends one of them. */
export async function runWafCheck(
  context: CliContext,
  flags: WafCheckFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  const [zone, ...others] = zones;
  if (flags.removeOverrides === true && (zone === undefined || others.length > 0)) {
    throw usage('--remove-overrides works on one zone', 'name it, one at a time');
  }
  const run = await startWaf(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const checks = await startProgress(context, flags, (report) =>
    checkWaf({ zones, guards }, options, report),
  );
  const [first] = checks;
  if (flags.removeOverrides === true && zone !== undefined && (first?.overrides.length ?? 0) > 0) {
    return remove({ context, flags, run, zone }, checks);
  }
  await writeResult(context, flags, {
    text: (look) => checksText(checks, wafNextAfterCheck, look),
    json: () => ({ kind: 'waf-check', formatVersion: 1, zones: checks }),
  });
  return readingExit({
    failed: checks.some(({ standing, notChecked }) => standing.kind === 'failed' || notChecked.length > 0),
    different: checks.some(({ blockers }) => blockers.length > 0),
  });
}

interface Removing {
  readonly context: CliContext;
  readonly flags: WafCheckFlags;
  readonly run: Extract<WafRun, { readonly kind: 'ready' }>;
  readonly zone: ScopeRef;
}

/** Shows the overrides, asks, deletes them. */
async function remove(
  { context, flags, run, zone }: Removing,
  checks: readonly WafCheck[],
): Promise<ExitCode> {
  const shown = checks.flatMap(({ overrides }) => overrides);
  context.stderr.write(checksText(checks, () => null, stderrLook(context, flags)));
  const count = counted(shown.length, 'override');
  if (flags.yes !== true) {
    const asked = await context.confirm?.(
      `Delete ${count} of ${escapeText(zone.name)} for good? Only "yes" does it: `,
    );
    if (asked !== true) {
      tell(context, flags, 'Not confirmed. Nothing was written. To delete them without a question: --yes');
      return EXIT.refused;
    }
  }
  const folder = await projectFolder(selectionOf(context, flags, []));
  const { guards, options } = run;
  const removed = await startProgress(context, flags, (report) =>
    removeOverrides({ zone, guards, shown }, { options, folder }, report),
  );
  await writeResult(context, flags, {
    text: () => removedText(removed),
    json: () => ({ formatVersion: 1, ...removed, kind: 'waf-overrides', result: removed.kind }),
  });
  return { done: EXIT.done, partial: EXIT.partial, failed: EXIT.failed, refused: EXIT.refused }[removed.kind];
}

function removedText({ deleted, left, snapshot, message, hint }: RemovedOverrides): string {
  return [
    `Deleted ${counted(deleted.length, 'override')}${left.length === 0 ? '' : `, ${left.length} left: ${left.join(', ')}`}.`,
    ...(message === undefined ? [] : [escapeText(message)]),
    ...(hint === undefined ? [] : [`hint: ${escapeText(hint)}`]),
    ...(snapshot === null ? [] : [`snapshot: ${escapeText(snapshot)}`]),
    '',
  ].join('\n');
}
