import type { TargetFilter } from '../../app/index.ts';
import type { Outcome } from '../../model/index.ts';
import { shellWord } from '../../text/index.ts';
import type { ProjectFlags, ServiceFlags } from '../flags.ts';
import type { ApplyFlags } from './apply-run.ts';

/**
 * Returns the command that goes on after an apply that did not do everything. Where live moved, the run was refused or put its writes back, there is
 * something to look at first: the command is `plan`, without what was allowed for another state. Otherwise it is `apply`, which plans afresh. `paths` are project files,
 * so there are none after a saved plan.
 */
export function rerunCommand(
  flags: ApplyFlags,
  paths: readonly string[],
  outcomes: readonly Outcome[],
  isToLook: boolean,
): string {
  const look =
    isToLook ||
    outcomes.some(
      (outcome) =>
        outcome.kind === 'refused' ||
        outcome.kind === 'conflict' ||
        (outcome.kind === 'failed' && outcome.code !== 'apply/interrupted'),
    );
  return look
    ? commandText(['plan', ...paths, ...whereWords(flags)])
    : commandText(['apply', ...paths, ...optionWords(flags)]);
}

/** Returns the command that carries out the wave which comes first; nothing is allowed yet that it may need. */
export function waveCommand(flags: ApplyFlags, paths: readonly string[], wave: number): string {
  return commandText(['apply', ...paths, ...optionWords({ ...flags, allow: undefined, wave })]);
}

/** Returns the command that carries a saved plan out, with the project and the service that it was made for. */
export function carryOutCommand(
  flags: ServiceFlags & ProjectFlags & Pick<ApplyFlags, 'allow'>,
  plan: string,
): string {
  return commandText(['apply', plan, ...placeWords(flags), ...allowWords(flags.allow)]);
}

/** Returns the flags that say what to apply, where and how; not those about asking, looking and printing. */
export function optionWords(flags: ApplyFlags): readonly string[] {
  return [
    ...whereWords(flags),
    ...option('--expect', flags.expect),
    ...allowWords(flags.allow),
    ...(flags.writes === 'auto' ? [] : ['--writes', flags.writes]),
    ...(flags.preflight === 'off' ? ['--preflight', 'off'] : []),
    ...(flags.onlyStrengthening === true ? ['--only-strengthening'] : []),
    ...option('--on-failure', flags.onFailure),
    ...option('--wave', flags.wave?.toString()),
    ...option('--until-wave', flags.untilWave?.toString()),
    ...(flags.allowProbeHost ?? []).flatMap(({ host, port }) => [
      '--allow-probe-host',
      port === null ? host : `${host}:${port}`,
    ]),
    ...option('--journal', flags.journal),
  ];
}

/** Returns `--allow` with its kinds, if there are any. */
export function allowWords(kinds: ApplyFlags['allow'] = []): readonly string[] {
  return kinds.length === 0 ? [] : ['--allow', kinds.join(',')];
}

/** Returns the flags that plan and apply share: which files, and which service. */
function whereWords(flags: ApplyFlags): readonly string[] {
  return [
    ...projectWords(flags),
    ...(flags.target ?? []).flatMap((target) => ['--target', targetText(target)]),
    ...option('--settings-from', flags.settingsFrom),
    ...option('--changed-since', flags.changedSince),
    ...(flags.shard === undefined ? [] : ['--shard', `${flags.shard.index}/${flags.shard.count}`]),
    ...(flags.ownBudget === true ? ['--own-budget'] : []),
    ...serviceWords(flags),
  ];
}

/** Returns the flags that say which project and which service. */
export function placeWords(flags: ProjectFlags & ServiceFlags): readonly string[] {
  return [...projectWords(flags), ...serviceWords(flags)];
}

/** Returns the flags that say which project, and the variables of its files. */
export function projectWords({ config, var: given = [] }: ProjectFlags): readonly string[] {
  return [
    ...option('--config', config),
    ...given.flatMap(({ name, value }) => ['--var', `${name}=${value}`]),
  ];
}

/** Returns the flags that say which service, and what share of its request limit to use. */
export function serviceWords({
  baseUrl,
  emulator,
  emulatorState,
  budget,
  secretFiles = [],
  secretCommand = [],
}: ServiceFlags): readonly string[] {
  return [
    ...option('--base-url', baseUrl),
    ...(emulator === true ? ['--emulator'] : []),
    ...option('--emulator-state', emulatorState),
    ...option('--budget', budget?.toString()),
    ...secretFiles.flatMap((folder) => ['--secret-files', folder]),
    ...secretCommand.flatMap((line) => ['--secret-command', line]),
  ];
}

/** Returns a command line of this program. */
export function commandText(words: readonly string[]): string {
  return ['rulewright', ...words].map(shellWord).join(' ');
}

/** Returns a flag with its value; nothing if it is not given. */
export function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

function targetText({ kind, name, phase }: TargetFilter): string {
  return `${kind === null ? '' : `${kind}:`}${name}${phase === null ? '' : `/${phase}`}`;
}
