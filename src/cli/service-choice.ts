import { resolve } from 'node:path';
import { keptPath, projectFolder, requireProjectOfVariables, sensitiveValues, usage } from '../app/index.ts';
import type { PlanSelection, Revisions, Selection, ServiceChoice, ServiceOptions } from '../app/index.ts';
import { RulewrightError, errorMessage } from '../model/index.ts';
import { httpUrl } from './flags.ts';
import type { CliContext } from './context.ts';
import type { GuardFlags, SelectionFlags, ServiceFlags, PartFlags } from './flags.ts';

const DEFAULT_BASE_URL = 'https://api.cloudflare.com/client/v4';

const DEFAULT_CONCURRENCY = 4;

/** Returns the part of the project that flags and arguments select. */
export function selectionOf(
  { cwd, env, today, version, signal, session }: CliContext,
  flags: SelectionFlags & GuardFlags & PartFlags,
  paths: readonly string[],
): PlanSelection {
  return {
    cwd,
    today,
    signal,
    config: flags.config,
    paths,
    heads: session.projectHeads,
    targets: flags.target ?? [],
    environment: env,
    variables: new Map((flags.var ?? []).map(({ name, value }) => [name, value])),
    settingsFrom: flags.settingsFrom,
    changedSince: flags.changedSince,
    shard: flags.shard && { ...flags.shard, version: version() },
  };
}

/** Returns the service for the part of the project that flags and arguments select. Throws as `serviceOptions` does. */
export function serviceOf(
  context: CliContext,
  flags: ServiceFlags & SelectionFlags & GuardFlags & PartFlags,
  paths: readonly string[],
): Promise<ServiceOptions> {
  return serviceOptions(context, flags, selectionOf(context, flags, paths));
}

/** Returns the service that flags and environment choose, the same throughout a run. Throws for an invalid environment. */
export function serviceOptions(
  context: CliContext,
  flags: ServiceFlags & PartFlags,
  selection: Selection & Revisions,
): Promise<ServiceOptions> {
  return context.session.service(() => chooseService(context, flags, selection));
}

async function chooseService(
  context: CliContext,
  flags: ServiceFlags & PartFlags,
  selection: Selection & Revisions,
): Promise<ServiceOptions> {
  await requireProjectOfVariables(selection);
  const service = await serviceChoice(context, flags, selection);
  const share = shareOf(flags, service);
  // Loaded only when a service is needed, so that commands without network start sooner.
  const { runBudget } = await import('../app/index.ts');
  return {
    service,
    env: context.env,
    secrets: await sensitiveValues(selection, context.env),
    concurrency: flags.concurrency ?? DEFAULT_CONCURRENCY,
    clock: context.clock,
    today: context.today,
    budget: runBudget({ clock: context.clock, share }),
    mayWrite: context.session.mayWrite,
    extension: context.extension,
    signal: context.signal,
  };
}

/**
 * Returns the share of the request limit that this run may use. The limit belongs to a user: the shards of a run share it, unless each has
 * credentials of its own. The embedded service has no limit unless a budget is given: trying something out should not wait.
 */
function shareOf({ budget, shard, ownBudget }: ServiceFlags & PartFlags, { kind }: ServiceChoice): number {
  if (ownBudget === true && shard === undefined) {
    throw usage('--own-budget is about a shard', 'give --shard I/N, or leave it out');
  }
  if (kind === 'emulator' && budget === undefined) {
    return Infinity;
  }
  const shards = shard === undefined || ownBudget === true ? 1 : shard.count;
  return (budget ?? 1) / shards;
}

async function serviceChoice(
  context: CliContext,
  flags: ServiceFlags,
  selection: Selection,
): Promise<ServiceChoice> {
  if (flags.emulator === true || flags.emulatorState !== undefined) {
    if (flags.baseUrl !== undefined) {
      throw usage('--base-url and --emulator exclude each other');
    }
    return { kind: 'emulator', stateFile: await emulatorState(context, flags, selection) };
  }
  return {
    kind: 'service',
    baseUrl: (flags.baseUrl ?? baseUrlOf(context)).replace(/\/+$/, ''),
    credentials: credentialsOf(context),
  };
}

async function emulatorState(
  { cwd }: CliContext,
  { emulatorState }: ServiceFlags,
  selection: Selection,
): Promise<string> {
  return emulatorState === undefined
    ? keptPath(await projectFolder(selection), 'emulator')
    : resolve(cwd, emulatorState);
}

function baseUrlOf({ env }: CliContext): string {
  const given = env['CLOUDFLARE_BASE_URL'];
  if (given === undefined || given === '') {
    return DEFAULT_BASE_URL;
  }
  try {
    return httpUrl(given);
  } catch (error) {
    throw new RulewrightError(`CLOUDFLARE_BASE_URL: ${errorMessage(error)}`, {
      code: 'environment/base-url',
      fault: 'user',
    });
  }
}

type ServiceCredentials = Extract<ServiceChoice, { readonly kind: 'service' }>['credentials'];

/** Returns the token, or the e-mail address and key; null when none is set. An empty variable counts as not set. */
function credentialsOf({ env }: CliContext): ServiceCredentials {
  const token = env['CLOUDFLARE_API_TOKEN'] ?? '';
  const email = env['CLOUDFLARE_EMAIL'] ?? '';
  const key = env['CLOUDFLARE_API_KEY'] ?? '';
  if (token !== '') {
    return { kind: 'token', token };
  }
  if (email !== '' && key !== '') {
    return { kind: 'key', email, key };
  }
  if (key !== '') {
    throw new RulewrightError('CLOUDFLARE_API_KEY is set, CLOUDFLARE_EMAIL is not: they belong together', {
      code: 'environment/credentials',
      fault: 'user',
      hint: 'set both, or better CLOUDFLARE_API_TOKEN',
    });
  }
  return null;
}
