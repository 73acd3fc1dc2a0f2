import type { TargetFilter } from '../app/project/selection.ts';
import { parseTarget } from '../app/project/selection.ts';
import { httpUrl } from './base-url.ts';
import type { CommandContext } from './context.ts';
import { BASIC_FORMATS } from './formats.ts';
import type { BasicFormat, Format, Report } from './formats.ts';
import { fileFlag, listFlag, switchFlag, textFlag, valueFlag } from './flag.ts';
import type { FlagsFor } from './flag.ts';

/** Where results go and how they look; every command has these. */
export interface OutputFlags {
  readonly noColor?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** For commands with a result that machines read as well. */
export interface ResultFlags<F extends Format = BasicFormat> extends OutputFlags {
  readonly format: F;
  readonly output?: string | undefined;
}

/** Flags of any command, as far as failures look at them. */
export interface AnyFlags extends OutputFlags {
  readonly report?: readonly Report[] | undefined;
  readonly format?: string | undefined;
  readonly output?: string | undefined;
  readonly config?: string | undefined;
  readonly metrics?: string | undefined;
}

/** Which project, and how much of it. */
export interface SelectionFlags {
  readonly config?: string | undefined;
  readonly target?: readonly TargetFilter[] | undefined;
  readonly var?: readonly GivenVariable[] | undefined;
}

/** `--var name=value`. */
export interface GivenVariable {
  readonly name: string;
  readonly value: string;
}

/** Which project, and what its files are filled in with; for commands that are about other things than its scopes. */
export type ProjectFlags = Pick<SelectionFlags, 'config' | 'var'>;

/** Which service, and how to talk to it. */
export interface ServiceFlags {
  readonly baseUrl?: string | undefined;
  readonly emulator?: boolean | undefined;
  readonly emulatorState?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly budget?: number | undefined;
}

/** How much a command that only reads may cost. */
export interface BoundFlags {
  readonly maxRequests?: number | undefined;
}

/** What commands that only read may know from before. */
export interface CacheFlags {
  readonly cache?: string | undefined;
  readonly noCache?: boolean | undefined;
}

/** Whose guards hold. */
export interface GuardFlags {
  readonly settingsFrom?: string | undefined;
}

/** Parameters of `OutputFlags`. */
export const OUTPUT_FLAGS: FlagsFor<OutputFlags> = {
  noColor: switchFlag('Do not use colour'),
  quiet: switchFlag('Print only results and errors'),
  verbose: switchFlag('Show each request, and stack traces'),
};

/** Parameters of commands that tell once what is the same in many scopes. */
export const EACH_SCOPE: FlagsFor<Pick<OutputFlags, 'verbose'>> = {
  verbose: switchFlag('Show each scope by itself, and each request'),
};

/** Parameters of `ResultFlags`. */
export const RESULT_FLAGS: FlagsFor<ResultFlags> = {
  format: formatFlag(BASIC_FORMATS),
  output: fileFlag('FILE', 'Write the result to a file'),
  ...OUTPUT_FLAGS,
};

/** The parameter `--format`. */
export function formatFlag<F extends Format>(values: readonly (F | 'text')[]) {
  return { kind: 'enum', values, default: 'text', brief: 'Format of the result' } as const;
}

/** Parameters of `SelectionFlags`. */
export const SELECTION_FLAGS: FlagsFor<SelectionFlags> = {
  config: fileFlag('FILE', 'Project file (default: nearest rulewright.yaml)'),
  target: {
    ...listFlag(target, 'SCOPE[/PHASE]', 'Only this scope, phase or label:K=V (repeatable)'),
    proposeCompletions: proposeScopes,
  },
  var: listFlag(variable, 'NAME=VALUE', 'Set a variable of the files (repeatable)'),
};

/** Parameters of `ProjectFlags`. */
export const PROJECT_FLAGS: FlagsFor<ProjectFlags> = {
  config: SELECTION_FLAGS.config,
  var: SELECTION_FLAGS.var,
};

/** Parameters of `GuardFlags`. */
export const GUARD_FLAGS: FlagsFor<GuardFlags> = {
  settingsFrom: textFlag('REV', 'Use the guards of this Git revision'),
};

/** Parameters of `ServiceFlags`. */
export const SERVICE_FLAGS: FlagsFor<ServiceFlags> = {
  baseUrl: valueFlag(httpUrl, 'URL', 'Base URL of the service'),
  emulator: switchFlag('Use the embedded service, without network'),
  emulatorState: fileFlag('FILE', 'Its state (default: .rulewright/emulator.json)'),
  concurrency: valueFlag(between(1, 64), 'N', 'Scopes to work on at the same time (default: 4)'),
  budget: valueFlag(fraction, 'FRACTION', 'Share of the request limit to use (default: 1)'),
};

/** Parameters of `BoundFlags`. */
export const BOUND_FLAGS: FlagsFor<BoundFlags> = {
  maxRequests: valueFlag(between(1, 1_000_000), 'N', 'Stop after N requests; longest unread scopes first'),
};

/** Parameters of `CacheFlags`. */
export const CACHE_FLAGS: FlagsFor<CacheFlags> = {
  cache: textFlag('DIR', 'Version cache (default: .rulewright/cache)'),
  noCache: switchFlag('Read all live state again'),
};

/** Scopes of the project's files; none on any error, for nobody reads it. */
async function proposeScopes(this: CommandContext, partial: string): Promise<readonly string[]> {
  try {
    const { scopeNames } = await import('../app/project/scope-names.ts');
    return await scopeNames(this.cli, partial);
  } catch {
    return [];
  }
}

/** A parser for whole numbers between two bounds. */
export function between(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) {
      throw new Error(`expected a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

function fraction(text: string): number {
  const number = /^(0?\.\d+|1(\.0+)?)$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 0.01 && number <= 1)) {
    throw new Error('expected a number from 0.01 to 1, such as 0.5 for half of the limit');
  }
  return number;
}

function target(text: string): TargetFilter {
  const filter = parseTarget(text);
  if (filter === null) {
    throw new Error(
      'expected a scope, such as shop.example, zone:shop.example/http_ratelimit, account:Shop, label:env=test',
    );
  }
  return filter;
}

function variable(text: string): GivenVariable {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error('expected a name and a value, such as threshold=20');
  }
  return { name, value };
}
