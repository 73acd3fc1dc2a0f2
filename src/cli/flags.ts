import type { TargetFilter } from '../app/index.ts';
import { parseTarget } from '../app/index.ts';
import { WEBHOOK_SHAPES } from '../forge/index.ts';
import type { WebhookShape } from '../forge/index.ts';
import { baseUrlProblem } from '../network/index.ts';
import type { Shard } from '../model/index.ts';
import { MAX_SHARDS } from '../model/index.ts';
import type { FlagsOf } from './flag.ts';
import {
  choiceFlag,
  fileFlag,
  inputFlag,
  keptFlag,
  listFlag,
  nonEmpty,
  switchFlag,
  textFlag,
  valueFlag,
} from './flag.ts';
import type { ExtraResult, Format } from './formats.ts';
import { BASIC_FORMATS, formatFlag, PLAN_FORMATS, formatFlags } from './formats.ts';
import { PROPOSED_SCOPES } from './complete-scopes.ts';

/** Checks a base URL; returns it as it was typed. */
export function httpUrl(text: string): string {
  const problem = baseUrlProblem(text);
  if (problem !== undefined) {
    throw new Error(problem);
  }
  return text;
}

/**
 * Returns the part of a typed base URL that may be shown: leaves out user, query and fragment, which may hold secrets. Of a text that may have one of
 * them and cannot be parsed, only the protocol is shown.
 */
