import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { isJsonArray } from '../../src/data/json.ts';
import { createFakeClock } from '../fake-clock.ts';
import { rulewright } from './in-process.ts';

/** A request that a command sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
}

/**
 * An empty folder with its own service and a virtual clock; `run` runs a command, which has to succeed, and returns the requests that
 * it sent.
 */
export async function countedService() {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-counted-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  const env = {
    CLOUDFLARE_BASE_URL: emulator.baseUrl,
    CLOUDFLARE_API_TOKEN: emulator.token,
    ORIGIN_SECRET: 'a-secret-of-4711',
  };
  const clock = createFakeClock(Date.now());
  const run = async (argv: string): Promise<readonly SentRequest[]> => {
    const ended = await rulewright(argv.split(' '), { cwd: root, env, clock });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    return sentSince(emulator.controlUrl);
  };
  return { root, emulator, env, clock, run };
}

async function sentSince(controlUrl: string): Promise<readonly SentRequest[]> {
  const sent: unknown = await (await fetch(`${controlUrl}/requests`)).json();
  await fetch(`${controlUrl}/requests`, { method: 'DELETE' });
  return (isJsonArray(sent) ? sent : []).map((request) => {
    const { method, path } = Object(request);
    return { method: String(method), path: String(path) };
  });
}
