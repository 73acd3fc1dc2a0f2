import type { TargetFilter } from '../../app/project/selection.ts';
import type { Outcome } from '../../model/outcome.ts';
import { shellWord } from '../../model/shell-word.ts';
import type { ApplyFlags } from './apply-run.ts';
import type { ProjectFlags, ServiceFlags } from '../flags.ts';

/**
 * The command to go on with after an apply that did not do everything. Where live moved or the service refused,
 * there is something to look at first: a plan, and never again what was allowed for another state. Otherwise
 * apply, which plans afresh; `paths` are those of project files, so after a saved plan there are none.
 */
export function rerunCommand(
  flags: ApplyFlags,
  paths: readonly string[],
  outcomes: readonly Outcome[],
): string {
  const look = outcomes.some(
    (outcome) =>
      outcome.kind === 'refused' ||
      outcome.kind === 'conflict' ||
      (outcome.kind === 'failed' && outcome.code !== 'apply/interrupted'),
  );
  return look
    ? commandText(['plan', ...paths, ...whereWords(flags)])
    : commandText(['apply', ...paths, ...optionWords(flags)]);
}

/** The command that carries a saved plan out, with the project and the service it was made for. */
export function carryOutCommand(flags: ServiceFlags & ProjectFlags, plan: string): string {
  return commandText(['apply', plan, ...placeWords(flags)]);
}

/** The flags that say where and how; not those that ask, look or print. */
export function optionWords(flags: ApplyFlags): readonly string[] {
  return [
    ...whereWords(flags),
    ...option('--expect', flags.expect),
    ...allowWords(flags.allow),
    ...(flags.writes === 'auto' ? [] : ['--writes', flags.writes]),
    ...(flags.preflight === 'off' ? ['--preflight', 'off'] : []),
    ...(flags.onlyStrengthening === true ? ['--only-strengthening'] : []),
    ...(flags.onFailure === 'rollback' ? ['--on-failure', 'rollback'] : []),
    ...option('--journal', flags.journal),
  ];
}

/** What was allowed. */
export function allowWords(kinds: ApplyFlags['allow'] = []): readonly string[] {
  return kinds.length === 0 ? [] : ['--allow', kinds.join(',')];
}

/** The flags that plan and apply share: which files, which service. */
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

/** The flags that say which project and which service. */
export function placeWords(flags: ProjectFlags & ServiceFlags): readonly string[] {
  return [...projectWords(flags), ...serviceWords(flags)];
}

/** The flags that say which project, and what its files are filled in with. */
export function projectWords({ config, var: given = [] }: ProjectFlags): readonly string[] {
  return [
    ...option('--config', config),
    ...given.flatMap(({ name, value }) => ['--var', `${name}=${value}`]),
  ];
}

/** The flags that say which service. */
export function serviceWords({ baseUrl, emulator, emulatorState }: ServiceFlags): readonly string[] {
  return [
    ...option('--base-url', baseUrl),
    ...(emulator === true ? ['--emulator'] : []),
    ...option('--emulator-state', emulatorState),
  ];
}

/** A command line of this program. */
export function commandText(words: readonly string[]): string {
  return ['rulewright', ...words].map(shellWord).join(' ');
}

/** A flag and its value; nothing where it is not given. */
export function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

function targetText({ kind, name, phase }: TargetFilter): string {
  return `${kind === null ? '' : `${kind}:`}${name}${phase === null ? '' : `/${phase}`}`;
}
