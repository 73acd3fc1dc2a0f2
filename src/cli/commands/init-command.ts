import { command } from '../command.ts';
import { ciNeeds, isCiSystem, addAround, checkNoProject, hasProject, initProject } from '../../app/index.ts';
import type { CiSystem, InitResult, ProjectPlace } from '../../app/index.ts';
import { escapeText } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { tell, writeResult } from '../result.ts';
import type { FlagsOf } from '../flag.ts';
import { choiceFlag } from '../flag.ts';
import { RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { importInto, requireImportCredentials, LIVE_CHOICE_FLAGS } from './import-command.ts';

/** Flags of `init`. */
const INIT_FLAGS = {
  ...LIVE_CHOICE_FLAGS,
  ci: choiceFlag(['github', 'gitlab', 'none'], 'Write workflows too: plan, apply, drift'),
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** The values of `INIT_FLAGS`. */
type InitFlags = FlagsOf<typeof INIT_FLAGS>;

/** Zone of the example, when nobody names one. */
const EXAMPLE_ZONE = 'example.com';

/** Begins a project: by an import if live scopes are named, else with an example. An existing project only gets the workflows that are asked for. */
async function runInit(context: CliContext, flags: InitFlags): Promise<ExitCode> {
  const place = { cwd: context.cwd, out: flags.out };
  const isNamed = flags.zone !== undefined || flags.account !== undefined || flags.allZones === true;
  if (!isNamed && flags.ci !== undefined && flags.ci !== 'none' && hasProject(place)) {
    return addWorkflows(context, flags, { ...place, ci: flags.ci });
  }
  checkNoProject(place);
  const zone = isNamed ? '' : ((await context.ask?.('Zone to import (leave empty for an example): ')) ?? '');
  context.signal.throwIfAborted();
  const imports = isNamed || zone !== '';
  const importFlags = { ...flags, out: flags.out ?? '.' };
  if (imports) {
    await requireImportCredentials(context, importFlags);
  }
  const ci = await ciOf(context, flags);
  context.signal.throwIfAborted();
  if (imports) {
    const zones = zone === '' ? (flags.zone ?? []) : [zone];
    // Also when some scopes could not be read: the project exists with the others.
    return importInto(context, importFlags, zones, async () => {
      tellFiles(context, flags, await addAround({ ...place, ci }));
      tellNeeds(context, flags, ci);
    });
  }
  await writeMade(context, flags, await initProject({ ...place, zone: EXAMPLE_ZONE, ci }));
  tellNeeds(context, flags, ci);
  tell(
    context,
    flags,
    `Next: name your zone instead of ${EXAMPLE_ZONE}, then run rulewright validate and rulewright plan`,
  );
  return EXIT.done;
}

/** Adds workflows to an existing project. */
async function addWorkflows(
  context: CliContext,
  flags: InitFlags,
  place: ProjectPlace & { readonly ci: CiSystem },
): Promise<ExitCode> {
  await writeMade(context, flags, await addAround(place));
  tellNeeds(context, flags, place.ci);
  return EXIT.done;
}

/** Reports which files were made, as the result, and which existed. */
async function writeMade(context: CliContext, flags: InitFlags, result: InitResult): Promise<void> {
  await writeResult(context, flags, {
    document: () => ({
      title: 'Rulewright init',
      summary: result.made.map((path) => [`new  ${path}`]),
      body: [],
    }),
    json: () => ({ kind: 'init', formatVersion: 1, ...result }),
  });
  tellFiles(context, flags, { made: [], there: result.there });
}

/** Returns the CI system that the flag names, or that somebody answers with; null for none. */
async function ciOf(context: CliContext, flags: InitFlags): Promise<CiSystem | null> {
  const ask = async (): Promise<string> =>
    (await context.ask?.('Workflows for plan, apply and drift: github, gitlab or none (empty: none): ')) ??
    '';
  for (let name = flags.ci ?? (await ask()); name !== '' && name !== 'none'; name = await ask()) {
    if (isCiSystem(name)) {
      return name;
    }
    context.stderr.write(`There are no workflows for ${escapeText(JSON.stringify(name))}.\n`);
  }
  return null;
}

function tellNeeds(context: CliContext, flags: InitFlags, ci: CiSystem | null): void {
  if (ci !== null) {
    tell(context, flags, `CI needs ${ciNeeds(ci)}.`);
    tell(
      context,
      flags,
      'Nothing is released yet: the workflows stop until you name a copy of this repository and a package of your own (docs/gitops.md, “Before the first release”).',
    );
  }
}

function tellFiles(context: CliContext, flags: InitFlags, { made, there }: InitResult): void {
  for (const path of made) {
    tell(context, flags, `new ${escapeText(path)}`);
  }
  for (const path of there) {
    tell(context, flags, `${escapeText(path)} already exists and stays`);
  }
}

/** `rulewright init`. */
export const initCommand = command({
  run: runInit,
  text: `Writes a project that passes validate: a project file, zone files, schemas for
editors, workflows. From what is live, if you name a zone or an account.
In an existing project, --ci adds workflows. On a terminal it asks.
Overwrites nothing.`,
  examples: [
    ['rulewright init', 'asks, or writes an example'],
    ['rulewright init --zone shop.example', 'from what is live in a zone'],
    ['rulewright init --all-zones --emulator', 'try it: from the embedded service'],
    ['rulewright init --zone shop.example --ci github', 'with workflows'],
    ['rulewright init --ci gitlab', 'also in an existing project'],
    ['rulewright init --out rules', 'in another folder'],
  ],
  flags: INIT_FLAGS,
});
