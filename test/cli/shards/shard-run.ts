import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, objectOf, parsedJson } from '../../../src/data/json.ts';
import type { JsonObject, JsonValue } from '../../../src/data/json.ts';
import { faultOf } from '../../apply/campaign/campaign-run.ts';
import type { Disturbance } from '../../apply/campaign/campaign-run.ts';
import type { Fault, Passing } from '../../apply/campaign/fault-proxy.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { rulewright } from '../in-process.ts';
import type { World } from './shard-world.ts';

/** The built command; `npm test` builds it first. */
export const MAIN = join(import.meta.dirname, '../../../dist/cli/main.js');

const { version: built } = objectOf(
  parsedJson(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')),
);

/** Runs a command of a machine in this process. */
export function onMachine(world: World, machine: number, words: readonly string[]) {
  const clock = createFakeClock(Date.now());
  // All machines of a run have the same version, also those that run as separate processes.
  const version = typeof built === 'string' ? built : '';
  return rulewright(words, { cwd: world.folder, env: world.env(machine), version, clock });
}

/** The n-th request or write of a run, counted from 1. */
export interface Nth {
  readonly of: 'requests' | 'writes';
  readonly nth: number;
}

const isWrite = ({ method, path }: Passing): boolean => method !== 'GET' && !path.includes('dry_run=');

/** What happens to a shard that applies its part. */
export type Fate =
  | { readonly kind: 'undisturbed' }
  /** It is never started. */
  | { readonly kind: 'missing' }
  /** It runs twice. */
  | { readonly kind: 'twice' }
  /** Its process is killed at a request, before the service gets the request or after the service has carried it out. */
  | { readonly kind: 'killed'; readonly request: Nth; readonly moment: 'before' | 'after' }
  /** A request fails, or another client writes to a zone at that moment. */
  | { readonly kind: 'disturbed'; readonly request: Nth; readonly by: Disturbance; readonly zone: number };

/** The result of an apply. */
export interface Ended {
  /** `null` if it was killed. */
  readonly code: number | null;
  readonly stderr: string;
  /** Its JSON output; `null` if there is none. */
  readonly answer: JsonObject | null;
}

/** Runs an apply of the project on a machine, with a fate. */
export async function applyWith(
  world: World,
  {
    machine,
    words,
    fate,
  }: { readonly machine: number; readonly words: readonly string[]; readonly fate: Fate },
): Promise<Ended> {
  let requests = 0;
  let kill: () => Promise<unknown> = () => Promise.resolve();
  world.disturb(machine, (passing): Fault => {
    if (!('request' in fate) || (fate.request.of === 'writes' && !isWrite(passing))) {
      return { kind: 'pass' };
    }
    requests += 1;
    if (requests === fate.request.nth) {
      return fate.kind === 'killed'
        ? { kind: fate.moment === 'before' ? 'kill-before' : 'kill-after', kill: () => kill() }
        : faultOf(fate.by, () => world.visit(fate.zone));
    }
    return { kind: 'pass' };
  });
  const argv = ['apply', ...words, '--yes', '--allow', 'all', '--format', 'json'];
  if (fate.kind !== 'killed') {
    return endedOf(await onMachine(world, machine, argv));
  }
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd: world.folder,
    env: world.env(machine),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const closed = once(child, 'close');
  kill = () => {
    child.kill('SIGKILL');
    return closed;
  };
  await closed;
  return endedOf({ code: child.exitCode, stdout, stderr });
}

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function endedOf({ code, stdout, stderr }: Printed): Ended {
  const answer = parsedJson(stdout);
  return { code, stderr, answer: isJsonObject(answer) ? answer : null };
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter((item) => isJsonObject(item)) : [];

/** What an apply reported about a step: whether it was done, with how many writes, and whether one more may have landed. */
export interface Told {
  readonly done: boolean;
  readonly writes: number;
  readonly inDoubt: boolean;
  readonly outcome: JsonObject;
}

/** What an apply reported about a step; `null` if nothing. A run that is refused as a whole, or fails at once, reports on all steps. */
export function toldOf({ code, answer }: Ended, step: string): Told | null {
  const outcome = listOf(answer?.['outcomes']).find((one) => one['step'] === step);
  if (outcome !== undefined) {
    const { kind, writes } = outcome;
    return {
      done: kind === 'done',
      writes: typeof writes === 'number' ? writes : 0,
      inDoubt: outcome['inDoubt'] === true,
      outcome,
    };
  }
  const untried = { done: false, writes: 0, inDoubt: false, outcome: {} };
  const unread = listOf(answer?.['failedScopes']).some(({ scope }) => {
    const { name } = objectOf(scope);
    return typeof name === 'string' && step.startsWith(`zone:${name}/`);
  });
  const whole =
    answer?.['kind'] === 'error' ||
    answer?.['result'] === 'refused' ||
    answer?.['result'] === 'nothing-to-do';
  return unread || (whole && code !== 4) ? untried : null;
}

/** The steps of a plan in a file. */
export function stepsIn(text: string): readonly string[] {
  return listOf(objectOf(parsedJson(text))['scopes']).flatMap(({ steps }) =>
    listOf(steps).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])),
  );
}
