import { addAround, checkNoProject, initProject } from '../../app/init.ts';
import type { InitResult } from '../../app/init.ts';
import { escapeText } from '../../report/escape.ts';
import type { InitFlags } from '../commands/init.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { tell, writeResult } from '../result.ts';
import { importInto } from './import.ts';

/** What an example is for where nobody names a zone. */
const EXAMPLE_ZONE = 'example.com';

/** Begins a project: from live where something is named, else with an example. */
export async function runInit(context: CliContext, flags: InitFlags): Promise<ExitCode> {
  const place = { cwd: context.cwd, ...(flags.out === undefined ? {} : { out: flags.out }) };
  checkNoProject(place);
  const isNamed = flags.zone !== undefined || flags.account !== undefined || flags.allZones === true;
  const answer =
    isNamed || context.ask === null
      ? ''
      : await context.ask('Zone to begin with, as it is live (empty: an example): ');
  if (context.signal.aborted) {
    tell(context, flags, 'Interrupted. Nothing was written.');
    return EXIT.interrupted;
  }
  const zones = answer === '' ? (flags.zone ?? []) : [answer];
  if (isNamed || answer !== '') {
    const code = await importInto(context, { ...flags, out: flags.out ?? '.' }, zones);
    if (code === EXIT.done) {
      tellFiles(context, flags, await addAround(place));
    }
    return code;
  }
  const result = await initProject({ ...place, zone: EXAMPLE_ZONE });
  await writeResult(context, flags, {
    text: () => result.made.map((path) => `made  ${escapeText(path)}\n`).join(''),
    json: () => ({ kind: 'init', formatVersion: 1, ...result }),
  });
  tellFiles(context, flags, { made: [], there: result.there });
  tell(
    context,
    flags,
    `Next: name your zone instead of ${EXAMPLE_ZONE}, then run rulewright validate and rulewright plan`,
  );
  return EXIT.done;
}

function tellFiles(context: CliContext, flags: InitFlags, { made, there }: InitResult): void {
  for (const path of made) {
    tell(context, flags, `made ${escapeText(path)}`);
  }
  for (const path of there) {
    tell(context, flags, `${escapeText(path)} was there already and stays`);
  }
}
