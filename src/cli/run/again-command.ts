import type { TargetFilter } from '../../app/selection.ts';
import type { ApplyFlags } from '../commands/apply.ts';

/**
 * The command that does the rest after an apply that did not do everything. It plans afresh; `paths` are those
 * of project files, so after a saved plan there are none: what was written has moved the versions that it is
 * bound to.
 */
export function againCommand(flags: ApplyFlags, paths: readonly string[]): string {
  return `${['rulewright', 'apply', ...paths].map(quoted).join(' ')}${optionsText(flags)}`;
}

/** The flags that say where and how, each with a blank before it; not those that ask, look or print. */
export function optionsText(flags: ApplyFlags): string {
  const words = [
    ...option('--config', flags.config),
    ...(flags.target ?? []).flatMap((target) => ['--target', targetText(target)]),
    ...option('--settings-from', flags.settingsFrom),
    ...option('--base-url', flags.baseUrl),
    ...(flags.emulator === true ? ['--emulator'] : []),
    ...option('--emulator-state', flags.emulatorState),
    ...(flags.allow ?? []).flatMap((kind) => ['--allow', kind]),
    ...(flags.writes === 'auto' ? [] : ['--writes', flags.writes]),
    ...(flags.preflight === 'off' ? ['--preflight', 'off'] : []),
    ...option('--journal', flags.journal),
  ];
  return words.map((word) => ` ${quoted(word)}`).join('');
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

function targetText({ kind, name, phase }: TargetFilter): string {
  return `${kind === null ? '' : `${kind}:`}${name}${phase === null ? '' : `/${phase}`}`;
}

/** A word as a POSIX shell takes it. */
export function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
