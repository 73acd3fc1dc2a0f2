import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const SERVER = require.resolve('yaml-language-server/bin/yaml-language-server');

/** A place in a text, counted from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** What the server marks in a text. */
export interface Mark {
  readonly message: string;
  readonly range: { readonly start: Position };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly diagnostics: readonly Mark[] };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** An editor's side of a YAML language server. */
export interface Editor {
  /** Opens a file with this text, and returns what the server marks in it. */
  marks(path: string, text: string): Promise<readonly Mark[]>;
  /** Opens a file with this text, and returns the completions or the hover text at a place in it. */
  ask(method: 'completion' | 'hover', path: string, text: string, position: Position): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a server that uses only the schemas that files name in their first line. */
export async function openEditor(root: string): Promise<Editor> {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const answers = new Map<number, (message: Message) => void>();
  const listeners = new Map<string, (marks: readonly Mark[]) => void>();
  let versions = 0;
  let requests = 0;
  let received = Buffer.alloc(0);

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = async (method: string, params: unknown): Promise<unknown> => {
    requests += 1;
    const id = requests;
    const { result, error } = await new Promise<Message>((resolve) => {
      answers.set(id, resolve);
      send({ id, method, params });
    });
    if (error !== undefined) {
      throw new Error(`${method}: ${JSON.stringify(error)}`);
    }
    return result;
  };
  const hear = (message: Message): void => {
    if (message.method === 'textDocument/publishDiagnostics' && message.params !== undefined) {
      listeners.get(message.params.uri)?.(message.params.diagnostics);
    } else if (message.method !== undefined && message.id !== undefined) {
      send({ id: message.id, result: null });
    } else if (message.id !== undefined) {
      answers.get(message.id)?.(message);
    }
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/u.exec(received.toString('latin1', 0, end))?.[1]);
      if (end < 0 || received.length < end + 4 + length) {
        return;
      }
      const body = received.toString('utf8', end + 4, end + 4 + length);
      received = received.subarray(end + 4 + length);
      hear(JSON.parse(body) as Message);
    }
  });
  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {},
  });
  send({ method: 'initialized', params: {} });
  const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml } } });

  const open = (path: string, text: string): string => {
    const uri = pathToFileURL(join(root, path)).href;
    versions += 1;
    const document = { uri, languageId: 'yaml', version: versions, text };
    send({ method: 'textDocument/didOpen', params: { textDocument: document } });
    return uri;
  };

  return {
    marks: (path, text) =>
      new Promise((resolve) => {
        listeners.set(pathToFileURL(join(root, path)).href, resolve);
        open(path, text);
      }),
    ask: (method, path, text, position) =>
      request(`textDocument/${method}`, { textDocument: { uri: open(path, text) }, position }),
    close: async () => {
      await request('shutdown', null);
      send({ method: 'exit' });
      await ended;
    },
  };
}
