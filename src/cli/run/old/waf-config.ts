import { wafConfiguration } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import { configurationText } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import type { LiveFlags } from '../../flags.ts';
import { startProgress } from '../../progress.ts';
import { stderrLook, writeResult } from '../../result.ts';
import { startGuarded } from '../guarded.ts';
import { tellOutsideProject } from './outside-project.ts';

/** Prints the generated configuration as YAML; old and new settings side by side go to stderr. */
export async function runWafConfig(context: CliContext, flags: LiveFlags, zone: ScopeRef): Promise<ExitCode> {
  const run = await startGuarded(context, flags);
  if (run.kind === 'ended') {
    return run.code;
  }
  const { guards, options } = run;
  const { configuration, yaml } = await startProgress(context, flags, (report) =>
    wafConfiguration({ zone, guards }, options, report),
  );
  await writeResult(context, flags, {
    text: () => yaml,
    json: () => ({ kind: 'waf-configuration', formatVersion: 1, ...configuration, yaml }),
  });
  if (flags.quiet !== true) {
    context.stderr.write(configurationText(configuration, stderrLook(context, flags)));
  }
  if (flags.output !== undefined && flags.format === 'text') {
    await tellOutsideProject(context, flags, flags.output);
  }
  return configuration.notChecked.length > 0 ? EXIT.failed : EXIT.done;
}
