import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator/index.ts';
import { startEmulator } from '../../../src/emulator/index.ts';
import type { Steps } from '../../emulator/migration-zone.ts';
import { bypass, CORE, oldZone, pageRule } from '../../emulator/migration-zone.ts';
import type { Ended, Setting } from '../../cli/in-process.ts';
import { rulewright } from '../../cli/in-process.ts';

/** A zone with the old WAF on the embedded service, and a project in a temporary folder. */
export interface WafBench {
  readonly folder: string;
  /** Runs `rulewright waf …` in the project. */
  readonly waf: (words: string, setting?: Setting) => Promise<Ended>;
  readonly run: (words: string, setting?: Setting) => Promise<Ended>;
  /** Writes the generated configuration into the project. */
  readonly configure: () => Promise<void>;
  /** The requests since the last call, as `METHOD path`, followed by ` *` if the request wrote. */
  readonly taken: () => readonly string[];
  /** The state of the migration in the service, with its steps so far. */
  readonly steps: () => Promise<Steps>;
  readonly control: (path: string) => Promise<void>;
}

type Members = Readonly<Record<string, unknown>>;

/** How the bench differs from one with an Enterprise zone with default settings. */
export interface BenchOptions extends EmulatorOptions {
  readonly zone?: Members;
  /** Called for each answered request, with its number since the last call of `taken`, from 1. */
  readonly onRequest?: (count: number) => void;
}

/** A zone with settings of the old WAF, and a firewall rule that bypasses it. */
export const CONFIGURED = {
  waf: {
    packages: { [CORE]: { sensitivity: 'medium', action_mode: 'simulate' } },
    rules: { '100007': 'disable' },
  },
  firewall: { rules: 'two_lists' },
  firewall_rules: [bypass('http.request.uri.path eq "/feed"')],
};

/** A page rule that switches the old WAF off for some pages. */
export const STATUS_PAGE = {
  page_rules: [pageRule('old.example/status*', [{ id: 'disable_security' }], 1)],
};

export async function startWafBench({
  zone = {},
  onRequest,
  ...options
}: BenchOptions = {}): Promise<WafBench> {
  let requests: string[] = [];
  const emulator = await startEmulator({
    seed: oldZone(zone),
    budget: 'off',
    log: (event) => {
      if (event.kind === 'request') {
        requests.push(`${event.method} ${event.path}${event.wrote ? ' *' : ''}`);
        onRequest?.(requests.length);
      }
    },
    ...options,
  });
  const folder = await mkdtemp(join(tmpdir(), 'waf-'));
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: ["zones/*.yaml"]\n');
  await writeFile(join(folder, 'zones', 'other.yaml'), 'zone: old.example\nentrypoints: {}\n');
  const env = { CLOUDFLARE_API_TOKEN: emulator.token, CLOUDFLARE_BASE_URL: emulator.baseUrl };
  const run = (words: string, setting: Setting = {}): Promise<Ended> =>
    rulewright(words.split(' '), { cwd: folder, env, ...setting });
  const waf = (words: string, setting: Setting = {}): Promise<Ended> => run(`waf ${words}`, setting);
  return {
    folder,
    run,
    waf,
    configure: async () => {
      const ended = await waf('config old.example --output zones/managed.yaml --quiet');
      if (ended.code !== 0) {
        throw new Error(ended.stderr);
      }
    },
    taken: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    steps: async () => {
      const answer = await fetch(`${emulator.controlUrl}/waf-migration/old.example`);
      const steps: Steps = JSON.parse(await answer.text());
      return steps;
    },
    control: async (path) => {
      const answer = await fetch(`${emulator.controlUrl}/waf-migration/old.example/${path}`, {
        method: 'POST',
      });
      if (!answer.ok) {
        throw new Error(await answer.text());
      }
    },
  };
}
