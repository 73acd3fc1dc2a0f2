import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Emulator } from '../../../src/emulator/index.ts';
import { scopeId, startEmulator } from '../../../src/emulator/index.ts';
import type { Ended, Setting } from '../../cli/in-process.ts';
import { rulewright } from '../../cli/in-process.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** The zones of a project in waves; each has one rule. */
export const ZONES = ['a.example', 'b.example', 'c.example'] as const;

const ACCOUNT = 'Example Shop';

/** A project whose zones are written in waves, on a service and a clock of its own. */
export interface WavesProject {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly emulator: Emulator;
  /** Runs a command; without a setting as an unattended machine does. */
  readonly run: (argv: readonly string[], setting?: Setting) => Promise<Ended>;
  readonly write: (path: string, text: string) => Promise<void>;
  /** Writes the rule that all zones have. */
  readonly rules: (expression: string, zones?: readonly string[]) => Promise<void>;
  /** Somebody changes the expression of a zone's rule, beside this project. */
  readonly edit: (zone: string, path: string) => Promise<void>;
  /** Returns the expression of the rule that each zone has live: `a ssl, b -, c -`. */
  readonly live: () => Promise<string>;
  /** Returns how far waves have come, by the journal, in its order: `1 passed`. */
  readonly journal: () => Promise<readonly string[]>;
  /** What the host of probes answers. */
  readonly probe: { status: number; readonly url: string; readonly host: string };
  readonly close: () => Promise<void>;
}

/** The file of a zone. */
export function zoneFile(name: string, expression: string, head = ''): string {
  return `zone: ${name}
${head}entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: guard, expression: '${expression}', action: block }
`;
}

/** Opens a project with `rollout` of its project file. `{probe}` in it is the URL that is probed; `plan` the level of all zones. */
export async function openWavesProject(rollout: string, plan?: 'pro'): Promise<WavesProject> {
  const clock = createFakeClock(Date.UTC(2026, 10, 28, 12));
  const emulator = await startEmulator({
    budget: 'off',
    clock,
    ...(plan === undefined
      ? { scopes: ZONES.map((name) => ({ kind: 'zone' as const, name })) }
      : {
          seed: {
            version: 1,
            accounts: [{ name: ACCOUNT, plan }],
            zones: ZONES.map((name) => ({ name, account: ACCOUNT, plan })),
          },
        }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-waves-'));
  const { server, port } = await startHost(() => probe.status);
  const host = `127.0.0.1:${port}`;
  const probe = { status: 200, url: `http://${host}/`, host };
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const rules = async (expression: string, zones: readonly string[] = ZONES): Promise<void> => {
    for (const name of zones) {
      await write(`zones/${name}.yaml`, zoneFile(name, expression));
    }
  };
  const run = (argv: readonly string[], setting: Setting = {}): Promise<Ended> =>
    rulewright(argv, {
      cwd: folder,
      env: { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token },
      clock,
      ...setting,
    });
  await write(
    'rulewright.yaml',
    `version: 1\nfiles: ["{accounts,zones}/*.yaml"]\nrollout:\n${rollout.replaceAll('{probe}', probe.url)}`,
  );
  await rules('ssl');
  return {
    folder,
    clock,
    emulator,
    run,
    write,
    rules,
    edit: (zone, path) => editRule(emulator, zone, `http.request.uri.path eq "${path}"`),
    live: async () => {
      const all = await Promise.all(
        ZONES.map(async (name) => [name, await liveRule(emulator, name)] as const),
      );
      return all.map(([name, expression]) => `${name.slice(0, 1)} ${expression}`).join(', ');
    },
    journal: async () => wavesIn(await readFile(join(folder, '.rulewright/journal.jsonl'), 'utf8')),
    probe,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function liveRule(emulator: Emulator, zone: string): Promise<string> {
  const [rule] = (await readLive(emulator, zone))?.rules ?? [];
  const expression = rule?.expression ?? '-';
  return /^http.request.uri.path eq "(.*)"$/u.exec(expression)?.[1] ?? expression;
}

interface ReadRuleset {
  readonly id: string;
  readonly rules: readonly { readonly id: string; readonly expression: string }[];
}

async function readLive({ baseUrl, token }: Emulator, zone: string): Promise<ReadRuleset | null> {
  const path = `zones/${scopeId('zone', zone)}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const answer = await fetch(`${baseUrl}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { readonly result: ReadRuleset | null }).result;
}

async function editRule(emulator: Emulator, zone: string, expression: string): Promise<void> {
  const { baseUrl, token } = emulator;
  const ruleset = await readLive(emulator, zone);
  const path = `zones/${scopeId('zone', zone)}/rulesets/${ruleset?.id}/rules/${ruleset?.rules[0]?.id}`;
  const answer = await fetch(`${baseUrl}/${path}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ expression, action: 'block' }),
  });
  if (!answer.ok) {
    throw new Error(`the edit was refused: ${await answer.text()}`);
  }
}

/** Returns the waves in the text of a journal, with their states. */
function wavesIn(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /"kind":"wave","service":"[^"]*","wave":(\d+),"wanted":"[0-9a-f]*","state":"([a-z-]+)"/gu,
    ),
  ].map(([, wave, state]) => `${wave} ${state}`);
}

function startHost(status: () => number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => {
    response.statusCode = status();
    response.end('hello');
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    }),
  );
}