export function shownUrl(text: string): string {
  if (!/[@?#]/.test(text)) {
    return text;
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol)
    ? `${url.origin}${url.pathname === '/' ? '' : url.pathname}…`
    : `${/^https?:\/\//i.exec(text)?.[0] ?? ''}…`;
}

/** How output looks, and how much of it there is; every command has these flags. */
export const OUTPUT_FLAGS = {
  noColor: switchFlag('Do not use colour'),
  quiet: switchFlag('Print only results and errors'),
  verbose: switchFlag('Show each request, and stack traces'),
};

/** The values of `OUTPUT_FLAGS`. */
export type OutputFlags = FlagsOf<typeof OUTPUT_FLAGS>;

/** For commands that report once what is the same in many scopes. */
export const EACH_SCOPE = {
  verbose: switchFlag('Show each scope by itself with all notes, and each request'),
};

/** For commands with a result that machines can read too. */
export const RESULT_FLAGS = {
  format: formatFlag(BASIC_FORMATS),
  output: fileFlag('FILE', 'Write the result to a file'),
  ...OUTPUT_FLAGS,
};

/** The values of `RESULT_FLAGS`. */
export type ResultFlags = FlagsOf<typeof RESULT_FLAGS>;

/** The values of `RESULT_FLAGS` and `formatFlags`, which allow a result in several formats. */
export interface FormatFlags<F extends Format = Format> extends Omit<ResultFlags, 'format'> {
  readonly format: F;
  readonly report?: readonly ExtraResult<F>[] | undefined;
}

/** The flags of any command that the reporting of failures looks at. */
export interface AnyFlags extends OutputFlags {
  readonly report?: readonly ExtraResult[] | undefined;
  readonly format?: string | undefined;
  readonly output?: string | undefined;
  readonly config?: string | undefined;
  readonly metrics?: string | undefined;
  readonly notify?: WebhookShape | undefined;
  readonly secretFiles?: readonly string[] | undefined;
  readonly secretCommand?: readonly string[] | undefined;
}

/** A variable given by `--var name=value`. */
export interface GivenVariable {
  readonly name: string;
  readonly value: string;
}

/** The project and the variables of its files; for commands that are not about the project's scopes. */
export const PROJECT_FLAGS = {
  config: inputFlag('FILE', 'Project file (default: nearest rulewright.yaml)'),
  var: listFlag(variable, 'NAME=VALUE', 'Set a variable of the files (repeatable)'),
};

/** The values of `PROJECT_FLAGS`. */
export type ProjectFlags = FlagsOf<typeof PROJECT_FLAGS>;

/** The project, and the part of it that a run is about. */
export const SELECTION_FLAGS = {
  config: PROJECT_FLAGS.config,
  target: {
    ...listFlag(target, 'SCOPE[/PHASE]', 'Only this scope, phase or label:K=V (repeatable)'),
    ...PROPOSED_SCOPES,
  },
  var: PROJECT_FLAGS.var,
};

/** The values of `SELECTION_FLAGS`. */
export type SelectionFlags = FlagsOf<typeof SELECTION_FLAGS>;

/** The revision whose guards apply. */
export const GUARD_FLAGS = { settingsFrom: textFlag('REV', 'Use the guards of this Git revision') };

/** The values of `GUARD_FLAGS`. */
export type GuardFlags = FlagsOf<typeof GUARD_FLAGS>;

/** For commands that somebody wants to hear of. */
export const NOTIFY_FLAGS = {
  notify: choiceFlag(WEBHOOK_SHAPES, 'Tell RULEWRIGHT_WEBHOOK_URL of writes, drift and failures'),
};

/** The service, and how to talk to it. */
export const SERVICE_FLAGS = {
  baseUrl: valueFlag(httpUrl, 'URL', 'Base URL of the service'),
  emulator: switchFlag('Use the embedded service, without network'),
  emulatorState: keptFlag('state', 'FILE', 'Its state (default: .rulewright/emulator.json)'),
  concurrency: valueFlag(between(1, 64), 'N', 'Scopes to work on at the same time (default: 4)'),
  budget: valueFlag(fraction, 'FRACTION', 'Share of the request limit to use (default: 1)'),
  secretFiles: listFlag(
    nonEmpty,
    'DIR',
    'Folder in which `file` of a sensitive variable may lie (repeatable)',
  ),
  secretCommand: listFlag(nonEmpty, 'COMMAND', 'Command that `exec` of one may run, whole (repeatable)'),
};

/** The values of `SERVICE_FLAGS`. */
export type ServiceFlags = FlagsOf<typeof SERVICE_FLAGS>;

/** For commands that are about the service's state. */
export const LIVE_FLAGS = { ...PROJECT_FLAGS, ...SERVICE_FLAGS, ...RESULT_FLAGS };

/** The values of `LIVE_FLAGS`. */
export type LiveFlags = FlagsOf<typeof LIVE_FLAGS>;

/** The bound on the requests of a command that only reads. */
export const BOUND_FLAGS = {
  maxRequests: valueFlag(
    between(1, 1_000_000),
    'N',
    'Stop after N requests, starting with the scopes that have gone unread longest',
  ),
};

/** The cache of commands that only read. */
export const CACHE_FLAGS = {
  cache: textFlag('DIR', 'Version cache (default: .rulewright/cache)'),
  noCache: switchFlag('Read all live state again'),
};

/** Returns a parser for whole numbers between two bounds, both inclusive. */
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

/** The part of the scopes that a run is about, besides `--target`. */
const PART_FLAGS = {
  changedSince: textFlag('REV', 'Only scopes changed since HEAD branched off this Git revision'),
  shard: valueFlag(shard, 'I/N', 'Only part I of N of the scopes'),
  ownBudget: switchFlag('This shard has credentials of its own'),
};

/** The values of `PART_FLAGS`. */
export type PartFlags = FlagsOf<typeof PART_FLAGS>;

/** Flags of `plan`, `apply` and `drift`: what the run is about, where live state is, and how the result is reported. */
export const RUN_FLAGS = {
  ...SELECTION_FLAGS,
  ...PART_FLAGS,
  ...CACHE_FLAGS,
  ...SERVICE_FLAGS,
  metrics: fileFlag('FILE', 'Write OpenMetrics about the run, however it ends'),
  ...RESULT_FLAGS,
  ...formatFlags(PLAN_FORMATS),
  ...EACH_SCOPE,
};

export function shard(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const found = { index: Number(index), count: Number(count) };
  if (!(found.index >= 1 && found.index <= found.count && found.count <= MAX_SHARDS)) {
    throw new Error(`expected I/N with 1 ≤ I ≤ N ≤ ${MAX_SHARDS}, such as 3/8`);
  }
  return found;
}
