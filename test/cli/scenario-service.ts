import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import type { Section } from './scenario-file.ts';

/** The service of a scenario: the embedded service, or canned answers. */
export interface ScenarioService {
  readonly baseUrl: string;
  readonly token: string;
  /** Requests since the last call, as `METHOD path status`. */
  taken(): readonly string[];
  /** Sets fault rules for later requests, in JSON (docs/emulator.md). */
  fail(rules: string): Promise<void>;
  /** Sets switches of the embedded service, in JSON (docs/emulator.md). */
  change(switches: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the service that the sections describe: the embedded one, with the seed of a section `seed` in place of
 * the built-in shop, or canned answers if there is a section `answer`. A section `newer OLD NEW` makes it say NEW for OLD,
 * as a newer service might.
 */
export async function startService(sections: readonly Section[]): Promise<ScenarioService> {
  const newer = sections.find(({ name }) => name === 'newer');
  const service = await startPlain(sections);
  const [from = '', to = ''] = newer?.argument.split(' ') ?? [];
  return newer === undefined ? service : renaming(service, { from, to });
}

async function startPlain(sections: readonly Section[]): Promise<ScenarioService> {
  const answers = sections.filter(({ name }) => name === 'answer');
  const seed = sections.find(({ name }) => name === 'seed');
  if (seed === undefined) {
    return answers.length === 0 ? embedded(null) : canned(answers);
  }
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-seed-'));
  try {
    await writeFile(join(folder, 'seed.json'), seed.body);
    return await embedded(join(folder, 'seed.json'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function embedded(seedFile: string | null): Promise<ScenarioService> {
  let requests: string[] = [];
  const served = await serveEmulator({
    port: 0,
    stateFile: null,
    seedFile,
    onRequest: ({ method, path, status, wrote }) =>
      requests.push(`${method} ${path} ${status}${wrote ? ' wrote' : ''}`),
  });
  return {
    ...served,
    fail: (rules) => control('POST', `${served.pageUrl}faults`, rules),
    change: (switches) => control('PUT', `${served.pageUrl}switches`, switches),
    taken() {
      const taken = requests;
      requests = [];
      return taken;
    },
  };
}

async function control(method: string, url: string, body: string): Promise<void> {
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
}

/** A proxy that replaces the name `from` of the service by `to`, in both directions. */
async function renaming(
  service: ScenarioService,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ScenarioService> {
  const origin = new URL(service.baseUrl).origin;
  const server = createServer((request, response) => {
    void pass(request, response);
  });
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '', headers } = request;
    const body = await text(request);
    const answer = await fetch(origin + url.replaceAll(to, from), {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body: body.replaceAll(to, from) }),
    });
    const type = { 'content-type': answer.headers.get('content-type') ?? 'application/json' };
    response.writeHead(answer.status, type).end((await answer.text()).replaceAll(from, to));
  };
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    ...service,
    baseUrl: `http://127.0.0.1:${portOf(server)}/client/v4`,
    taken: () => service.taken().map((request) => request.replaceAll(from, to)),
    async close() {
      await closed(server);
      await service.close();
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.closeAllConnections();
    server.close(() => done());
  });
}

/**
 * Canned answers: each section is `answer METHOD PATH STATUS`, its body the headers (`name: value`), a blank
 * line, and the body of the answer. `*` stands for any path. Other requests get 404.
 */
async function canned(answers: readonly Section[]): Promise<ScenarioService> {
  let requests: string[] = [];
  const routes = answers.map((section) => {
    const [method = '', path = '', status = ''] = section.argument.split(' ');
    const [head = '', ...body] = section.body.split('\n\n');
    const headers = head.split('\n').filter((line) => line.includes(': '));
    return { method, path, status: Number(status), headers, body: body.join('\n\n') };
  });
  const server = createServer((request, response) => {
    const route = routes.find(
      ({ method, path }) =>
        method === request.method && (path === '*' || request.url === `/client/v4${path}`),
    );
    const status = route?.status ?? 404;
    requests.push(`${request.method} ${request.url} ${status}`);
    for (const header of route?.headers ?? []) {
      setHeader(response, header);
    }
    request.resume();
    response.writeHead(status).end(route?.body ?? '');
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}/client/v4`,
    token: 'a-token-that-nobody-checks',
    fail: () => Promise.reject(new Error('canned answers have no faults')),
    change: () => Promise.reject(new Error('canned answers have no switches')),
    taken() {
      const taken = requests;
      requests = [];
      return taken;
    },
    close: () => closed(server),
  };
}

function setHeader(response: ServerResponse, header: string): void {
  const at = header.indexOf(': ');
  response.setHeader(header.slice(0, at), header.slice(at + 2));
}
